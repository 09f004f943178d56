import { type OperationId, type Recorded, RetakeError, type Rollback, type SessionId, shortId, toText } from '../model/index.ts';
import type { Workspace } from './workspace.ts';

/** How many paths an agent is told by name. */
const NAMED = 20;

/**
 * What an agent that remembers the files as they were should know: which of them were taken back since its last prompt. One
 * line, or null.
 */
export const newsFor = (workspace: Workspace, session: SessionId): string | null => {
  const { index, store } = workspace;
  const told = index.newestPromptTold(session)?.sequence;
  if (told === undefined) return null;
  const since = index
    .rollbacks()
    .map(({ operation }) => operation as Recorded<Rollback>)
    .filter(({ sequence, outcome, changed }) => sequence > told && outcome !== 'taken-back' && changed > 0);
  const inForce = stillInForce(since);
  if (inForce.length === 0) return null;
  const paths = [...new Set(inForce.flatMap(({ id }) => pathsOf(store, id)))].sort();
  const named = paths.slice(0, NAMED).map((path) => JSON.stringify(path));
  if (named.length === 0) return null;
  const rest = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const targets = inForce.map(({ target }) => shortId(target)).reverse();
  return (
    `Retake: the user took files back to an earlier state (checkpoint ${targets.join(', then ')}). ` +
    `Changed on disk since you last looked: ${named.join(', ')}${rest}. Read them again before you rely on what you remember of them.`
  );
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
