import { join } from 'node:path';
import { readIfExists, replaceFile } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** When the store was looked after; ISO times. */
export interface UpkeepMemo {
  /** When that was begun last, however it ended. */
  readonly begunAt?: string;
  /** When all of it was packed into one last. */
  readonly packedAt?: string;
  /** Bytes that were given up to make room, and are not free yet. */
  readonly pending?: number;
  /** When that was, last. */
  readonly pendingSince?: string;
}

const memoOf = ({ data }: Pick<Workspace, 'data'>): string => join(data, 'upkeep.json');

/** What is torn or of another shape counts as nothing. */
export const readUpkeepMemo = (workspace: Pick<Workspace, 'data'>): UpkeepMemo => {
  try {
    const { begunAt, packedAt, pending, pendingSince } = JSON.parse(readIfExists(memoOf(workspace))?.toString() ?? '{}');
    return {
      ...(isTime(begunAt) && { begunAt }),
      ...(isTime(packedAt) && { packedAt }),
      ...(typeof pending === 'number' && { pending }),
      ...(isTime(pendingSince) && { pendingSince }),
    };
  } catch {
    return {};
  }
};

export const noteUpkeep = (workspace: Workspace, news: UpkeepMemo): void => {
  try {
    replaceFile(memoOf(workspace), Buffer.from(`${JSON.stringify({ ...readUpkeepMemo(workspace), ...news })}\n`));
  } catch (error) {
    // The work counts, not the note of it.
    if (!(error instanceof RetakeError)) throw error;
  }
};

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));
