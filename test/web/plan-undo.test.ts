import { join } from 'node:path';
import { expect } from 'vitest';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture } from './browser.ts';
import {
  AFTER,
  BEFORE,
  buttonIn,
  callPlans,
  changesIn,
  dialogOf,
  eventually,
  expectNoOverflow,
  opened,
  planned,
  read,
  toastOf,
  twoTurns,
} from './plan-scenes.ts';

browserTest('[RST-7] the history: every entry with what it was, live, filtered, undone and done again', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  const visiting = await opened(played);
  const { page } = visiting;
  await page.getByText('Nothing was rolled back yet').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'rollbacks-empty');

  const rewind = (...args: string[]) => at.retake.json(at.workspace, 'rewind', ...args, '--yes');
  rewind('t2', '--path', 'new.txt');
  const rows = page.getByRole('main').getByRole('listitem');
  await rows.first().waitFor();
  await rows
    .first()
    .getByRole('link', { name: /Rolled back to “Go on”/ })
    .waitFor();
  const { rollbackId, safetyCheckpoint, target } = rewind('t2', '--scope', 'both');
  await eventually(() => rows.count()).toBe(2);
  const newest = rows.first();
  const facts = (await newest.textContent()) ?? '';
  for (const words of ['rollback', 'code and conversation', '2 files', 'complete']) expect(facts).toContain(words);
  expect(await rows.nth(1).textContent()).toContain('onlynew.txt');
  const link = (name: RegExp | string) => newest.getByRole('link', { name }).getAttribute('href');
  const sessionPlace = new URL(visiting.place(`/s/${session.id}`)).pathname;
  await eventually(() => link(/the state before it/)).toBe(`${sessionPlace}/c/${safetyCheckpoint}`);
  expect(await link(/the state that it went to/)).toBe(`${sessionPlace}/c/${target}`);
  expect(await link('Compare these two')).toBe(`${sessionPlace}/diff/${safetyCheckpoint}/${target}`);
  expect(await link(/what it changed/)).toBe(`${sessionPlace}/step/${rollbackId}`);

  await newest.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog', { name: 'Done' }).getByRole('button', { name: 'Close' }).last().click();
  await eventually(() => rows.count()).toBe(3);
  expect(read(at, 'a.txt')).toBe(AFTER);
  await rows
    .first()
    .getByRole('link', { name: /Undone: Rolled back to “Go on”/ })
    .waitFor();
  expect(await rows.nth(1).textContent()).toMatch(/undone (just now|\d+ minutes? ago) by/);
  expect(await rows.nth(1).getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await rows.first().getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('dialog', { name: 'Done' }).getByRole('button', { name: 'Close' }).last().click();
  await rows
    .first()
    .getByRole('link', { name: /Redone: Rolled back to “Go on”/ })
    .waitFor();
  expect(read(at, 'a.txt')).toBe(BEFORE);
  await expectAccessible(page);
  await picture(visiting, 'rollbacks');
  await page.setViewportSize(NARROW);
  await expectNoOverflow(page);
  await picture(visiting, 'rollbacks-narrow');
  await page.setViewportSize({ width: 1440, height: 900 });

  const filter = page.getByRole('searchbox', { name: /Filter by path/ });
  await filter.fill('new.txt');
  await eventually(() => rows.count()).toBe(1);
  await filter.fill('nothing like it');
  await page.getByText('None of the entries fits').waitFor();
  await filter.fill('');
  await page.getByRole('radio', { name: 'Undone' }).check();
  // What was done again is in force: its undo alone is not.
  await eventually(() => rows.count()).toBe(1);
  await page.getByRole('radio', { name: 'All' }).check();

  await page.keyboard.press('j');
  expect(
    await rows
      .first()
      .getByRole('link')
      .first()
      .evaluate((element) => element.ownerDocument.activeElement === element),
  ).toBe(true);
  // Where it is now is where this leads: nothing is left to do.
  await rows.first().getByRole('button', { name: 'Go to' }).click();
  await page.getByRole('menuitem', { name: 'The state it went to' }).click();
  await dialogOf(page).getByText('Nothing would change').first().waitFor();
  await buttonIn(page, 'Cancel').click();
  await rows.first().getByRole('button', { name: 'Go to' }).click();
  await page.getByRole('menuitem', { name: 'The state before it' }).click();
  await planned(page);
  expect(await changesIn(page)).toContainEqual(expect.stringMatching(/^a\.txt/));
});

browserTest('[RST-7] an undo of what changed since is shown first, and carried out as shown', async () => {
  const played = await twoTurns();
  const { at } = played;
  const { rollbackId } = at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  put(at.workspace, 'a.txt', 'mine\n');
  const visiting = await opened(played);
  const { page } = visiting;
  await callPlans(page, 'undo', rollbackId);
  const dialog = dialogOf(page);
  await planned(page);
  await dialog.getByText('1 of these files changed after the rollback').waitFor();
  expect(read(at, 'a.txt')).toBe('mine\n');
  expect(await buttonIn(page, 'Cancel').evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
  await buttonIn(page, 'Look at a.txt').click();
  await dialog.locator('pre').getByText('− mine').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'undo-dialog');
  put(at.workspace, 'a.txt', 'mine too\n');
  await buttonIn(page, 'Undo 3 files').click();
  await dialog.getByText('The workspace changed since this plan was made').waitFor();
  expect(read(at, 'a.txt')).toBe('mine too\n');
  await planned(page);
  await buttonIn(page, 'Undo 3 files').click();
  await toastOf(page).getByText('Undone: 3 files restored').waitFor();
  expect([read(at, 'a.txt'), read(at, 'new.txt')]).toEqual([AFTER, 'new\n']);

  // What is undone already is not undone again, and it is said why.
  await callPlans(page, 'undo', rollbackId);
  await toastOf(page).getByText('is undone already').waitFor();
});

const inRepository = (at: Scene): void => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  commitAll(at.workspace);
  gitIn(at.workspace, 'config', 'user.name', 'Somebody');
  gitIn(at.workspace, 'config', 'user.email', 'somebody@example.invalid');
};

browserTest(
  '[RST-7] [GIT-5] an undo can be looked at first: until when it can be undone itself, and a branch of what is left, pushed',
  async () => {
    const played = await twoTurns(inRepository);
    const { at } = played;
    const remote = join(at.retake.home, 'remote.git');
    gitIn(at.workspace, 'init', '-q', '--bare', remote);
    gitIn(at.workspace, 'remote', 'add', 'origin', remote);
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    const { page } = await opened(played);
    await page.getByRole('button', { name: 'Look first' }).click();
    const dialog = dialogOf(page);
    await planned(page);
    await dialog.getByText(/^It can be undone until /).waitFor();
    await dialog.getByRole('checkbox', { name: 'Make a recovery branch' }).check();
    await dialog.getByRole('textbox', { name: 'Name of the branch' }).fill('kept/before');
    await dialog.getByRole('combobox', { name: 'Push it to' }).selectOption('origin');
    await expectAccessible(page);
    await buttonIn(page, 'Undo 3 files').click();
    const result = page.getByRole('dialog', { name: 'Done' });
    await result.getByText('It is pushed to origin').waitFor();
    expect(gitIn(remote, 'show', 'kept/before:a.txt')).toBe(BEFORE);
    expect(read(at, 'a.txt')).toBe(AFTER);
  },
);
