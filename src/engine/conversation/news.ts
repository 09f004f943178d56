import { diffStates } from '../../diff/index.ts';
import { type OperationId, type Recorded, RetakeError, type Rollback, type RollbackKind, shortId, toText } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** How many paths an agent is told by name. */
const NAMED = 20;

/**
 * What an agent that remembers the files as they were should know: which of them were taken back since an operation. One line, or
 * null.
 */
export const newsSince = (workspace: Workspace, told: number): string | null => {
  const { index, store } = workspace;
  const since = index
    .rollbacks()
    .map(({ operation }) => operation as Recorded<Rollback>)
    .filter(({ sequence, outcome, changed }) => sequence > told && outcome !== 'taken-back' && changed > 0);
  const inForce = stillInForce(since);
  if (inForce.length === 0) return null;
  const isChanged = changedBetween(workspace, inForce);
  const paths = [...new Set(inForce.flatMap(({ id }) => pathsOf(store, id)))].filter(isChanged).sort();
  const named = paths.slice(0, NAMED).map((path) => JSON.stringify(path));
  if (named.length === 0) return null;
  const rest = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const done = [...Map.groupBy(inForce.toReversed(), ({ kind }) => WORDS[kind])].map(
    ([words, rollbacks]) => `${words} (checkpoint ${rollbacks.map(({ target }) => shortId(target)).join(', then ')})`,
  );
  return (
    `Retake: the user ${done.join(', and ')}. ` +
    `Changed on disk since you last looked: ${named.join(', ')}${rest}. Read them again before you rely on what you remember of them.`
  );
};

const BACK = 'took files back to an earlier state';
const WORDS: Readonly<Record<RollbackKind, string>> = {
  rollback: BACK,
  undo: BACK,
  redo: BACK,
  switch: 'went to another branch of the conversation',
  merge: 'took in the changes of another branch',
  discard: 'took the work of a session out',
  revert: 'took the changes of a step, a turn or an agent out',
  recover: 'brought back work that had been rolled back',
};

/** What was changed and changed back, as by going to another branch and returning, is as the agent knows it. */
const changedBetween = ({ index, store }: Workspace, newestFirst: readonly Recorded<Rollback>[]): ((path: string) => boolean) => {
  const oldest = newestFirst.at(-1);
  const before = oldest && index.get(oldest.safety)?.operation.state;
  const after = newestFirst[0]?.state;
  if (before == null || after == null) return () => true;
  try {
    const changed = new Set(diffStates(store.objects, before, after).map(({ path }) => toText(path)));
    return (path) => changed.has(path);
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return () => true;
    throw error;
  }
};

/** Damage to a rollback's record must not keep the prompt from being recorded. */
const pathsOf = ({ log }: Workspace['store'], rollback: OperationId): string[] => {
  try {
    return log.plan(rollback).map(({ path }) => toText(path));
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return [];
    throw error;
  }
};

/** What was done and undone since is as the agent knows it; what was redone is not. */
const stillInForce = (since: readonly Recorded<Rollback>[]): Recorded<Rollback>[] => {
  const byId = new Map(since.map((rollback) => [rollback.id, rollback]));
  const undone = new Set(since.map(({ undoes }) => undoes));
  const depth = ({ undoes }: Recorded<Rollback>): number => {
    const before = undoes === undefined ? undefined : byId.get(undoes);
    return before === undefined ? 0 : 1 + depth(before);
  };
  return since.filter((rollback) => !undone.has(rollback.id) && depth(rollback) % 2 === 0);
};
