import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { branchNamed, forked, forksOf, text } from '../forks/forked.ts';
import type { Scene } from '../support/scene.ts';
import { browserTest, picture, type Visit, visit, webScene } from './browser.ts';

const files = (at: Scene) => ['shared.txt', 'left.txt', 'right.txt'].map((path) => text(at, path));
const START = ['one\ntwo\nthree\n', undefined, undefined];
const LEFT = ['one\nleft\nthree\n', 'left\n', undefined];
const RIGHT = ['one\nright\nthree\n', undefined, 'right\n'];

const story = async () => {
  const at = webScene();
  const { session } = await forked(at);
  const { tree, forks } = forksOf(at);
  const visiting = await visit(at);
  await visiting.open(`/s/${session.id}/forks`);
  const [left, right] = ['left', 'right'].map((title): string => branchNamed(tree, title).branch);
  return { at, session, visiting, page: visiting.page, left, right, fork: forks[0] };
};

/** Does something that has a plan shown, and tells what was asked for then. */
const asked = async (page: Page, path: string, act: () => Promise<void>): Promise<unknown> => {
  const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'POST' && one.url().includes(path)), act()]);
  return request.postDataJSON();
};

const chooses = (page: Page, title: RegExp): Promise<void> => page.getByRole('treeitem', { name: title }).click();
const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click();

/** Carries out the plan that is shown; tells what was sent. */
const apply = async ({ page }: Visit, path: string, action: RegExp): Promise<unknown> => {
  const button = page.locator('dialog[open]').getByRole('button', { name: action });
  await expect.poll(() => button.isEnabled()).toBe(true);
  return asked(page, path, () => button.click());
};

browserTest('[FRK-6] the branch that is chosen is switched to as its plan shows it, and the last of it can be undone', async () => {
  const { at, session, visiting, page, left } = await story();
  await chooses(page, /left/);
  const path = `/api/sessions/${session.id}/switch`;
  expect(await asked(page, path, () => press(page, 'Switch to it'))).toEqual({ branch: left, dryRun: true });
  await picture(visiting, 'forks-switch');
  expect(files(at)).toEqual(RIGHT);
  expect(await apply(visiting, path, /^Switch/)).toMatchObject({ branch: left, expectedTree: expect.any(String) });
  const done = page.getByRole('dialog', { name: 'Done' });
  await done.getByText('--resume').waitFor();
  expect(files(at)).toEqual(LEFT);
  await done.getByText('You are on “left” now').waitFor();
  await done.getByRole('button', { name: 'Close', exact: true }).last().click();
  const here = page.getByRole('treeitem', { name: /You are here/ });
  await expect.poll(() => here.textContent()).toContain('left');
  await press(page, 'Undo the last switch');
  await expect.poll(() => files(at)).toEqual(RIGHT);
  const redo = page.getByRole('button', { name: 'Take the last undo back', includeHidden: true });
  await redo.waitFor({ state: 'attached' });
  // What takes an undo back is a redo, and its undo is one.
  await page.reload();
  await redo.click();
  await page.getByText('Redone: ').first().waitFor();
  expect(files(at)).toEqual(LEFT);
  await page.getByRole('button', { name: 'Undo the last redo', includeHidden: true }).waitFor({ state: 'attached' });
});

browserTest('[FRK-6] back to the fork point, with the scope that is chosen', async () => {
  const { at, session, visiting, page, fork } = await story();
  await chooses(page, /left/);
  await page.getByRole('radio', { name: 'Both' }).check();
  const path = `/api/sessions/${session.id}/rollback-to-fork`;
  const proposed = await asked(page, path, () => press(page, 'Roll back to its fork point'));
  expect(proposed).toEqual({ fork: fork.id, scope: 'both', dryRun: true });
  await apply(visiting, path, /^Roll back/);
  await expect.poll(() => files(at)).toEqual(START);
  await page.getByRole('dialog', { name: 'Done' }).getByText('--resume').waitFor();
  expect(at.retake.json(at.workspace, 'rollbacks').rollbacks[0]).toMatchObject({ type: 'rollback', scope: 'both' });
});

browserTest('[FRK-6] [RST-9] merging from the tree and from the comparison: what both changed waits for a choice', async () => {
  const { at, session, visiting, page, left, right } = await story();
  await chooses(page, /left/);
  const wanted = { a: right, b: left, onConflict: 'abort', resolve: [], dryRun: true };
  expect(await asked(page, '/api/forks/merge', () => press(page, 'Merge into “right”'))).toEqual(wanted);
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('shared.txt').first().waitFor();
  await page.keyboard.press('Escape');
  await visiting.open(`/s/${session.id}/compare/${right}/${left}`);
  expect(await asked(page, '/api/forks/merge', () => press(page, /^Merge “left” into “right”/))).toEqual(wanted);
  await dialog.getByText('shared.txt').first().waitFor();
  await picture(visiting, 'compare-merge');
  expect(files(at)).toEqual(RIGHT);
  await dialog.getByRole('radio', { name: 'Left' }).check();
  const sent = await apply(visiting, '/api/forks/merge', /^Merge/);
  expect(sent).toMatchObject({ a: right, b: left, resolve: [{ path: 'shared.txt', choice: 'theirs' }] });
  await expect.poll(() => files(at)).toEqual(['one\nleft\nthree\n', 'left\n', 'right\n']);
});

browserTest('[UI-4] s switches to the branch that keys are at', async () => {
  const { page, session, left } = await story();
  await page.getByRole('treeitem', { name: /left/ }).focus();
  const proposed = await asked(page, `/api/sessions/${session.id}/switch`, () => page.keyboard.press('s'));
  expect(proposed).toEqual({ branch: left, dryRun: true });
});
