import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visitByLink, webScene } from './browser.ts';
import { playShop } from './played.ts';

browserTest('[UI-4] the link of retake serve signs the browser in and leads to the sessions of the workspace', async () => {
  const at = webScene();
  const session = await playShop(at);
  const visiting = await visitByLink(at);
  const { page } = visiting;
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  const row = page.getByRole('link', { name: /Add the tax to the total of the cart/ });
  await row.waitFor();
  expect(await row.textContent()).toContain('3 turns');
  await page.getByText('live', { exact: true }).waitFor();
  await expectAccessible(page);
  await picture(visiting, 'sessions');
  await row.click();
  await page.waitForURL(`**/s/${session.id}`);
});

browserTest('[UI-4] without being signed in, the page says how to sign in', async () => {
  const at = webScene();
  const { context, url } = await visitByLink(at);
  await context.clearCookies();
  const page = await context.newPage();
  const response = await page.goto(url);
  expect(response?.status()).toBe(401);
  await page.getByText('retake serve').waitFor();
  await expectAccessible(page);
});
