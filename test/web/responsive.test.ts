import { expect } from 'vitest';
import { DEEP } from '../support/tier.ts';
import { problemsFor } from './accessible.ts';
import { browserTest, NARROW, picture, visit, WIDE, webScene } from './browser.ts';
import { playEverything } from './fixtures.ts';
import { namedIn, Stillness, sidewaysScroll, VIEWS } from './views.ts';

const HUGE = { width: 3840, height: 2160 };

/** A view is laid out in two ways, for little room and for enough; more room than that makes it no other one, nor does the colour. */
const SIZES = [
  { size: 'narrow', viewport: NARROW, isJudged: true, isJudgedDark: DEEP },
  { size: 'wide', viewport: WIDE, isJudged: true, isJudgedDark: true },
  { size: 'huge', viewport: HUGE, isJudged: DEEP, isJudgedDark: DEEP },
] as const;

browserTest(
  '[UI-4] every view fits a phone, a desk and a wall: nothing scrolls sideways, and everybody can use it, by day and by night',
  async () => {
    const at = webScene();
    const session = await playEverything(at);
    const named = namedIn(at, session.id, 'tax');
    expect(named.branches[0]).not.toBe(named.branches[1]);
    const visiting = await visit(at);
    const { page } = visiting;
    const stillness = new Stillness(page);
    const problems: string[] = [];
    for (const { name, path } of VIEWS) {
      await page.setViewportSize(NARROW);
      await stillness.open(visiting, path(named));
      for (const { size, viewport, isJudged, isJudgedDark } of SIZES) {
        await page.setViewportSize(viewport);
        await stillness.come();
        const sideways = await sidewaysScroll(page);
        if (sideways > 0) problems.push(`${name} ${size}: ${sideways} px too wide`);
        if (isJudged) problems.push(...(await problemsFor(page)).map((one) => `${name} ${size}: ${one}`));
        if (isJudgedDark) {
          // What else there is to know does not depend on the colours.
          await page.emulateMedia({ colorScheme: 'dark' });
          problems.push(...(await problemsFor(page, 'colours')).map((one) => `${name} ${size} dark: ${one}`));
          await page.emulateMedia({ colorScheme: 'light' });
        }
        await picture(visiting, `${name}-${size}`);
      }
      if ((await page.getByRole('heading', { level: 1 }).count()) === 0) problems.push(`${name} has no heading`);
    }
    expect(problems).toEqual([]);
  },
);
