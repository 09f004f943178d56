import { changesIn, joinSteps, type Passage, replaySteps, type StateChange } from '../../diff/index.ts';
import type { Workspace } from '../core/workspace.ts';

/**
 * What several changes of an agent come to, without what others changed in between: done again, one after the other, on what was there
 * before the first. Needs the lock, unless they are one.
 */
export const netChanges = ({ store: { objects } }: Workspace, steps: readonly Passage[]): readonly StateChange[] => {
  const stretches = joinSteps(steps);
  const [first] = stretches;
  if (first === undefined) return [];
  if (stretches.length === 1) return changesIn(objects, first);
  return replaySteps(objects, objects.begin(), first.before, stretches, { rest: 'theirs', ownLines: true }).changes;
};
