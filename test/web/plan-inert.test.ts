import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { put } from '../support/scene.ts';
import { browserTest, webScene } from './browser.ts';
import { buttonIn, changesIn, dialogOf, eventually, opened, type Played, planned, read, wantRollback, write } from './plan-scenes.ts';

const SCRIPT = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';
const NAME = '<b>bold</b> \u001b[31mred\u202etxt.exe';

browserTest('[SEC] names, prompts, notes and lines are text wherever plans show them', async () => {
  const at = webScene();
  put(at.workspace, 'a.txt', 'a\n');
  put(at.workspace, NAME, `${SCRIPT}\n`);
  const session = new PlayedSession(at);
  const played: Played = { at, session };
  await session.start();
  await session.prompt(`${SCRIPT}\nmore`);
  await write(played, NAME, `${SCRIPT}${SCRIPT}\n`);
  await session.answer('Done.');
  at.retake.json(
    at.workspace,
    'note',
    at.retake.json(at.workspace, 'log').operations.find(({ kind }: { kind: string }) => kind === 'prompt').id,
    SCRIPT,
  );
  put(at.workspace, NAME, `${SCRIPT}, mine\n`);
  const visiting = await opened(played);
  const { page } = visiting;
  const dialog = dialogOf(page);
  await wantRollback(visiting, { session: session.id, checkpoint: 't1' });
  // Their edits stay, which is in conflict here.
  await dialog.getByRole('article').waitFor();
  await dialog.getByRole('checkbox', { name: 'Keep my edits' }).uncheck();
  await planned(page);
  await eventually(async () => (await changesIn(page))[1] ?? '').toContain('<b>bold</b> ␛[31mred\ufffdtxt.exe');
  await buttonIn(page, /^Look at/).click();
  await dialog.locator('pre').waitFor();
  await dialog.getByRole('checkbox', { name: 'Keep my edits' }).check();
  await dialog.getByRole('article').waitFor();
  await dialog.getByRole('checkbox', { name: 'Keep my edits' }).uncheck();
  await planned(page);
  await dialog.getByRole('radio', { name: 'Both' }).check();
  await buttonIn(page, 'Roll back 1 file and the conversation').click();
  await page.getByRole('dialog', { name: 'Done' }).waitFor();
  expect(await dialog.locator('img, script, b').count()).toBe(0);
  expect(await page.title()).toBe('Rollback history · Retake');
  expect(read(at, NAME)).toBe(`${SCRIPT}\n`);
});
