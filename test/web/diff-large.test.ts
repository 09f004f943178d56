import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { put } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visit, webScene } from './browser.ts';
import { fileIn, lines, pathInAddress, tree, untilShown } from './diff-page.ts';

browserTest('[UI-4] 5,000 changed files: all are there, a few are drawn', async () => {
  const at = webScene();
  for (let file = 0; file < 5000; file++)
    put(at.workspace, `many/${String(file % 50).padStart(2, '0')}/${String(file).padStart(4, '0')}.ts`, `let a = ${file};\n`);
  const before = at.retake.json(at.workspace, 'checkpoint').id;
  rmSync(join(at.workspace, 'many/49'), { recursive: true });
  for (let file = 0; file < 5000; file++)
    if (file % 50 !== 49)
      put(at.workspace, `many/${String(file % 50).padStart(2, '0')}/${String(file).padStart(4, '0')}.ts`, `let a = ${file + 1};\n`);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}`);
  await page.getByText('5,000 files').first().waitFor();
  await expect.poll(() => page.getByText(/ read …$/).count(), { timeout: 600_000 }).toBe(0);
  expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(100);
  await tree(page).focus();
  await page.keyboard.press('End');
  await fileIn(page, '4999.ts').waitFor();
  await page.keyboard.press('Enter');
  await untilShown(page, 'many/49/4999.ts');
  await picture(visiting, 'diff-many');
  await page.keyboard.press('f');
  await page.keyboard.type('2500');
  await page.getByText('1 of 5,000 files').waitFor();
  await page.keyboard.press('Enter');
  await untilShown(page, 'many/00/2500.ts');
  await page.getByRole('searchbox', { name: 'Filter the files' }).fill('');
  await page.getByRole('article').click({ position: { x: 5, y: 200 } });
  for (let turn = 0; turn < 30; turn++) await page.keyboard.press('j');
  await expect.poll(() => pathInAddress(page)).not.toBe('many/00/2500.ts');
  await page.getByRole('button', { name: 'Restore this file' }).waitFor();
  await expectAccessible(page);
});

browserTest('[UI-4] a file of 10 MB with 200,000 changed lines is read as far as it is wanted', async () => {
  const at = webScene();
  const text = (word: string): string => Array.from({ length: 100_000 }, (_, line) => `${word} ${line} ${'x'.repeat(84)}\n`).join('');
  put(at.workspace, 'huge.ts', text('let a ='));
  const before = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'huge.ts', text('let bc ='));
  const after = at.retake.json(at.workspace, 'checkpoint').id;
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}`);
  await page.getByText('2,000 of 200,000 lines are shown.').waitFor();
  const rows = lines(page).locator('[data-index]');
  expect(await rows.count()).toBeLessThan(150);
  expect(await page.getByRole('button', { name: /Not all of its lines are here/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Show 10,000 more lines' }).click();
  await page.getByText('12,000 of 200,000 lines are shown.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => page.getByText(/of 200,000 lines/).count(), { timeout: 300_000 }).toBe(0);
  expect(await rows.count()).toBeLessThan(150);
  await lines(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await lines(page)
    .getByText(`let bc = 99999 ${'x'.repeat(84)}`)
    .waitFor();
  await picture(visiting, 'diff-huge');
  await page.keyboard.press('u');
  await lines(page).locator('[data-kind=remove] + [data-kind=add]').first().waitFor();
  // Where one was.
  await lines(page)
    .getByText(/^let bc = 999\d\d x/)
    .first()
    .waitFor();
  expect(await rows.count()).toBeLessThan(150);
  await expectAccessible(page);
});
