import type { RelativePath, RollbackScope, SessionId } from '../../model/index.ts';
import type { SessionExtent } from '../conversation/session-extent.ts';
import type { SessionSummary } from '../conversation/sessions.ts';
import type { LogEntry } from '../read/log.ts';
import type { Remaining } from '../read/remaining.ts';
import type { ReportFile } from './report-file.ts';

/** What an agent did in one session, for people who review it. The texts of diffs are read when they are asked for, file by file. */
export interface Report {
  readonly workspace: string;
  readonly madeAt: string;
  readonly session: SessionSummary;
  /** Turns and steps as the session tells them. */
  readonly counts: { readonly turns: number; readonly steps: number; readonly rollbacks: number };
  /** How much its edits wrote and took out, one by one, of what is in the present. */
  readonly edits: SessionExtent;
  /** What they come to: what the agent changed, without what was taken back. */
  readonly files: readonly ReportFile[];
  /** What was recorded before the first prompt comes in a turn without a number. */
  readonly turns: readonly ReportTurn[];
  readonly leftOut: readonly LeftOut[];
}

export interface ReportTurn {
  /** Counted along the branch of the conversation; null before the first prompt. */
  readonly number: number | null;
  /** All of it, or its first line where the conversation is gone. */
  readonly prompt: string | null;
  readonly at: string | null;
  /** What of it was taken back since. */
  readonly rolledBack: RollbackScope | null;
  /** What is still there of it all the same. */
  readonly remaining: Remaining | null;
  readonly happenings: readonly Happening[];
  /** What the agent said last; null where it said nothing, or the conversation is gone. */
  readonly lastWords: string | null;
  /** What the agent changed in it, whatever became of that. */
  readonly files: readonly ReportFile[];
}

/**
 * What is told of a turn, in order: a `step` of the agent, changes by `others` between steps, words that were `added` while the agent worked,
 * and a `moment` that the log holds besides, such as a rollback, a fork or a checkpoint made by hand.
 */
export interface Happening {
  readonly is: 'step' | 'others' | 'added' | 'moment';
  readonly entry: LogEntry;
  /** The files that changed, in path order. */
  readonly paths: readonly RelativePath[];
}

/** What the report does not show, and why. */
export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/** With whom the agent may share what changed in a file. */
export interface SharedWith {
  /** Other sessions whose steps ran at the same time. */
  readonly sessions: readonly SessionId[];
  /** It was also changed by somebody else while the session lasted. */
  readonly others: boolean;
}
