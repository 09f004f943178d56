import { expect } from 'vitest';
import { tellDaemon } from '../daemon/support.ts';
import { put } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visit, webScene } from './browser.ts';

browserTest('[UI-4] sessions, files and words with signs of per cent and colons in them are found by their addresses', async () => {
  const at = webScene();
  const session = 'a:b/50%';
  const hook = (name: string, fields: object): Promise<void> =>
    tellDaemon(at, JSON.stringify({ hook_event_name: name, session_id: session, cwd: at.workspace, ...fields }));
  await hook('SessionStart', { source: 'startup' });
  await hook('UserPromptSubmit', { prompt: 'Write what is named %41', prompt_id: 'p1' });
  const step = { tool_use_id: 't1', tool_name: 'Write', tool_input: { file_path: 'a%20b.txt' }, prompt_id: 'p1' };
  await hook('PreToolUse', step);
  put(at.workspace, 'a%20b.txt', 'found\n');
  put(at.workspace, 'z.txt', 'another\n');
  await hook('PostToolUse', { ...step, tool_response: {} });
  const { page, open } = await visit(at);
  await open();
  await page.getByRole('link', { name: /Write what is named %41/ }).click();
  await page.getByRole('region', { name: 'Timeline' }).getByText('a%20b.txt').first().waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Timeline' }).getByText('a%20b.txt').first().waitFor();
  await open(`/s/${encodeURIComponent(session)}/changes?path=${encodeURIComponent('a%20b.txt')}`);
  await page.getByText('found').first().waitFor();
  await page.getByLabel('Search names, notes and prompts').fill('%41');
  await page.keyboard.press('Enter');
  await page.getByText('Write what is named').first().waitFor();
  expect(await page.getByLabel('Words').inputValue()).toBe('%41');
});

browserTest('[UI-4] an address that can not be read is told from one that nothing is at, and leads on', async () => {
  const visiting = await visit(webScene());
  const { page, url, open } = visiting;
  await open('/nothing-here');
  await page.getByText('There is nothing at this address').waitFor();
  // A workspace that nobody has, and a path that is no text.
  await page.goto(`${url}/w/%25`);
  await page.getByRole('alert').first().waitFor();
  await page.goto(`${url}/w/%ff`);
  await page.getByText('This address can not be read').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'unreadable-address');
  await page.getByRole('link', { name: 'Look at the sessions' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
});

browserTest('[UI-4] while another session is read, nothing of the one before stands in its place', async () => {
  const at = webScene();
  for (const session of ['one', 'two']) {
    const prompt = `Prompt of session ${session}`;
    const fields = { hook_event_name: 'UserPromptSubmit', session_id: session, cwd: at.workspace, prompt, prompt_id: session };
    await tellDaemon(at, JSON.stringify(fields));
  }
  const { page, open, at: address } = await visit(at);
  await open('/s/one');
  const rows = page.getByRole('region', { name: /^(Timeline|Conversation)$/ });
  await rows.getByText('Prompt of session one').first().waitFor();
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/api/sessions/two/**', (route) => held.then(() => route.continue()));
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address('/s/two'))})`);
  await rows.getByText('Reading the timeline …').waitFor();
  expect(await rows.getByText('Prompt of session one').count()).toBe(0);
  goOn();
  await rows.getByText('Prompt of session two').first().waitFor();
});
