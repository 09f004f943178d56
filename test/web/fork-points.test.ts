import { expect } from 'vitest';
import { branchNamed, forked, forksOf } from '../forks/forked.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, visit, webScene } from './browser.ts';

browserTest('[FRK-2] fork points are marked in timeline, turns and checkpoint, and shown alone', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const { page, open } = await visit(at);
  await open(`/s/${session.id}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const rows = timeline.locator('[data-checkpoint]');
  await rows.first().waitFor();
  const all = await rows.count();
  await page
    .getByRole('article')
    .getByText(/^fork, \d ways$/)
    .first()
    .waitFor();
  await timeline.getByRole('button', { name: 'Fork points' }).click();
  await expect.poll(() => rows.count()).toBeLessThan(all);
  const shown = await rows.allTextContents();
  expect(shown.length).toBeGreaterThan(0);
  for (const row of shown) expect(row).toMatch(/fork, \d ways/);
  await expectAccessible(page);
  await rows.first().click();
  await page
    .getByRole('region', { name: 'Checkpoint', exact: true })
    .getByText(/^fork, \d ways$/)
    .waitFor();
  await timeline.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => rows.count()).toBe(all);
});

browserTest('[RST-7] the history is filtered by session and by what it went back to', async () => {
  const at = webScene();
  const { session } = await forked(at);
  at.retake.json(at.workspace, 'switch', branchNamed(forksOf(at).tree, 'left').branch, '--yes');
  const told = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  const { page, open } = await visit(at);
  await open('/rollbacks');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(told.length);
  const level = page.getByRole('combobox', { name: 'What it went back to' });
  for (const one of ['session', 'fork', 'step']) {
    await level.selectOption(one);
    await expect.poll(() => rows.count()).toBe(told.filter((entry: { level: string }) => entry.level === one).length);
  }
  await level.selectOption('');
  await page.getByRole('combobox', { name: 'Session' }).selectOption(session.id);
  await expect.poll(() => rows.count()).toBe(told.filter((entry: { sessions: string[] }) => entry.sessions.includes(session.id)).length);
  await expectAccessible(page);
});
