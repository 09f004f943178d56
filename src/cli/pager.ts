import { showInPager } from '../host/pager.ts';
import { diverted } from './output.ts';
import type { GlobalOptions } from './verb.ts';
import { widthOf } from './width.ts';

const OUR_CHOICE = ['less', '-FRX'] as const;

/** What is said during some work; a screen at a time where somebody sits there and it does not fit on one. */
export const paged = async (flags: Pick<GlobalOptions, 'json' | 'pager'>, say: () => void | Promise<void>): Promise<void> => {
  if (!isPaging(flags)) return say();
  const out: string[] = [];
  const asides: string[] = [];
  try {
    await diverted({ out: (text) => void out.push(text.toString()), err: (text) => void asides.push(text) }, say);
  } finally {
    await show(out.join(''));
    process.stderr.write(asides.join(''));
  }
};

/** How many entries a person is shown of a list that may be endless, who has not said how many; programs get all of them. */
export const mostShown = (flags: Pick<GlobalOptions, 'json' | 'pager'>): number | undefined =>
  flags.json ? undefined : isPaging(flags) ? SCREENFULS : AT_ONCE;

const AT_ONCE = 50;
const SCREENFULS = 1000;

/** Whether long answers are shown in a pager here. */
const isPaging = ({ json, pager }: Pick<GlobalOptions, 'json' | 'pager'>): boolean =>
  process.stdout.isTTY === true && !json && pager && !['', 'cat'].includes(wanted()?.trim() ?? 'less') && process.env.TERM !== 'dumb';

const wanted = (): string | undefined => process.env.RETAKE_PAGER ?? process.env.PAGER;

const show = async (text: string): Promise<void> => {
  if (fits(text) || !(await showInPager(wanted() ?? OUR_CHOICE, text))) process.stdout.write(text);
};

/** With a line left for the shell's next question. */
const fits = (text: string): boolean => {
  const { rows, columns } = process.stdout;
  if (!(rows > 0) || !(columns > 0)) return true;
  let left = rows - 1;
  return text
    .trimEnd()
    .split('\n')
    .every((line) => {
      left -= Math.max(1, Math.ceil(widthOf(line) / columns));
      return left >= 0;
    });
};
