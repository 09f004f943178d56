import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { put } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import { fileIn, lines, linesLike, pathInAddress, tree, untilShown } from './diff-page.ts';
import { BIDI_NAME, CART, CART_AFTER, HTML_NAME, recordFiles } from './diff-scene.ts';
import { playShop } from './played.ts';

browserTest('[UI-4] the difference of two checkpoints: what is compared, the files, the lines', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}?path=src/shop/cart.ts`);
  await page.getByRole('heading', { name: 'What changed' }).waitFor();
  const header = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
  await header.getByRole('link', { name: 'Before the tax' }).waitFor();
  await expect.poll(() => header.textContent()).toMatch(/Before the taxCheckpoint.*After the taxCheckpoint.*21 files/);
  await untilShown(page, 'src/shop/cart.ts');
  await lines(page).locator('ins').first().waitFor();
  await expect.poll(() => linesLike(page, 'ins')).toContain('    sum += item.price * item.amount;');
  await expect.poll(() => linesLike(page, 'del')).toContain('    sum += item.price;');
  await lines(page).getByRole('heading', { name: '@@ -18,6 +19,6 @@ export class Shop {' }).waitFor();
  // In colours, and with what changed in a line.
  await lines(page).locator('[class*=keyword]').first().waitFor();
  expect(await lines(page).locator('ins [class*=changed]').allTextContents()).toContain(' * item.');
  expect(await page.getByRole('button', { name: 'Restore this file' }).count()).toBe(0);
  await expectAccessible(page);
  await picture(visiting, 'diff');
  await page.getByRole('radio', { name: 'Side by side' }).click();
  await lines(page).locator('[data-kind=remove] + [data-kind=add]').first().waitFor();
  await expectAccessible(page);
  await picture(visiting, 'diff-split');
  await page.reload();
  await lines(page).locator('[data-kind=remove] + [data-kind=add]').first().waitFor();
  // The other way round, and with the present.
  await page.getByRole('link', { name: 'Swap sides' }).click();
  await page.waitForURL(`**/diff/${after}/${before}`);
  await fileIn(page, 'cart.ts').click();
  await untilShown(page, 'src/shop/cart.ts');
  await expect.poll(() => linesLike(page, 'del')).toContain('    sum += item.price * item.amount;');
  await page.getByRole('link', { name: 'Second side with the present' }).click();
  await page.waitForURL(`**/diff/${before}`);
  await header.getByText('the present').waitFor();
});

browserTest('[UI-4] every kind of file is shown as what it is', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  const show = async (path: string): Promise<Locator> => {
    await visiting.open(`/s/local/diff/${before}/${after}?path=${encodeURIComponent(path)}`);
    await page.getByRole('article').getByRole('button', { name: 'Copy patch' }).waitFor();
    return page.getByRole('article');
  };
  await (await show('run.sh')).getByText('It was a file and is an executable file now.').waitFor();
  await (await show('link')).getByText('It was a file and is a symbolic link now.').waitFor();
  await expect.poll(() => linesLike(page, 'ins')).toEqual([expect.stringContaining('run.sh')]);
  await (await show('data.bin')).getByText('it has no lines to show').waitFor();
  expect(await page.getByRole('link', { name: 'Save what it was' }).getAttribute('href')).toContain(before);
  await expectAccessible(page);
  await (await show('empty.txt')).getByText('The file is empty.').waitFor();

  const logo = await show('logo.png');
  await expect.poll(() => logo.getByText('48 × 48').count()).toBe(2);
  await expectAccessible(page);
  await picture(visiting, 'diff-picture');
  const added = await show('new.png');
  await added.getByText('48 × 48').waitFor();
  await added.getByText('It was not there before.').waitFor();
  const drawing = await show('drawing.svg');
  await lines(page).locator('ins').waitFor();
  await drawing.getByRole('radio', { name: 'Picture' }).click();
  await expect.poll(() => drawing.getByText('20 × 20').count()).toBe(2);

  await show('docs/no-newline.txt');
  await expect.poll(() => lines(page).getByText('no newline at end of file').count()).toBe(2);
  await show('docs/latin1.txt');
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['caf\ufffd au laitnot UTF-8']);
  // A file of CRLF lines says nothing of it; one that became such a file does.
  await show('docs/windows.txt');
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['2']);
  await show('docs/becomes-windows.txt');
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['oneCR', 'twoCR']);
  await page.keyboard.press('w');
  await lines(page).getByText('(whitespace alone)').waitFor();
  await page.getByText('2 lines differ in whitespace alone and are shown as unchanged.').waitFor();

  await show('docs/long-line.txt');
  await lines(page).locator('ins').getByText('… the beginning of 15 kB').waitFor();
  await lines(page).locator('ins').getByRole('button', { name: 'Show more of it' }).click();
  await expect.poll(() => linesLike(page, 'ins')).toEqual([`${'word '.repeat(3000)}end`]);

  // What looks like a rename is two files.
  await show('src/shop/new-name.ts');
  await expect.poll(() => linesLike(page, 'ins')).toHaveLength(2);
  await show('src/shop/old-name.ts');
  await expect.poll(() => linesLike(page, 'del')).toHaveLength(2);
  await visiting.open(`/s/local/diff/${before}/${after}?path=nothing.txt`);
  await page.getByText('This file is the same on both sides').waitFor();
});

browserTest('[SEC] names and lines that would do something are only shown', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}`);
  await fileIn(page, HTML_NAME).click();
  await untilShown(page, `odd/${HTML_NAME}`);
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['<script>alert(1)</script>']);
  expect(await page.locator('img[src=x]').count()).toBe(0);
  await fileIn(page, 'safe\ufffdtxt.exe').click();
  await untilShown(page, 'odd/safe\ufffdtxt.exe');
  expect(pathInAddress(page)).toBe(`odd/${BIDI_NAME}`);
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['teU+202Ext']);
  await fileIn(page, 'escapes.txt').click();
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['ESC[31mredBEL']);
  await picture(visiting, 'diff-inert');
  // A name that is no text is known by its bytes, after a reload too.
  await fileIn(page, 'n\ufffd').click();
  await untilShown(page, 'odd/n\ufffd');
  await page.reload();
  await untilShown(page, 'odd/n\ufffd');
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['other bytes']);
  await expectAccessible(page);
});

browserTest('[UI-4] all of it by keys: files, changes, layout, whitespace, the tree, the filter', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  await visiting.open(`/s/local/diff/${before}/${after}`);
  await untilShown(page, 'data.bin');
  expect(pathInAddress(page)).toBe(null);
  await press('j');
  await untilShown(page, 'docs/becomes-windows.txt');
  expect(pathInAddress(page)).toBe('docs/becomes-windows.txt');
  await press(']');
  await untilShown(page, 'docs/latin1.txt');
  await press('k');
  await press('[');
  await untilShown(page, 'data.bin');

  // Filter, the first that fits, and only these one after the other.
  await press('f');
  await page.keyboard.type('SHOP .ts');
  await page.getByText('3 of 21 files').waitFor();
  await press('Enter');
  await untilShown(page, 'src/shop/cart.ts');
  await press('Escape');
  await lines(page).locator('ins').first().waitFor();

  const current = (): Promise<string[]> => lines(page).locator('[data-current] ins').allTextContents();
  await press('n');
  await expect.poll(current).toEqual(['   comes to,', '   with the tax. */']);
  await press('n');
  await expect.poll(current).toEqual(['    sum += item.price * item.amount;']);
  await press('p');
  await expect.poll(current).toEqual(['   comes to,', '   with the tax. */']);
  await press('u');
  await lines(page).locator('[data-kind=remove] + [data-kind=add]').first().waitFor();
  await press('u');
  await expect.poll(() => lines(page).locator('[data-kind=remove] + [data-kind=add]').count()).toBe(0);
  for (let turn = 0; turn < 4; turn++) await press('n');
  await untilShown(page, 'src/shop/indented.js');

  await expect.poll(() => linesLike(page, 'ins')).toEqual(['  first();', '  second();', '  third();']);
  await press('w');
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['  third();']);
  await page.getByText('2 lines differ in whitespace alone and are shown as unchanged.').waitFor();
  await picture(visiting, 'diff-whitespace');
  expect(await page.getByRole('checkbox', { name: 'Hide whitespace changes' }).isChecked()).toBe(true);
  await press('w');

  // In the tree: up to the folder, fold it, unfold it, into it, and show what is there.
  await tree(page).focus();
  const folder = tree(page).getByRole('treeitem', { name: 'src/shop' });
  await press('ArrowLeft');
  await press('ArrowLeft');
  await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('false');
  expect(await fileIn(page, 'cart.ts').count()).toBe(0);
  await press('ArrowRight');
  await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('true');
  await press('ArrowRight');
  await press('Enter');
  await untilShown(page, 'src/shop/cart.ts');
  await press('ArrowDown');
  await press('Enter');
  await untilShown(page, 'src/shop/indented.js');
  await press('End');
  await press('Enter');
  await untilShown(page, 'src/shop/old-name.ts');
  await press('Home');
  await press('Enter');
  await untilShown(page, 'data.bin');
  await press('?');
  await page.getByRole('dialog').getByText('Next change').waitFor();
});

browserTest('[UI-4] a change, a path and a patch are copied', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visiting;
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  await visiting.open(`/s/local/diff/${before}/${after}?path=docs/no-newline.txt`);
  await lines(page).getByRole('button', { name: 'Copy this change' }).click();
  await page.getByRole('status').getByText('Change copied').waitFor();
  const hunk = '@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n';
  expect(await copied()).toBe(hunk);
  await page.keyboard.press('c');
  await page.getByRole('status').getByText('Path copied').waitFor();
  expect(await copied()).toBe('docs/no-newline.txt');
  await page.getByRole('button', { name: 'Copy patch' }).click();
  await page.getByRole('status').getByText('Patch copied').waitFor();
  expect(await copied()).toContain(`--- a/docs/no-newline.txt\n+++ b/docs/no-newline.txt\n${hunk}`);
});

browserTest(
  '[RST-8] from a checkpoint and the present, a file and a hunk can be restored; the hunk that is meant is one that the server takes',
  async () => {
    const at = webScene();
    const { before } = recordFiles(at);
    const visiting = await visit(at);
    const { page } = visiting;
    const checkpoint = `/api/sessions/local/checkpoints/${before}`;
    await visiting.open(`/s/local/diff/${before}?path=src/shop/cart.ts`);
    await page.getByRole('button', { name: 'Restore this file' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Restore this hunk' }).count()).toBe(2);
    const [question] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/rollback/preview')),
      page.getByRole('button', { name: 'Restore this hunk' }).nth(1).click(),
    ]);
    const asked = new URL(question.url());
    expect(asked.pathname).toBe(`${checkpoint}/rollback/preview`);
    expect([asked.searchParams.get('path'), asked.searchParams.get('hunks')]).toEqual(['src/shop/cart.ts', 'true']);

    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Roll back 1 file' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(readFileSync(join(at.workspace, 'src/shop/cart.ts'), 'utf8')).toBe(CART_AFTER.replace(' until tomorrow', ''));
    // The page has heard of it, and shows what is left.
    await expect.poll(() => page.getByRole('button', { name: 'Restore this hunk' }).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore this file' }).click();
    await dialog.getByRole('button', { name: 'Roll back 1 file' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(readFileSync(join(at.workspace, 'src/shop/cart.ts'), 'utf8')).toBe(CART);

    // What is wholly new or gone has no hunks to choose from, and a name that is no text can not be told.
    await fileIn(page, 'new-name.ts').click();
    await lines(page).locator('ins').first().waitFor();
    expect(await page.getByRole('button', { name: 'Restore this hunk' }).count()).toBe(0);
    await fileIn(page, 'n\ufffd').click();
    await untilShown(page, 'odd/n\ufffd');
    await expect.poll(() => page.getByRole('button', { name: 'Restore this file' }).isDisabled()).toBe(true);
  },
);

browserTest('[RST-8] a hunk that is no longer there is said to be, and what differs now is shown', async () => {
  const at = webScene();
  const { before } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}?path=docs/windows.txt`);
  await page.getByRole('button', { name: 'Restore this hunk' }).waitFor();
  put(at.workspace, 'docs/windows.txt', 'one\r\ntwo\r\nthree\r\n');
  await page.getByRole('button', { name: 'Restore this hunk' }).click();
  await page.getByText('The file has changed since').waitFor();
  await page.getByText('This file is the same on both sides').waitFor();
  // What nobody told of is read when it is wanted.
  put(at.workspace, 'docs/windows.txt', 'one\r\ntwo\r\n3\r\n');
  await page.getByRole('button', { name: 'Read again' }).click();
  await tree(page).getByTitle('docs/windows.txt', { exact: true }).waitFor();
  await expect.poll(() => linesLike(page, 'ins')).toEqual(['3']);
});

browserTest('[UI-4] what a step changed, with its undo, and all changes of a session', async () => {
  const at = webScene();
  const session = await playShop(at);
  const visiting = await visit(at);
  const { page } = visiting;
  const { operations } = at.retake.json(at.workspace, 'log', '--session', session.id);
  const edit = operations.find(({ kind, tool }: { kind: string; tool: string }) => kind === 'after-step' && tool === 'Edit');
  await visiting.open(`/s/${session.id}/step/${edit.id}`);
  await page.getByRole('heading', { level: 1, name: edit.description }).waitFor();
  await page
    .getByRole('navigation', { name: 'Where this is' })
    .getByRole('link', { name: 'Add the tax to the total of the cart' })
    .waitFor();
  await untilShown(page, 'src/cart.ts');
  await expectAccessible(page);
  await picture(visiting, 'diff-step');
  const [question] = await Promise.all([
    page.waitForResponse((response) => response.url().includes(`/api/commits/${edit.id}/revert`)),
    page.getByRole('button', { name: 'Undo just this step' }).click(),
  ]);
  expect(question.status()).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Second side with the present' }).click();
  await page.waitForURL(`**/diff/${edit.id}`);
  await visiting.open(`/s/${session.id}/changes`);
  await page.getByRole('heading', { level: 1, name: 'All changes of the session' }).waitFor();
  await page.getByText('the present').waitFor();
  await fileIn(page, 'cart.ts').waitFor();
  await page.getByRole('button', { name: 'Restore this file' }).waitFor();
});

browserTest('[UI-4] nothing differs, and nothing is there, are said in words', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${before}`);
  await page.getByText('Both sides have the same files.').waitFor();
  await expectAccessible(page);
  await visiting.open(`/s/local/diff/${after}`);
  await page.getByText('The files are as they were at the checkpoint.').waitFor();
  await visiting.open(`/s/local/diff/ffffffff/${after}`);
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});

browserTest('[UI-4] in a narrow window the files are folded away, and there is one layout', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at, { viewport: NARROW });
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}?path=src/shop/cart.ts`);
  await lines(page).locator('ins').first().waitFor();
  expect(await page.getByRole('radio', { name: 'Side by side' }).isDisabled()).toBe(true);
  expect(await tree(page).isVisible()).toBe(false);
  await picture(visiting, 'diff-narrow', { fullPage: true });
  await expectAccessible(page);
  await page.getByRole('button', { name: '21 files' }).click();
  await picture(visiting, 'diff-narrow-files');
  await fileIn(page, 'gone.txt').click();
  await untilShown(page, 'gone.txt');
  expect(await tree(page).isVisible()).toBe(false);
  expect(await page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
