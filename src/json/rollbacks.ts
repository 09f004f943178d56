import type { RollbackEntry } from '../engine/index.ts';

/** A rollback or undo of the history. */
export const rollbackEntryJson = ({ rollback, level, sessions, undoneBy, counts }: RollbackEntry) => ({
  id: rollback.id,
  type: rollback.kind,
  level,
  session: rollback.session,
  sessions: [...sessions],
  description: rollback.description,
  from: rollback.safety,
  to: rollback.target,
  scope: rollback.scope,
  git: rollback.gitChange !== undefined,
  only: rollback.only ?? null,
  hunks: rollback.hunks ?? null,
  createdAt: rollback.createdAt,
  outcome: rollback.outcome,
  undoes: rollback.undoes ?? null,
  undoneBy: undoneBy?.id ?? null,
  undoneAt: undoneBy?.createdAt ?? null,
  files: counts,
});
