import type { CheckpointKind, Line, OperationId, Recorded, SessionId } from '../model/index.ts';

/** An operation as queries see it: with what later operations said about it. */
export interface Entry {
  readonly operation: Recorded;
  readonly name: string | null;
  readonly note: string | null;
  readonly pinned: boolean;
}

/** +/- lines against the checkpoint before; worked out on first question and remembered. */
export interface ChangeCounts {
  readonly changed: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** What the log tells of an agent's session. */
export interface RecordedSession {
  readonly id: SessionId;
  readonly agent: string;
  /** The first prompt, if there was one. */
  readonly title: string | null;
  readonly steps: number;
  /** Its end was told, and nothing after it. */
  readonly isEnded: boolean;
  readonly line: Line;
  readonly startedAt: string;
  readonly lastAt: string;
}

/** A turn of a session, as it was recorded. */
export interface RecordedTurn {
  readonly session: SessionId;
  readonly turn: number;
  /** Its prompt; null where the turn was under way when recording began, or the record is deleted. */
  readonly prompt: OperationId | null;
  /** The agent's own name for that; null where no record tells. */
  readonly promptId: string | null;
  /** The event that told of the prompt, where that was before the turn began. */
  readonly queued: string | null;
  readonly checkpoints: number;
  readonly steps: number;
  /** The newest that holds a state of the code; a session's start may be long after the turn, and does not count. */
  readonly last: OperationId | null;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** A part of a list that is newest first: at most so many, of those before a sequence number. */
export interface Stretch {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface CheckpointFilter extends Stretch {
  readonly kind?: CheckpointKind | null | undefined;
  /** Of this tool alone. */
  readonly tool?: string | null | undefined;
  /** Of this subagent alone, or of an agent by its name for what it did itself. */
  readonly agentId?: string | null | undefined;
  /** Turns of the session that are not meant. */
  readonly withoutTurns?: readonly number[];
  /** Only some of these. */
  readonly among?: readonly OperationId[] | undefined;
}

/** Where a checkpoint is among those of its session. */
export interface CheckpointPlace {
  /** From 1 for the oldest. */
  readonly number: number;
  readonly total: number;
  readonly older: OperationId | null;
  readonly newer: OperationId | null;
}

/** Such a part, and how many there are on the whole. */
export interface Found {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** How far the index has read the log. */
export interface Progress {
  readonly last: OperationId;
  readonly sequence: number;
}
