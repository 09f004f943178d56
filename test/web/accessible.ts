import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What comes in gently has no contrast yet; what moves for ever is judged as it is. */
const FADED_IN = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
  .map((animation) => animation.finished.catch(() => {})))`;

type Axe = { run(options?: { runOnly: { type: 'rule'; values: string[] } }): Promise<AxeResults> };

/** What axe-core knows to keep somebody from using the page as it is now; `colours` of all that only those. */
export const problemsFor = async (page: Page, only?: 'colours'): Promise<string[]> => {
  await page.evaluate(source);
  await page.evaluate(FADED_IN);
  const { violations } = await page.evaluate(
    (isAll) =>
      (globalThis as unknown as { axe: Axe }).axe.run(
        isAll ? undefined : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
      ),
    only === undefined,
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`));
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await problemsFor(page)).toEqual([]);
