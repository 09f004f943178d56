import type { LogEntry } from '../engine/index.ts';
import { isCheckpoint } from '../model/index.ts';
import { describeCounts } from './output.ts';

/** What a record changed; the first one has nothing to differ from. */
export const describeChanges = ({ operation, counts }: Pick<LogEntry, 'operation' | 'counts'>): string =>
  isCheckpoint(operation) && operation.previous === null ? 'first record' : describeCounts(counts);
