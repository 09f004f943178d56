import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { BenchDaemon } from './daemon.ts';
import { HttpClient } from './http-client.ts';
import { longStore, SESSION } from './long-store.ts';
import { demand, type Sample, summarize } from './measure.ts';
import type { Measurement } from './plan.ts';
import type { Row } from './report.ts';
import { runProgram } from './retake.ts';
import { say } from './say.ts';
import { folderOfSessions, makeConversation } from './sessions.ts';

const FIRST_VIEW = 1000;
const FRAME = 100;
/** Scrolled through. */
const ROWS = 2000;

/** UI-4: what a person waits for who opens a long session in a browser. */
export const web: Measurement = {
  rule: 'UI-4',
  measure: async (bench) => {
    const program = findChromium();
    if (program === undefined) {
      say('UI-4: not measured, because there is no Chromium here; CHROMIUM=/path/to/it names one');
      return [];
    }
    const { home, directory, prompts } = await longStore(bench);
    makeConversation(folderOfSessions(directory), directory, SESSION, prompts);
    const daemon = BenchDaemon.start(home, directory);
    const client = HttpClient.serve(home, directory);
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      await daemon.call('checkpoint', { request: { name: 'warm' } });
      await daemon.warm();
      // What it rehearses when it starts would be measured too.
      await daemon.practise();
      const { checkpoints, total } = await client.get<Listed>(`/api/sessions/${SESSION}/checkpoints?limit=1`);
      const newest = checkpoints[0]?.id ?? '';
      const { context, address } = await signIn(browser, home, directory);
      const { rounds, slowRounds } = bench.plan;
      return [
        await firstView(context, address, { newest, total, rounds }),
        await scrolling(context, address, { rows: Math.min(ROWS, total), rounds: slowRounds }),
      ];
    } finally {
      await browser.close();
      client.close();
      await daemon.stop();
    }
  },
};

interface Listed {
  readonly total: number;
  readonly checkpoints: readonly { readonly id: string }[];
}

/** A browser that is signed in, and the address of the session. */
const signIn = async (browser: Browser, home: string, directory: string): Promise<{ context: BrowserContext; address: string }> => {
  const { url, link, workspace } = runProgram<{ url: string; link: string; workspace: string }>(home, directory, 'serve');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL(`${url}/w/**`);
  await page.close();
  return { context, address: `${url}/w/${workspace}/s/${SESSION}` };
};

/** Notes when the newest checkpoint was first on the screen, in milliseconds since the navigation began. */
const NOTE_FIRST = `
  const look = () => {
    const row = document.querySelector('[data-checkpoint]');
    if (row === null || row.getBoundingClientRect().height === 0) return requestAnimationFrame(look);
    // The frame in which it was found is painted when the next one begins.
    requestAnimationFrame((time) => { window.benchShown = { time, id: row.dataset.checkpoint }; });
  };
  requestAnimationFrame(look);
`;

/** True when the page has been told what became of the session's work. */
const ANSWERED = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/sessions/${SESSION}?')) || undefined`;

interface Shown {
  readonly time: number;
  readonly id: string;
}

const firstView = async (
  context: BrowserContext,
  address: string,
  { newest, total, rounds }: { newest: string; total: number; rounds: number },
): Promise<Row> => {
  say('UI-4: first views');
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const page = await context.newPage();
    await page.addInitScript(NOTE_FIRST);
    await page.goto(address, { waitUntil: 'commit' });
    const { time, id } = await noted<Shown>(page, 'window.benchShown');
    demand(id === newest, `the first row was ${id} and not ${newest}`);
    // The first round fills the browser's cache and the server's memory.
    if (round > 0) times.push(time);
    // What the page asks for last: the next one is not to wait for answers to this one.
    await noted(page, ANSWERED);
    await page.close();
  }
  return rowOf('first view of a session in the browser', `${total.toLocaleString('en')} checkpoints`, summarize(times), FIRST_VIEW);
};

/** Scrolls on with each frame, and notes how long the longest took until so many rows went by. */
const scrollThrough = (rows: number): string => `
  const list = (() => {
    let above = document.querySelector('[data-checkpoint]');
    while (!/auto|scroll/.test(getComputedStyle(above).overflowY)) above = above.parentElement;
    return above;
  })();
  const seen = new Set();
  let before, longest = 0, still = 0;
  const step = (time) => {
    if (before !== undefined) longest = Math.max(longest, time - before);
    before = time;
    const known = seen.size;
    for (const row of list.querySelectorAll('[data-checkpoint]')) seen.add(row.dataset.checkpoint);
    // At the end of what was read, the next page is on its way.
    still = seen.size === known ? still + 1 : 0;
    if (seen.size >= ${rows} || still > 600) window.benchScrolled = { longest, rows: seen.size };
    else {
      list.scrollTop += 600;
      requestAnimationFrame(step);
    }
  };
  requestAnimationFrame(step);
`;

interface Scrolled {
  readonly longest: number;
  readonly rows: number;
}

const scrolling = async (context: BrowserContext, address: string, { rows, rounds }: { rows: number; rounds: number }): Promise<Row> => {
  const longest: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    say(`UI-4: scrolling through ${rows} rows`);
    const page = await context.newPage();
    await page.goto(address);
    await page.locator('[data-checkpoint]').first().waitFor();
    await page.evaluate(`(() => { ${scrollThrough(rows)} })()`);
    const scrolled = await noted<Scrolled>(page, 'window.benchScrolled');
    demand(scrolled.rows >= rows, `${scrolled.rows} of ${rows} rows were seen`);
    if (round > 0) longest.push(scrolled.longest);
    await page.close();
  }
  return rowOf('the longest frame while its timeline is scrolled', `${rows.toLocaleString('en')} rows`, summarize(longest), FRAME);
};

/** What the page noted, as soon as it did. Asking seldom leaves the page its time. */
const noted = async <T>(page: Page, where: string): Promise<T> => {
  for (let tries = 0; tries < 1200; tries++) {
    const found = await page.evaluate<T | undefined>(where);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not measured: nothing was noted at ${page.url()}`);
};

const rowOf = (what: string, size: string, retake: Sample, bar: number): Row => ({
  measure: `UI-4 ${what}, against ${bar.toLocaleString('en')} ms`,
  size,
  retake,
  peer: { median: bar, fastest: bar, slowest: bar, runs: 1 },
  bar: { atMost: 1 },
});
