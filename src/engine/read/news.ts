import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists } from '../../host/index.ts';
import type { Entry } from '../../index/index.ts';
import { LAST } from '../../store/index.ts';
import { type Place, STORE } from '../core/locate.ts';
import { identify, type Workspace } from '../core/workspace.ts';

/** A place in a log: right after one of its operations, or at its beginning. */
export interface LogPosition {
  /** Of that operation; 0 for the beginning. */
  readonly sequence: number;
  /** Its id, or the first digits of it. */
  readonly operation: string;
  /** Which log it is: a store that was removed and made anew begins another one. */
  readonly log: string;
}

export const BEGINNING: LogPosition = { sequence: 0, operation: '', log: '' };

/** What came after a position. */
export interface News {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Where they end. */
  readonly position: LogPosition;
  /** Where the log ends. */
  readonly end: LogPosition;
}

/** Where the log ends now. */
export const readLogEnd = (workspace: Workspace): LogPosition => {
  const newest = workspace.isProtected ? workspace.index.progress : undefined;
  return newest === undefined ? BEGINNING : { sequence: newest.sequence, operation: newest.last, log: logOf(workspace) };
};

/**
 * At most so many of those that came after a position. Undefined where that can not be told, because the position is of another log. That
 * its operation was given up meanwhile is no harm.
 */
export const readNews = (workspace: Workspace, after: LogPosition, most: number): News | undefined => {
  const end = readLogEnd(workspace);
  if (!isIn(workspace, after, end)) return undefined;
  if (after.sequence === end.sequence) return { entries: [], position: end, end };
  const entries = workspace.index.between(after.sequence, end.sequence, most);
  const last = entries.length < most ? undefined : entries.at(-1)?.operation;
  return { entries, position: last === undefined ? end : positionOf(last, end.log), end };
};

export const positionOf = ({ sequence, id }: Entry['operation'], log: string): LogPosition => ({ sequence, operation: id, log });

const isIn = (workspace: Workspace, { sequence, operation, log }: LogPosition, end: LogPosition): boolean => {
  if (sequence === 0) return true;
  if (sequence > end.sequence || log !== end.log) return false;
  const there = sequence === end.sequence ? end.operation : workspace.index.between(sequence - 1, sequence, 1)[0]?.operation.id;
  return there === undefined || there.startsWith(operation);
};

const logOf = ({ storePath }: Workspace): string => hash('sha256', identify(storePath) ?? '').slice(0, 8);

/** The directory in which something changes at the instant that an operation comes to exist. */
export const newsDirectory = ({ data }: Place): string => join(data, STORE, LAST, '..');

/** The same as long as nothing comes to the log; cheap to ask for. */
export const newsStamp = ({ data }: Place): string => {
  const store = join(data, STORE);
  return `${identify(store)} ${readIfExists(join(store, LAST))?.toString('latin1')}`;
};
