import { expect } from 'vitest';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { browserTest, type Visit, visit, webScene } from './browser.ts';
import { hearPositionFirst } from './views.ts';

const POSITION = '**/api/events/position*';
const EVENTS = '**/api/events?*';

let recorded = 0;

/** Records something that the view which is looked at here finds. */
const record = ({ workspace, retake }: Scene): void => {
  put(workspace, 'number.txt', String(++recorded));
  retake.json(workspace, 'checkpoint', '--name', `found ${recorded}`);
};

const VIEW = '/search?q=found';
const shows = ({ page }: Visit, checkpoints: number): Promise<void> =>
  page.getByText(checkpoints === 1 ? '1 checkpoint found' : `${checkpoints} checkpoints found`).waitFor();

const isLive = ({ page }: Visit): Promise<void> => page.getByText('live', { exact: true }).waitFor();

/** As when its tab is left, or looked at again. */
const look = ({ page }: Visit, isLooked: boolean): Promise<void> =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isLooked} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

/** Counts what is asked for, and how many listen now. */
const watch = ({ page }: Visit) => {
  const asked: string[] = [];
  const listening = new Set<object>();
  page.on('request', (request) => {
    asked.push(request.url());
    if (request.resourceType() === 'eventsource') listening.add(request);
  });
  for (const over of ['requestfinished', 'requestfailed'] as const)
    page.on(over as 'requestfailed', (request) => void listening.delete(request));
  return { listening, times: (part: string): number => asked.filter((url) => url.includes(part)).length };
};

browserTest('[UI-4] a workspace that one comes back to is shown as it is by then; the first time, nothing is asked for twice', async () => {
  const at = webScene();
  const other = { ...at, workspace: temporaryDirectory() };
  record(other);
  record(at);
  const { workspace } = other.retake.json(other.workspace, 'serve');
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open();
  await isLive(visiting);
  const { times } = watch(visiting);
  await hearPositionFirst(page);
  await visiting.open(VIEW);
  await shows(visiting, 1);
  await isLive(visiting);
  expect([times('/api/search'), times('/api/events/position')]).toEqual([1, 1]);
  await page.getByLabel('Workspace').selectOption(workspace);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await isLive(visiting);
  record(at);
  await page.goBack();
  await shows(visiting, 2);
});

browserTest('[UI-4] what is recorded before it is known where the log is, is shown all the same', async () => {
  const at = webScene();
  record(at);
  const visiting = await visit(at);
  const { page } = visiting;
  let expected = 1;
  for (const isRefused of [false, true]) {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const holding = await page.route(POSITION, async (route) => {
      await held;
      await (isRefused ? route.fulfill({ status: 404, json: { error: { code: 'unknown-id', message: 'gone' } } }) : route.continue());
    });
    await visiting.open(VIEW);
    await shows(visiting, expected);
    record(at);
    goOn();
    await shows(visiting, ++expected);
    await holding.dispose();
  }
});

browserTest('[UI-4] a page that is refused to listen tries again, and shows what it missed', async () => {
  const at = webScene();
  record(at);
  const visiting = await visit(at);
  const { page } = visiting;
  const refusing = await page.route(EVENTS, (route) => route.fulfill({ status: 401, body: '' }));
  await visiting.open(VIEW);
  await shows(visiting, 1);
  await page.getByText('not connected').waitFor();
  record(at);
  await refusing.dispose();
  await shows(visiting, 2);
  await isLive(visiting);
});

browserTest('[UI-4] a page that nobody looks at holds no connection, and shows what it missed when it is looked at', async () => {
  const at = webScene();
  record(at);
  const visiting = await visit(at);
  const { listening } = watch(visiting);
  await visiting.open(VIEW);
  await shows(visiting, 1);
  await isLive(visiting);
  expect(listening.size).toBe(1);
  await look(visiting, false);
  await expect.poll(() => listening.size).toBe(0);
  record(at);
  await look(visiting, true);
  await shows(visiting, 2);
  await expect.poll(() => listening.size).toBe(1);
  record(at);
  await shows(visiting, 3);
});
