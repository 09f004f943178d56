import type { Remaining } from '../engine/index.ts';
import type { RollbackScope } from '../model/index.ts';

/** What is said of a record, or of a turn, that was taken back: only in part where something of it is still there. */
export const rolledBackMarks = (scope: RollbackScope | null, remaining: Remaining | null): string[] => {
  if (scope === null) return [];
  const what = scope === 'both' ? '' : ` (${scope})`;
  if (remaining === null || scope === 'conversation') return [`rolled back${what}`];
  const still = [...remaining.outside, ...(remaining.git ? ['git'] : [])];
  return [`partly rolled back${what}: still there: ${still.join(', ')}`];
};
