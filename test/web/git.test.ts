import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { addToLog, commitFile, dropEntries, head, lineText, logFile, secondsAgo } from '../reflog/support.ts';
import { gitIn } from '../support/git.ts';
import { gitState, put, type Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';

const entries = (page: Page) => page.getByRole('list', { name: 'Reflog' }).getByRole('listitem');
const entry = (page: Page, words: string) => entries(page).filter({ hasText: words });

/** A repository with three commits, the last of them left behind, and a session that was at work then. */
const resetIn = async (at: Scene) => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Make commits');
  const [one, two, three] = ['one', 'two', 'three'].map((name) => commitFile(at.workspace, name)) as [string, string, string];
  gitIn(at.workspace, 'reset', '-q', '--hard', 'HEAD~1');
  await session.answer('done');
  return { session, one, two, three };
};

browserTest('[GIT-7] the reflog: where git has been, searched, with what can be brought back and until when', async () => {
  const at = webScene();
  const { session, three } = await resetIn(at);
  const before = gitState(join(at.workspace, '.git'));
  const visiting = await visit(at, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, open } = visiting;
  await open('/git');
  await entry(page, 'three').first().waitFor();
  const { entries: listed, total } = at.retake.json(at.workspace, 'reflog');
  expect(await entries(page).count()).toBe(total);
  expect(listed).toHaveLength(total);
  await page.getByText(`${total} in 2 logs`).waitFor();
  const told = (await entry(page, 'main@{1}').textContent()) ?? '';
  for (const words of ['three', 'commit', three.slice(0, 8), `session ${session.id.slice(0, 8)}`, 'unreachable', 'expires in'])
    expect(told).toContain(words);
  expect(await entry(page, 'main@{2}').textContent()).not.toContain('unreachable');
  await expectAccessible(page);
  await picture(visiting, 'reflog');
  await entry(page, 'main@{1}').getByRole('button', { name: 'Copy the id' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(three);
  expect(await entry(page, 'main@{1}').getByRole('link', { name: 'session' }).getAttribute('href')).toContain(`/s/${session.id}`);

  await page.getByLabel('Search', { exact: true }).fill('commit THREE');
  await page.getByText('2 entries found').waitFor();
  expect(await entries(page).count()).toBe(2);
  await page.waitForURL('**/git?q=commit+THREE');
  await page.reload();
  await page.getByText('2 entries found').waitFor();
  await page.getByLabel('Search', { exact: true }).fill('nothing like it');
  await page.getByText('No entry is like that').waitFor();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await entry(page, 'main@{0}').waitFor();
  await page.getByLabel('While at work').selectOption(session.id);
  await page.waitForURL(`**/git?session=${session.id}`);
  await page.getByLabel('While at work').selectOption('');
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);

  // What git does since, nobody tells: it is seen by who comes back.
  gitIn(at.workspace, 'branch', '-q', 'later', three);
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await entry(page, 'later@{0}').waitFor();
});

browserTest('[GIT-7] a commit that is gone is told to be, and not to be brought back', async () => {
  const at = webScene();
  await resetIn(at);
  const gone = '1234567890'.repeat(4);
  addToLog(at.workspace, 'refs/heads/main', lineText({ from: head(at.workspace), to: gone, at: secondsAgo(5), note: 'commit: lost' }));
  const { page, open } = await visit(at);
  await open('/git');
  const lost = entry(page, 'lost');
  await lost.getByText('gone').waitFor();
  expect(await lost.getByRole('button', { name: 'Bring back' }).isDisabled()).toBe(true);
});

browserTest('[UI-4] a reflog of thousands of entries is read as it is looked at, and walked through by keys', async () => {
  const at = webScene();
  const { one, two } = await resetIn(at);
  const lines = Array.from({ length: 3000 }, (_, at) =>
    lineText({ from: one, to: two, at: secondsAgo(9000 - at), note: `checkout: number ${at}` }),
  );
  addToLog(at.workspace, 'HEAD', lines.join(''));
  const { page, open } = await visit(at);
  await open('/git');
  await entry(page, 'three').first().waitFor();
  expect(await entries(page).count()).toBeLessThan(60);
  await page.evaluate("document.getElementById('main').scrollTo(0, 1e7)");
  await entry(page, 'number 2900').waitFor();
  expect(await entries(page).count()).toBeLessThan(60);
  await page.evaluate("document.getElementById('main').scrollTo(0, 0)");
  await entry(page, 'three').first().waitFor();
  for (let step = 0; step < 40; step++) await page.keyboard.press('j');
  const inRow = "document.activeElement.closest('li')?.getAttribute('aria-posinset')";
  await expect.poll(() => page.evaluate(inRow)).toBe('40');
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate(inRow)).toBe('39');
});

browserTest('[GIT-7] [PRF-9] health: a verdict with its reasons, the command that mends it, and how long things took', async () => {
  const at = webScene();
  await resetIn(at);
  gitIn(at.workspace, 'config', 'gc.reflogExpire', '1.day');
  for (const content of ['a', 'b']) {
    put(at.workspace, 'file', content);
    at.retake.json(at.workspace, 'checkpoint');
  }
  at.retake.json(at.workspace, 'check');
  at.retake.json(at.workspace, 'gc');
  const visiting = await visit(at, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, open } = visiting;
  await open('/git');
  await page.getByRole('radio', { name: 'Health: critical' }).check();
  await page.waitForURL('**/git?show=health');
  const git = page.getByRole('region', { name: 'Your git' });
  await git.getByText('critical', { exact: true }).waitFor();
  const { git: told } = at.retake.json(at.workspace, 'health');
  for (const { reason, command } of told.concerns) {
    await git.getByText(reason).waitFor();
    await git.getByText(command, { exact: true }).waitFor();
  }
  await git.getByRole('button', { name: 'Copy the command that mends it' }).first().click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(told.concerns[0].command);
  const store = page.getByRole('region', { name: 'The store' });
  await store.getByText('good', { exact: true }).waitFor();
  expect(await store.textContent()).toMatch(/Size.*B in \d+ files.*Packed last(just now|\d+ minutes? ago).*Checked last.*all is well/);
  const times = page.getByRole('table');
  // How long things took is written down when there is time for that.
  const lookAgain = async (): Promise<number> => {
    await page.getByRole('button', { name: 'Look again' }).click();
    return times.getByRole('rowheader', { name: 'checkpoint' }).count();
  };
  await expect.poll(lookAgain).toBe(1);
  expect(await times.getByRole('row').filter({ hasText: 'checkpoint' }).textContent()).toMatch(/^checkpoint\d+.*m?s.*100 ms/);
  await expectAccessible(page);
  await picture(visiting, 'health', { fullPage: true });
  // Mended, as it says.
  gitIn(at.workspace, ...(told.concerns[0].command as string).split(' ').slice(1));
  await page.getByRole('button', { name: 'Look again' }).click();
  await git.getByText('critical', { exact: true }).waitFor({ state: 'detached' });
});

browserTest('[UI-4] without a repository, and where nothing is recorded, that is said', async () => {
  const at = webScene();
  const visiting = await visit(at, { viewport: NARROW });
  const { page, open } = visiting;
  await open('/git');
  await page.getByText('There is no git repository here').waitFor();
  await expectAccessible(page);
  // Asked again, it goes on being said until the answer is there.
  const isAsked = Promise.withResolvers<void>();
  const isAnswered = Promise.withResolvers<void>();
  await page.route('**/api/reflog?*', async (route) => {
    isAsked.resolve();
    await isAnswered.promise;
    await route.continue();
  });
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await isAsked.promise;
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  expect(await page.getByLabel('Search', { exact: true }).count()).toBe(0);
  expect(await page.getByText('There is no git repository here').count()).toBe(1);
  isAnswered.resolve();
  await open('/git?show=health');
  await page.getByText('There is no git repository here. Retake needs none.').waitFor();
  await page.getByText('Nothing is recorded here yet.').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'health-empty');
});

browserTest('[GIT-7] what a commit of the reflog changed is shown line by line', async () => {
  const at = webScene();
  const { three } = await resetIn(at);
  const { page, open } = await visit(at);
  await open('/git');
  await entry(page, 'main@{1}').getByRole('link', { name: 'Changes' }).click();
  await page.waitForURL(`**/commit/${three}`);
  await page.getByRole('heading', { name: 'What a commit changed' }).waitFor();
  await page.getByText(`commit ${three.slice(0, 8)}`).waitFor();
  await page.getByText('three', { exact: true }).first().waitFor();
  await expectAccessible(page);
});

browserTest('[GIT-7] health is fixed, and lost entries come back, when what would change was shown and confirmed', async () => {
  const at = webScene();
  await resetIn(at);
  const log = logFile(at.workspace, 'HEAD');
  const whole = readFileSync(log, 'latin1');
  await new PlayedSession(at).start();
  gitIn(at.workspace, 'config', 'gc.reflogExpire', '1.day');
  const before = gitState(join(at.workspace, '.git'));
  const { page, open } = await visit(at);
  await open('/git?show=health');
  await page.getByRole('button', { name: 'Fix …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1.day → 180.days').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);
  await page.getByRole('button', { name: 'Fix …' }).click();
  await dialog.getByRole('button', { name: 'Set them' }).click();
  await page.getByText('git keeps its reflogs longer now.').waitFor();
  expect(gitIn(at.workspace, 'config', 'gc.reflogExpire').trim()).toBe('180.days');

  dropEntries(at.workspace);
  await page.getByRole('radio', { name: 'Reflog' }).check();
  await page.getByRole('button', { name: 'Restore lost entries …' }).click();
  await dialog.getByRole('list', { name: 'What comes back' }).getByText('refs/heads/main').first().waitFor();
  expect(readFileSync(log, 'latin1')).toBe('');
  await dialog.getByRole('button', { name: 'Put them back' }).click();
  await page.getByText('entries came back.').waitFor();
  expect(readFileSync(log, 'latin1')).toBe(whole);
});
