import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visit, webScene } from './browser.ts';

browserTest('[UI-4] a dialog that is closed gives the focus back to what opened it', async () => {
  const { page, open } = await visit(webScene());
  await open();
  const opener = page.getByRole('button', { name: 'Keys and commands' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await opener.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
});

browserTest('[UI-4] a page that breaks while it is drawn says so, and can be loaded anew', async () => {
  const visiting = await visit(webScene(), { expected: /./ });
  const { page, open } = visiting;
  const nonsense = await page.route('**/api/sessions?*', (route) =>
    route.fulfill({ json: { sessions: [{ id: 1 }], total: 1, next: null } }),
  );
  await open();
  await page.getByRole('heading', { name: 'This page broke' }).waitFor();
  await expectAccessible(page);
  await picture(visiting, 'broken');
  await nonsense.dispose();
  await page.getByRole('button', { name: 'Load the page anew' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
});
