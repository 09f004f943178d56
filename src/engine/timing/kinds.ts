import type { RollbackKind } from '../../model/index.ts';

/** What is measured, one word for each thing that a face asks of the engine. An `event` is a checkpoint at an agent's event. */
export type TimedKind =
  | 'event'
  | 'checkpoint'
  | 'preview'
  | RollbackKind
  | 'keep'
  | 'log'
  | 'search'
  | 'sessions'
  | 'forks'
  | 'compare'
  | 'diff'
  | 'blame'
  | 'report'
  | 'check'
  | 'gc';

/** How many milliseconds each may take (PRF-9); null for what takes as long as it takes. */
export const LIMITS: Readonly<Record<TimedKind, number | null>> = {
  event: 100,
  checkpoint: 100,
  preview: 1000,
  rollback: 1000,
  undo: 1000,
  switch: 1000,
  merge: 1000,
  discard: 1000,
  revert: 1000,
  recover: 1000,
  keep: null,
  log: 200,
  search: 200,
  sessions: 200,
  forks: 200,
  compare: 1000,
  diff: 500,
  blame: 1000,
  report: null,
  check: null,
  gc: null,
};
