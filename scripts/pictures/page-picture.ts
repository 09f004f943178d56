import { chromium } from 'playwright-core';
import { findChromium } from '../../bench/chromium.ts';
import { type DemoPlace, demoEnvironment } from '../demo/place.ts';
import { askRetake, Refusal } from '../demo/program.ts';

/** A picture of the web page's view of a session, as a person's browser shows it. */
export const picturePage = async (place: DemoPlace, session: string, colorScheme: 'light' | 'dark'): Promise<Buffer> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Refusal('The page needs a browser: install Chromium, or name one by CHROMIUM=/path/to/it');
  const { url, link, workspace } = askRetake({ cwd: place.shop, env: demoEnvironment(place) }, 'serve');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(link);
    await page.waitForURL(`${url}/w/**`);
    await page.goto(`${url}/w/${workspace}/s/${session}`);
    // What comes last, each from an answer of its own: the name, the fork, the conversation.
    await page.getByRole('heading', { level: 1, name: 'Add VAT to the cart' }).waitFor();
    for (const text of ['Forks (1)', 'Clean up before the release.']) await page.locator('main').getByText(text).first().waitFor();
    return await page.screenshot();
  } finally {
    await browser.close();
  }
};
