import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What comes in gently has no contrast yet; what moves for ever is judged as it is. */
const FADED_IN = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
  .map((animation) => animation.finished.catch(() => {})))`;

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

/** What is well is not asked for: to tell of it takes longer than to find it. */
const ALL: RunOptions = { resultTypes: ['violations'] };
const COLOURS: RunOptions = { ...ALL, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** What axe-core knows to keep somebody from using the page as it is now; `colours` of all that only those. */
export const problemsFor = async (page: Page, only?: 'colours'): Promise<string[]> => {
  // Its program is large: once for each page that is loaded.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  await page.evaluate(FADED_IN);
  const violations = await page.evaluate(
    async (options) => (await (globalThis as unknown as { axe: Axe }).axe.run(options)).violations,
    only === undefined ? ALL : COLOURS,
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`));
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await problemsFor(page)).toEqual([]);
