import type { Health } from '../client/types.ts';
import { bytes, count, number } from '../parts/words.ts';

/** What health is told with. */

/** The tone of each verdict. */
export const VERDICTS = { good: 'good', warning: 'warn', critical: 'bad' } as const;

/** How long something stays. */
export const daysOf = (days: number | null): string => (days === null ? 'for ever' : `for ${count(days, 'day')}`);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** `12 ms`, `1.2 s`, `3 min`. */
export const duration = (ms: number): string => {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Number((ms / SECOND).toFixed(1))} s`;
  return `${number(Math.round(ms / MINUTE))} min`;
};

const REASONS: Readonly<Record<string, string>> = {
  waited: 'Others were at work here: another process, or requests before it',
  'first-record': 'The workspace was recorded for the first time',
  'no-daemon': 'Every file was looked at, because no background process had watched',
  'not-watched': 'Every file was looked at, because the background process does not watch this workspace, or not yet',
  'journal-lost': 'Every file was looked at, because the system lost track of what changed',
  git: 'git had to be asked',
  'much-to-write': 'There was much to write',
};

/** Why something took long; what a newer server knows is told as it is. */
export const reasonWords = (reason: string): string => REASONS[reason] ?? reason;

type Slow = Health['slow'][number];

/** Where the time went, most of it first; what took nothing is left out. */
export const phasesOf = ({
  phases,
  ms,
}: Pick<Slow, 'phases' | 'ms'>): { readonly phase: string; readonly ms: number; readonly share: number }[] =>
  Object.entries(phases)
    .filter(([, took]) => took > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([phase, took]) => ({ phase, ms: took, share: ms > 0 ? Math.min(1, took / ms) : 0 }));

/** How much there was to do. */
export const amountWords = ({ files, changes, bytes: size, gits }: Slow['amounts']): string =>
  [
    files === undefined ? '' : `${count(files, 'file')} in the workspace`,
    changes === undefined ? '' : count(changes, 'change'),
    size === undefined ? '' : `${bytes(size)} written`,
    gits === undefined ? '' : `git asked ${count(gits, 'time')}`,
  ]
    .filter((words) => words !== '')
    .join(', ');
