import type { RollbackKind } from '../../model/index.ts';
import type { Settings } from '../settings/settings.ts';

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

/** How many milliseconds each may take; null for what takes as long as it takes. */
export type Limits = Readonly<Record<TimedKind, number | null>>;

/** As the settings say; what is built in is what PRF-9 asks for. */
export const limitsBy = (settings: Settings): Limits => {
  const { 'health.slowRecordMs': record, 'health.slowListMs': list, 'health.slowDiffMs': diff, 'health.slowRewindMs': rewind } = settings;
  return {
    event: record,
    checkpoint: record,
    preview: rewind,
    rollback: rewind,
    undo: rewind,
    redo: rewind,
    switch: rewind,
    merge: rewind,
    discard: rewind,
    revert: rewind,
    recover: rewind,
    keep: null,
    log: list,
    search: list,
    sessions: list,
    forks: list,
    compare: rewind,
    diff,
    blame: rewind,
    report: null,
    check: null,
    gc: null,
  };
};
