import { expect } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene } from '../support/scene.ts';
import { sample } from '../support/tier.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, count, picture, webScene } from './browser.ts';
import { buttonIn, dialogOf, opened, planned, read, toastOf, wantRollback } from './plan-scenes.ts';

const FILES = sample(2000, 5000);
const FOLDERS = 50;
/** Those that are new. */
const NEW = 100;
/** Of one folder, without those. */
const IN_FOLDER = (FILES - NEW) / FOLDERS;

const pathOf = (number: number): string => `d${number % FOLDERS}/file-${number}.txt`;

/** A checkpoint of thousands of files, all of which changed since; the last of them is new. */
const changed = (): { at: Scene; checkpoint: string } => {
  const at = webScene();
  const fill = (word: string, count: number): void => {
    for (let number = 0; number < count; number++) put(at.workspace, pathOf(number), `${word} ${number}\n`);
  };
  fill('before', FILES - NEW);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'all');
  fill('after', FILES);
  return { at, checkpoint: id };
};

browserTest(`[UI-4] a plan of ${count(FILES)} files stays fluid: few rows are drawn, filtered and chosen from`, async () => {
  const { at, checkpoint } = changed();
  const visiting = await opened({ at });
  const { page } = visiting;
  const dialog = dialogOf(page);
  await wantRollback(visiting, { session: 'local', checkpoint });
  await buttonIn(page, `Roll back ${count(FILES)} files`).waitFor();
  const list = dialog.getByRole('region', { name: 'Changes' });
  const rows = list.getByRole('listitem');
  expect(await rows.count()).toBeLessThan(60);
  await expectAccessible(page);
  await picture(visiting, 'rollback-dialog-5000');
  // From one end to the other, and what is there is what is to be seen there.
  const scroller = list.locator('ul').locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await list.getByText(`file-${FILES - 1}.txt`).waitFor();
  expect(await rows.count()).toBeLessThan(60);
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await list.getByRole('button', { name: /^Restore/ }).click();
  await list.getByText(`file-${FILES - NEW}.txt`).waitFor();
  await list.getByRole('button', { name: /^Restore/ }).click();
  const filter = dialog.getByRole('searchbox', { name: 'Filter by path' });
  // Some of every folder: more names than one request takes.
  await filter.fill('file-1');
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).uncheck();
  await dialog.getByText('These are too many single files for one plan').waitFor();
  expect(await buttonIn(page, /^Roll back/).isDisabled()).toBe(true);
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).check();
  await buttonIn(page, `Roll back ${count(FILES)} files`).waitFor();
  await filter.fill('d7/');
  await list.getByRole('button', { name: `Restore ${IN_FOLDER} files` }).waitFor();
  await list.getByRole('checkbox', { name: 'Restore: all that are listed' }).uncheck();
  await buttonIn(page, `Roll back ${count(FILES - IN_FOLDER)} files`).waitFor();
  await filter.fill('d7/file-7.txt');
  await list.getByRole('checkbox', { name: 'd7/file-7.txt' }).check();
  await buttonIn(page, `Roll back ${count(FILES - IN_FOLDER + 1)} files`).waitFor();
  await planned(page);
  await buttonIn(page, `Roll back ${count(FILES - IN_FOLDER + 1)} files`).click();
  await toastOf(page)
    .getByText(`Rolled back: ${count(FILES - NEW - IN_FOLDER + 1)} files restored, ${NEW} deleted`)
    .waitFor();
  expect(['d7/file-7.txt', 'd7/file-57.txt', 'd8/file-8.txt', pathOf(FILES - 1)].map((path) => read(at, path))).toEqual([
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
  const held = Promise.withResolvers<void>();
  await page.route('**/rollback?**', (route) => held.promise.then(() => route.continue()));
  await buttonIn(page, `Roll back ${count(FILES)} files`).click();
  await dialog.getByRole('progressbar').waitFor();
  for (let turn = 0; turn < 3; turn++) await page.keyboard.press('Escape');
  await expectAccessible(page);
  await picture(visiting, 'rollback-progress');
  expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  const done = toastOf(page).getByText('Rolled back').waitFor();
  const takenBack = dialog.getByText('Ended before it was done; everything was taken back').waitFor();
  // As soon as it writes; it may also be too late for that.
  const cancelled = dialog
    .getByText(/ of \d,\d+ changes made/)
    .waitFor()
    .then(() => buttonIn(page, 'Cancel').click());
  for (const one of [done, takenBack, cancelled]) one.catch(() => {});
  held.resolve();
  const outcome = await Promise.race([takenBack.then(() => 'taken back'), done.then(() => 'done')]);
  const [last] = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  if (outcome === 'taken back') {
    expect(last.outcome).toBe('taken-back');
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await planned(page);
    await picture(visiting, 'rollback-cancelled');
    await page.unroute('**/rollback?**');
    await buttonIn(page, `Roll back ${count(FILES)} files`).click();
    await toastOf(page)
      .getByText(`Rolled back: ${count(FILES - NEW)} files restored, ${NEW} deleted`)
      .waitFor();
  } else expect(last.outcome).toBe('complete');
  expect(read(at, 'd0/file-0.txt')).toBe('before 0\n');
  // So does an undo that takes a while.
  const looked = Promise.withResolvers<void>();
  await page.route('**/undo?**', (route) => looked.promise.then(() => route.continue()));
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog', { name: 'Undo' }).getByText('Taking it back …').waitFor();
  looked.resolve();
  await toastOf(page).getByText('Undone').waitFor();
  expect(observeWorkspace(at.workspace)).toEqual(before);
});
