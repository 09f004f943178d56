import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { put } from '../support/scene.ts';
import { sample } from '../support/tier.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, count, picture, visit, webScene } from './browser.ts';
import { fileIn, lines, pathInAddress, tree, untilShown } from './diff-page.ts';

/** More than are asked for at once. */
const FILES = sample(1200, 5000);
const FOLDERS = 50;
const nameOf = (file: number): string => String(file).padStart(4, '0');
const pathOf = (file: number): string => `many/${String(file % FOLDERS).padStart(2, '0')}/${nameOf(file)}.ts`;
const [MIDDLE, LAST] = [FILES / 2, FILES - 1];

browserTest(`[UI-4] ${count(FILES)} changed files: all are there, a few are drawn`, async () => {
  const at = webScene();
  for (let file = 0; file < FILES; file++) put(at.workspace, pathOf(file), `let a = ${file};\n`);
  const before = at.retake.json(at.workspace, 'checkpoint').id;
  rmSync(join(at.workspace, 'many/49'), { recursive: true });
  for (let file = 0; file < FILES; file++) if (file % FOLDERS !== 49) put(at.workspace, pathOf(file), `let a = ${file + 1};\n`);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}`);
  await page
    .getByText(`${count(FILES)} files`)
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(/ read …$/).count(), { timeout: 600_000 }).toBe(0);
  expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(100);
  await tree(page).focus();
  await page.keyboard.press('End');
  await fileIn(page, `${nameOf(LAST)}.ts`).waitFor();
  await page.keyboard.press('Enter');
  await untilShown(page, pathOf(LAST));
  await picture(visiting, 'diff-many');
  await page.keyboard.press('f');
  await page.keyboard.type(nameOf(MIDDLE));
  await page.getByText(`1 of ${count(FILES)} files`).waitFor();
  await page.keyboard.press('Enter');
  await untilShown(page, pathOf(MIDDLE));
  await page.getByRole('searchbox', { name: 'Filter the files' }).fill('');
  await page.getByRole('article').click({ position: { x: 5, y: 200 } });
  for (let turn = 0; turn < 30; turn++) await page.keyboard.press('j');
  await expect.poll(() => pathInAddress(page)).not.toBe(pathOf(MIDDLE));
  await page.getByRole('button', { name: 'Restore this file' }).waitFor();
  await expectAccessible(page);
});

/** A line of it has 100 bytes. */
const LINES = sample(30_000, 100_000);
const ALL = count(2 * LINES);

browserTest(`[UI-4] a file of ${LINES / 10_000} MB with ${ALL} changed lines is read as far as it is wanted`, async () => {
  const at = webScene();
  const text = (word: string): string => Array.from({ length: LINES }, (_, line) => `${word} ${line} ${'x'.repeat(84)}\n`).join('');
  put(at.workspace, 'huge.ts', text('let a ='));
  const before = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'huge.ts', text('let bc ='));
  const after = at.retake.json(at.workspace, 'checkpoint').id;
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}`);
  await page.getByText(`2,000 of ${ALL} lines are shown.`).waitFor();
  const rows = lines(page).locator('[data-index]');
  expect(await rows.count()).toBeLessThan(150);
  expect(await page.getByRole('button', { name: /Not all of its lines are here/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Show 10,000 more lines' }).click();
  await page.getByText(`12,000 of ${ALL} lines are shown.`).waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => page.getByText(`of ${ALL} lines`).count(), { timeout: 300_000 }).toBe(0);
  expect(await rows.count()).toBeLessThan(150);
  await lines(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await lines(page)
    .getByText(`let bc = ${LINES - 1} ${'x'.repeat(84)}`)
    .waitFor();
  await picture(visiting, 'diff-huge');
  await page.keyboard.press('u');
  await lines(page).locator('[data-kind=remove] + [data-kind=add]').first().waitFor();
  // Where one was.
  await lines(page)
    .getByText(new RegExp(`^let bc = ${LINES / 100 - 1}\\d\\d x`))
    .first()
    .waitFor();
  expect(await rows.count()).toBeLessThan(150);
  await expectAccessible(page);
});
