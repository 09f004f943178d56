import { expect } from 'vitest';
import { put } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import { playShop } from './played.ts';

browserTest('[UI-4] names, notes, prompts and descriptions are searched, and the words are marked', async () => {
  const at = webScene();
  const session = await playShop(at);
  put(at.workspace, 'own.txt', '1\n');
  const own = at.retake.json(
    at.workspace,
    'checkpoint',
    '--name',
    'Before the TAX office',
    '--note',
    `${'x '.repeat(300)}<b>taxes</b> are due`,
  );
  const visiting = await visit(at);
  const { page, open } = visiting;
  await open();
  await page.getByRole('searchbox', { name: 'Search names, notes and prompts' }).fill('tax');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=tax');
  const found = page.getByRole('list', { name: 'Found' }).getByRole('listitem');
  const prompt = found.filter({ hasText: 'Add the tax to the total of the cart' }).first();
  await prompt.waitFor();
  const { operations } = at.retake.json(at.workspace, 'search', 'tax');
  await page.getByText(`${operations.length} checkpoints found`).waitFor();
  expect(await found.count()).toBe(operations.length);
  expect(await prompt.locator('mark').allTextContents()).toContain('tax');
  const named = found.filter({ hasText: 'office' });
  expect(await named.locator('mark').allTextContents()).toEqual(['TAX', 'tax']);
  expect(await named.textContent()).toContain('<b>taxes</b> are due');
  expect(await named.textContent()).toContain('by hand');
  expect(await named.getByRole('link').first().getAttribute('href')).toContain(`/s/local/c/${own.id}`);
  expect(await prompt.getByRole('link').nth(1).getAttribute('href')).toContain(`/s/${session.id}`);
  await expectAccessible(page);
  await picture(visiting, 'search');

  const words = page.getByRole('searchbox', { name: 'Words' });
  expect(await words.inputValue()).toBe('tax');
  await words.fill('office tax');
  await words.press('Enter');
  await page.waitForURL('**/search?q=office+tax');
  await page.getByText('1 checkpoint found').waitFor();
  await page.goBack();
  await page.getByText(`${operations.length} checkpoints found`).waitFor();
  expect(await words.inputValue()).toBe('tax');
  await page.keyboard.press('Tab');
  await words.evaluate((field) => field.blur());
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/c/*');

  await open('/search?q=nothing%20like%20%25%20it');
  await page.getByText('Nothing holds nothing like % it').waitFor();
});

browserTest('[UI-4] nothing to search for, and too little, are told; a small screen is enough', async () => {
  const at = webScene();
  await playShop(at);
  const visiting = await visit(at, { viewport: NARROW });
  const { page, open } = visiting;
  await open('/search');
  await page.getByText('What are you looking for?').waitFor();
  await expectAccessible(page);
  await open('/search?q=t');
  await page.getByText('too short').waitFor();
  await open(`/search?q=${'t'.repeat(501)}`);
  await page.getByText('too long').waitFor();
  await open('/search?q=cart');
  await page.getByText('checkpoints found').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate("document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth")).toBe(0);
  await picture(visiting, 'search-narrow');
});
