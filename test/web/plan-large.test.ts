import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, webScene } from './browser.ts';
import { buttonIn, dialogOf, opened, planned, read, toastOf, wantRollback } from './plan-scenes.ts';

const FILES = 5000;
const FOLDERS = 50;

const pathOf = (number: number): string => `d${number % FOLDERS}/file-${number}.txt`;

/** A checkpoint of thousands of files, all of which changed since; the last of them is new. */
const changed = (): { at: Scene; checkpoint: string } => {
  const at = webScene();
  const fill = (word: string, count: number): void => {
    for (let number = 0; number < count; number++) put(at.workspace, pathOf(number), `${word} ${number}\n`);
  };
  fill('before', FILES - 100);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'all');
  fill('after', FILES);
  return { at, checkpoint: id };
};

browserTest('[UI-4] a plan of 5,000 files stays fluid: few rows are drawn, filtered and chosen from', async () => {
  const { at, checkpoint } = changed();
  const visiting = await opened({ at });
  const { page } = visiting;
  const dialog = dialogOf(page);
  await wantRollback(visiting, { session: 'local', checkpoint });
  await buttonIn(page, 'Roll back 5,000 files').waitFor();
  const list = dialog.getByRole('region', { name: 'Changes' });
  const rows = list.getByRole('listitem');
  expect(await rows.count()).toBeLessThan(60);
  await expectAccessible(page);
  await picture(visiting, 'rollback-dialog-5000');
  // From one end to the other, and what is there is what is to be seen there.
  const scroller = list.locator('ul').locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await list.getByText('file-4999.txt').waitFor();
  expect(await rows.count()).toBeLessThan(60);
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await list.getByRole('button', { name: /^Restore/ }).click();
  await list.getByText('file-4900.txt').waitFor();
  await list.getByRole('button', { name: /^Restore/ }).click();
  const filter = dialog.getByRole('searchbox', { name: 'Filter by path' });
  // Some of every folder: more names than one request takes.
  await filter.fill('file-1');
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).uncheck();
  await dialog.getByText('These are too many single files for one plan').waitFor();
  expect(await buttonIn(page, /^Roll back/).isDisabled()).toBe(true);
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).check();
  await buttonIn(page, 'Roll back 5,000 files').waitFor();
  await filter.fill('d7/');
  await list.getByRole('button', { name: 'Restore 98 files' }).waitFor();
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).uncheck();
  await buttonIn(page, 'Roll back 4,902 files').waitFor();
  await filter.fill('d7/file-7.txt');
  await list.getByRole('checkbox', { name: 'd7/file-7.txt' }).check();
  await buttonIn(page, 'Roll back 4,903 files').waitFor();
  await planned(page);
  await buttonIn(page, 'Roll back 4,903 files').click();
  await toastOf(page).getByText('Rolled back: 4,803 files restored, 100 deleted').waitFor({ timeout: 120_000 });
  expect(['d7/file-7.txt', 'd7/file-57.txt', 'd8/file-8.txt', pathOf(4999)].map((path) => read(at, path))).toEqual([
    'before 7\n',
    'after 57\n',
    'before 8\n',
    undefined,
  ]);
});

browserTest('[RST-4] a rollback under way tells how far it is, and is cancelled safely', async () => {
  const { at, checkpoint } = changed();
  const before = observeWorkspace(at.workspace);
  const visiting = await opened({ at });
  const { page } = visiting;
  const dialog = dialogOf(page);
  await wantRollback(visiting, { session: 'local', checkpoint });
  // Held for a moment on its way, so that there is something to see; Escape does not close what is under way.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rollback?**', async (route: Route) => {
    await held;
    await route.continue();
  });
  await buttonIn(page, 'Roll back 5,000 files').click();
  await dialog.getByRole('progressbar').waitFor();
  for (let turn = 0; turn < 3; turn++) await page.keyboard.press('Escape');
  await expectAccessible(page);
  await picture(visiting, 'rollback-progress');
  expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  const done = toastOf(page).getByText('Rolled back').waitFor();
  const takenBack = dialog.getByText('Ended before it was done; everything was taken back').waitFor();
  // As soon as it writes; it may also be too late for that.
  const cancelled = dialog
    .getByText(/ of 5,\d+ changes made/)
    .waitFor()
    .then(() => buttonIn(page, 'Cancel').click());
  for (const one of [done, takenBack, cancelled]) one.catch(() => {});
  release();
  const outcome = await Promise.race([takenBack.then(() => 'taken back'), done.then(() => 'done')]);
  const [last] = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  if (outcome === 'taken back') {
    expect(last.outcome).toBe('taken-back');
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await planned(page);
    await picture(visiting, 'rollback-cancelled');
    await page.unroute('**/rollback?**');
    await buttonIn(page, 'Roll back 5,000 files').click();
    await toastOf(page).getByText('Rolled back: 4,900 files restored, 100 deleted').waitFor({ timeout: 120_000 });
  } else expect(last.outcome).toBe('complete');
  expect(read(at, 'd0/file-0.txt')).toBe('before 0\n');
  // So does an undo that takes a while.
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog', { name: 'Undo' }).getByText('Taking it back …').waitFor();
  await toastOf(page).getByText('Undone').waitFor({ timeout: 120_000 });
  expect(observeWorkspace(at.workspace)).toEqual(before);
});
