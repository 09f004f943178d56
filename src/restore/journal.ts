import { type Durability, effects, readIfExists, replaceFile } from '../host/index.ts';
import type { PlanStep, Rollback } from '../model/index.ts';

/** What is left to say of the rollback once it has ended. */
export type RollbackIntent = Omit<Rollback, 'sequence' | 'createdAt' | 'outcome' | 'changed' | 'leftAlone'>;

/**
 * Written before the first change to the workspace and removed after the operation is in the log. Whoever finds it while
 * holding the lock knows that its writer died, and has all that is needed to finish or to take back (RST-4).
 */
export interface Journal {
  readonly id: string;
  readonly direction: 'forward' | 'back';
  readonly intent: RollbackIntent;
  readonly steps: readonly PlanStep[];
}

export const writeJournal = (path: string, journal: Journal, durability: Durability): void =>
  replaceFile(path, Buffer.from(JSON.stringify(journal)), { durability });

export const readJournal = (path: string): Journal | undefined => {
  const bytes = readIfExists(path);
  return bytes && (JSON.parse(bytes.toString()) as Journal);
};

export const removeJournal = (path: string): void => effects.unlink(path);
