import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import {
  buttonIn,
  callPlans,
  dialogOf,
  eventually,
  expectNoOverflow,
  opened,
  type Played,
  planned,
  read,
  text,
  toastOf,
  twoTurns,
  write,
} from './plan-scenes.ts';

const git = (at: Scene, ...args: string[]): string => gitIn(at.workspace, ...args).trim();

const repository = (at: Scene): void => {
  git(at, 'init', '-q', '-b', 'main');
  git(at, 'config', 'user.name', 'Somebody');
  git(at, 'config', 'user.email', 'somebody@example.invalid');
  put(at.workspace, '.gitignore', 'secret\n');
  commitAll(at.workspace, 'begin');
};

/** An ended session in a repository, with an edit of the person's. */
const ended = async (): Promise<Played> => {
  const played = await twoTurns(repository);
  const { at, session } = played;
  await session.prompt('A secret');
  await write(played, 'secret', 'key\n');
  await write(played, 'more.txt', 'more\n');
  await session.answer('Kept it.');
  put(at.workspace, 'mine.txt', 'more of mine\n');
  await session.end();
  return played;
};

browserTest('[GIT-3] [GIT-4] a session that ended is kept: its commits are shown, then made as shown', async () => {
  const { at } = await ended();
  git(at, 'add', 'new.txt');
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open();
  const dialog = dialogOf(page);
  const section = page.getByRole('region', { name: 'A session has ended' });
  await section.getByRole('button', { name: 'Keep' }).click();
  await dialog.getByRole('article', { name: 'Begin' }).waitFor();
  await planned(page);
  expect(await buttonIn(page, 'Cancel').evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
  const shown = (await dialog.textContent()) ?? '';
  for (const words of [
    'main',
    'turns 1, 2, 3',
    '4 files',
    'more.txt',
    '1 path left out',
    'secret',
    '1 file that you have staged stays as staged',
  ])
    expect(shown).toContain(words);
  await expectAccessible(page);
  await picture(visiting, 'keep-dialog');
  await page.setViewportSize(NARROW);
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByText('The whole message').first().click();
  await dialog.locator('pre').getByText('Agent: Claude Code').first().waitFor();

  await dialog.getByRole('radio', { name: 'One per turn' }).check();
  await buttonIn(page, 'Make 3 commits').waitFor();
  await dialog.getByRole('checkbox', { name: 'Push afterwards' }).check();
  await dialog.getByText('There is no remote that main could be pushed to').waitFor();
  expect(await buttonIn(page, /^(Keep|Make)/).isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'Push afterwards' }).uncheck();
  await planned(page);
  // Something is committed meanwhile: not what was shown.
  git(at, 'commit', '-qm', 'mine', '--only', 'mine.txt');
  await buttonIn(page, 'Make 3 commits').click();
  await dialog.getByText('changed since this plan was made').waitFor();
  expect(git(at, 'log', '--format=%s').split('\n')).toEqual(['mine', 'begin']);
  await planned(page);
  await buttonIn(page, 'Make 3 commits').click();
  await toastOf(page).getByText('Kept: 3 commits on main').waitFor();
  expect(git(at, 'log', '--reverse', '--format=%s').split('\n')).toEqual(['begin', 'mine', 'Begin', 'Go on', 'A secret']);
  expect(git(at, 'show', '--stat', '--format=', 'HEAD')).not.toContain('secret');
  expect([read(at, 'secret'), read(at, 'mine.txt')]).toEqual(['key\n', 'more of mine\n']);
  await page.getByText('kept', { exact: true }).first().waitFor();
  expect(await section.count()).toBe(0);
});

browserTest('[GIT-3] what can not be kept is refused with what to do about it, and a hook that says no is heard', async () => {
  const played = await ended();
  const { at, session } = played;
  const { page } = await opened(played);
  const dialog = dialogOf(page);
  const before = git(at, 'rev-parse', 'HEAD');
  put(at.workspace, '.git/hooks/pre-commit', '#!/bin/sh\necho "not like this" >&2\nexit 1\n', 0o755);
  await callPlans(page, 'keep', session.id);
  await planned(page);
  await dialog.getByRole('checkbox', { name: 'With my edits' }).check();
  await dialog.getByRole('article', { name: 'Begin' }).getByText('mine.txt').waitFor();
  await planned(page);
  await buttonIn(page, 'Make 1 commit').click();
  await dialog.locator('pre').getByText('not like this').waitFor();
  expect(git(at, 'rev-parse', 'HEAD')).toBe(before);
  await buttonIn(page, 'Cancel').click();
  put(at.workspace, '.git/hooks/pre-commit', '#!/bin/sh\n', 0o755);
  put(at.workspace, '.git/MERGE_HEAD', `${before}\n`);
  await callPlans(page, 'keep', session.id);
  await dialog.getByText('A merge is under way in the repository').waitFor();
  await dialog.getByText('Finish it or give it up first').waitFor();
  expect(await buttonIn(page, /^Keep$/).isDisabled()).toBe(true);
  await expectAccessible(page);
  await buttonIn(page, 'Cancel').click();
  git(at, 'merge', '--quit');
  const remote = temporaryDirectory();
  gitIn(remote, 'init', '-q', '--bare');
  git(at, 'remote', 'add', 'origin', remote);
  await callPlans(page, 'keep', session.id);
  await dialog.getByRole('checkbox', { name: 'Push afterwards' }).check();
  await buttonIn(page, 'Make and push 1 commit').click();
  await toastOf(page).getByText('Kept: 1 commit on main, pushed to origin').waitFor();
  expect(gitIn(remote, 'rev-parse', 'main').trim()).toBe(git(at, 'rev-parse', 'HEAD'));
  expect(git(at, 'rev-parse', 'HEAD~1')).toBe(before);
  await callPlans(page, 'keep', session.id);
  await dialog.getByText('There is nothing of session').waitFor();
});

browserTest('[GIT-4] a session is discarded by a plan: its work goes, the person’s own stays unless they say otherwise', async () => {
  const at = webScene();
  put(at.workspace, 'a.txt', text());
  put(at.workspace, 'mine.txt', 'mine\n');
  const session = new PlayedSession(at);
  const played = { at, session };
  await session.start();
  await session.prompt('Change it');
  await write(played, 'a.txt', text({ 4: 'agent' }));
  await write(played, 'new.txt', 'new\n');
  await session.answer('Done.');
  put(at.workspace, 'a.txt', text({ 4: 'agent', 9: 'mine' }));
  put(at.workspace, 'mine.txt', 'more of mine\n');
  await session.end();
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open();
  const dialog = dialogOf(page);
  const section = page.getByRole('region', { name: 'A session has ended' });
  await section.getByRole('button', { name: 'Keep' }).click();
  await dialog.getByText('no git repository', { exact: false }).first().waitFor();
  await buttonIn(page, 'Cancel').click();
  await section.getByRole('button', { name: 'Discard' }).click();
  await buttonIn(page, 'Discard: roll back 2 files').waitFor();
  await planned(page);
  await expectAccessible(page);
  await picture(visiting, 'discard-dialog');
  await dialog.getByRole('checkbox', { name: 'Everything since its start' }).check();
  await buttonIn(page, 'Discard: roll back 3 files').waitFor();
  await dialog.getByRole('checkbox', { name: 'Everything since its start' }).uncheck();
  await buttonIn(page, 'Discard: roll back 2 files').waitFor();
  await planned(page);
  await buttonIn(page, 'Discard: roll back 2 files').click();
  await toastOf(page).getByText('Discarded: 1 file restored, 1 deleted').waitFor();
  expect([read(at, 'a.txt'), read(at, 'new.txt'), read(at, 'mine.txt')]).toEqual([text({ 9: 'mine' }), undefined, 'more of mine\n']);
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await toastOf(page).getByText('Undone').waitFor();
  expect(read(at, 'a.txt')).toBe(text({ 4: 'agent', 9: 'mine' }));
});

browserTest('[RST-9] a plan of another view: shown, decided, carried out, said and undone by the same dialog', async () => {
  const played = await twoTurns();
  const { at } = played;
  const step = at.retake
    .json(at.workspace, 'log')
    .operations.find(
      ({ kind, description }: { kind: string; description: string }) => kind === 'after-step' && description.includes('a.txt'),
    );
  put(at.workspace, 'a.txt', text({ 0: 'ONE', 4: 'agent, and I' }));
  const visiting = await opened(played);
  const { page } = visiting;
  const dialog = dialogOf(page);
  await callPlans(page, 'runPlan', { title: 'Revert a step', action: 'Revert it', post: `/api/commits/${step.id}/revert` });
  await dialog.getByRole('article', { name: 'a.txt' }).waitFor();
  expect(await dialog.textContent()).toContain(step.description);
  expect(await buttonIn(page, 'Revert it').isDisabled()).toBe(true);
  await expectAccessible(page);
  await picture(visiting, 'plan-dialog-revert');
  await dialog.getByRole('radio', { name: /^Without/ }).check();
  await eventually(() => buttonIn(page, 'Revert it').isEnabled()).toBe(true);
  await buttonIn(page, 'Revert it').click();
  await toastOf(page).getByText('Said: 1 restored, 0 deleted').waitFor();
  expect(read(at, 'a.txt')).toBe(text({ 0: 'ONE' }));
  expect(await page.evaluate(() => (globalThis as unknown as { doneWith: string }).doneWith)).toMatch(/^[0-9a-f]{40}$/);
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await eventually(() => read(at, 'a.txt')).toBe(text({ 0: 'ONE', 4: 'agent, and I' }));
});
