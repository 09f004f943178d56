import { expect } from 'vitest';
import { browserTest, picture, type Visit, visit, webScene } from './browser.ts';

const VIEW = /\/assets\/settings-view-.*\.js$/;

/** A view that is not loaded when the page is: its program is not to be had as long as this says so. */
const withhold = async ({ context, open }: Visit): Promise<{ isOver: boolean }> => {
  const withheld = { isOver: false };
  await context.route(VIEW, (route) => (withheld.isOver ? route.continue() : route.fulfill({ status: 404, body: '' })));
  await open();
  return withheld;
};

const openSettings = ({ page }: Visit): Promise<void> => page.getByRole('link', { name: 'Settings' }).click();
const isShown = ({ page }: Visit): Promise<void> => page.getByRole('heading', { name: 'retention' }).waitFor();

browserTest('[UI-4] a view of a program that was updated meanwhile: the page is loaded anew, and shows it', async () => {
  const visiting = await visit(webScene());
  const withheld = await withhold(visiting);
  visiting.page.on('request', (request) => {
    if (request.isNavigationRequest()) withheld.isOver = true;
  });
  await visiting.page.evaluate('window.isOld = true');
  await openSettings(visiting);
  await isShown(visiting);
  expect(await visiting.page.evaluate('window.isOld')).toBeUndefined();
});

browserTest(
  '[UI-4] a view that can not be loaded says so, once the page was loaded anew; the others are there, and it can be tried again',
  async () => {
    const visiting = await visit(webScene());
    const { page } = visiting;
    const withheld = await withhold(visiting);
    let loads = 0;
    page.on('load', () => loads++);
    await openSettings(visiting);
    await page.getByRole('alert').getByText('This view can not be loaded').waitFor();
    await picture(visiting, 'view-not-loaded');
    expect(loads).toBe(1);
    await page.getByRole('link', { name: 'Reflog & health' }).click();
    await page.getByRole('heading', { name: 'Reflog' }).first().waitFor();
    await openSettings(visiting);
    withheld.isOver = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await isShown(visiting);
  },
);

browserTest(
  '[UI-4] a view that is opened when nobody serves any more: the page stays, says so, and goes on when it is served again',
  async () => {
    const at = webScene();
    const visiting = await visit(at, { expected: /Failed to load resource/ });
    const { page, context } = visiting;
    const withheld = await withhold(visiting);
    let loads = 0;
    page.on('load', () => loads++);
    const nobody = await context.route('**/*', (route) => route.abort('connectionrefused'));
    await openSettings(visiting);
    await page.getByRole('alert').getByText('Retake does not answer').first().waitFor();
    const asked = page.waitForEvent('requestfailed', (request) => request.url() === page.url());
    await page.getByRole('button', { name: 'Try again' }).first().click();
    // An attempt that is still under way when it is served again would load the page.
    await asked;
    expect(loads).toBe(0);
    await nobody.dispose();
    withheld.isOver = true;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await isShown(visiting);
    expect(loads).toBe(1);
  },
);
