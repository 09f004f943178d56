import { type Extent, isIn, isWhole, parent, type RelativePath, sameState, type WorkspaceState } from '../model/index.ts';
import type { ObjectBatch, ObjectStore } from '../store/index.ts';
import { applyChanges } from './apply-changes.ts';
import { choose, diffStates, type StateChange } from './states.ts';

/** A change of the whole workspace, or of a part of it: what it was made of, and what came of it. */
export interface Passage extends Extent {
  readonly before: WorkspaceState;
  readonly after: WorkspaceState;
}

/** What changed, in the part that is meant; a directory goes with the last that was in it. */
export const changesIn = (store: ObjectStore, passage: Passage): StateChange[] =>
  chosenIn(passage, diffStates(store, passage.before, passage.after));

const chosenIn = (passage: Passage, changes: StateChange[]): StateChange[] => {
  if (isWhole(passage)) return changes;
  const isMeant = (path: RelativePath): boolean => isIn(passage, path);
  const emptied = emptiedBy(changes, isMeant);
  return choose(changes, (path) => isMeant(path) || emptied.has(path));
};

/** Directories of which nothing is left once what is meant is gone. One that was empty by itself is somebody else's, and stays. */
const emptiedBy = (changes: readonly StateChange[], isMeant: (path: RelativePath) => boolean): ReadonlySet<RelativePath> => {
  const emptied = new Set<RelativePath>();
  const [losing, keeping] = [new Set<RelativePath>(), new Set<RelativePath>()];
  // What lies in a directory comes after it.
  for (const { path, from, to } of changes.toReversed()) {
    const isEmptied = from?.type === 'directory' && to === null && losing.has(path) && !keeping.has(path);
    if (isEmptied) emptied.add(path);
    (isEmptied || isMeant(path) ? losing : keeping).add(parent(path));
  }
  return emptied;
};

/** The same as a change of the whole workspace in which nothing else changed. Its states can be read after the batch is flushed. */
export const narrowed = <P extends Passage>(store: ObjectStore, batch: ObjectBatch, passage: P): P => {
  if (isWhole(passage)) return passage;
  const { only: _, except: __, ...rest } = passage;
  const all = diffStates(store, passage.before, passage.after);
  const chosen = chosenIn(passage, all);
  // Mostly nobody else changed something, and there is nothing to make.
  if (chosen.length === all.length) return rest as P;
  return { ...(rest as P), after: chosen.length === 0 ? passage.before : applyChanges(store, batch, passage.before, chosen) };
};

/** Steps that follow each other are one: what is written over and over is there once. */
export const joinSteps = (steps: readonly Passage[]): Passage[] => {
  const joined: Passage[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    const isJoined = last !== undefined && isWhole(last) && isWhole(step) && sameState(last.after, step.before);
    if (isJoined) joined[joined.length - 1] = { before: last.before, after: step.after };
    else joined.push(step);
  }
  return joined;
};
