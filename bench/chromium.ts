import { existsSync } from 'node:fs';

/** The one without windows first: it does the same with less. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The browser's program: the one that CHROMIUM names, or one where systems keep it. */
export const findChromium = (): string | undefined =>
  [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
