import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visitByLink, webScene } from './browser.ts';
import { playShop } from './played.ts';
import { sidewaysScroll } from './views.ts';

browserTest('[SEC] [UI-4] a browser that is signed out is told so at any address, shown nothing else, and comes back to it', async () => {
  const at = webScene();
  await playShop(at);
  const { page: before, context, at: address } = await visitByLink(at);
  // It would go on loading its other views, signed out or not.
  await before.close();
  const cookies = await context.cookies();
  await context.clearCookies();
  const page = await context.newPage();
  const place = address('/search?q=tax');
  expect((await page.goto(place))?.status()).toBe(401);
  await page.getByText('You are signed out').waitFor();
  expect(page.url()).toBe(place);
  expect(await page.locator('main').textContent()).not.toContain('tax');
  await page.setViewportSize(NARROW);
  expect(await sidewaysScroll(page)).toBe(0);
  await expectAccessible(page);
  await picture({ page }, 'signed-out-narrow');
  await context.addCookies(cookies);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Retake' }).waitFor();
  expect(page.url()).toBe(place);
  // A link that was used, or is too old, says so.
  await context.clearCookies();
  await page.goto(address().replace(/\/w\/.*/, '/sign-in#used'));
  await page.getByText('retake serve').waitFor();
  expect(page.url()).not.toContain('#');
  await expectAccessible(page);
});
