import { isAbsolute } from 'node:path';
import { type Durability, effects, readIfExists, replaceFile } from '../host/index.ts';
import type { OutsideStep, PlanStep, Rollback } from '../model/index.ts';

/** What is left to say of the rollback once it has ended. */
export type RollbackIntent = Omit<Rollback, 'sequence' | 'createdAt' | 'outcome' | 'changed' | 'leftAlone' | 'head' | 'git' | 'outside'>;

/**
 * Written before the first change to the workspace and removed after the operation is in the log. Whoever finds it while
 * holding the lock knows that its writer died, and has all that is needed to finish or to take back (RST-4).
 */
export interface Journal {
  readonly id: string;
  readonly direction: 'forward' | 'back';
  readonly intent: RollbackIntent;
  readonly steps: readonly PlanStep[];
  /** Files outside the workspace that change with it. */
  readonly outside?: readonly OutsideStep[];
}

export const writeJournal = (path: string, journal: Journal, durability: Durability): void =>
  replaceFile(path, Buffer.from(JSON.stringify(journal)), { durability });

/** The journal; `damaged` when there is one that can't be understood, which only a sick disk or a stranger can make. */
export const readJournal = (path: string): Journal | 'damaged' | undefined => {
  const bytes = readIfExists(path);
  if (bytes === undefined) return undefined;
  try {
    const journal: unknown = JSON.parse(bytes.toString());
    return isJournal(journal) ? journal : 'damaged';
  } catch {
    return 'damaged';
  }
};

const isJournal = (value: unknown): value is Journal => {
  const journal = value as Partial<Journal> | null;
  return (
    typeof journal?.id === 'string' &&
    (journal.direction === 'forward' || journal.direction === 'back') &&
    typeof journal.intent?.safety === 'string' &&
    Array.isArray(journal.steps) &&
    journal.steps.every((step) => typeof step?.path === 'string' && typeof step.type === 'string' && isInside(step.path)) &&
    (journal.outside === undefined || (Array.isArray(journal.outside) && journal.outside.every((step) => isAbsolute(step?.path ?? ''))))
  );
};

/** No step of ours ever leads out of the workspace. */
const isInside = (path: string): boolean => !path.split('/').some((name) => name === '..' || name === '.' || name === '');

/** Keeps a damaged journal for whoever wants to look at it, out of the way of everybody else. */
export const setAsideJournal = (path: string): string => {
  const aside = `${path}.damaged`;
  effects.rename(path, aside);
  return aside;
};

export const removeJournal = (path: string): void => effects.unlink(path);
