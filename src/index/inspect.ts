import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DatabaseSync, exists, openDatabase, withCopies } from '../host/index.ts';
import { isObjectId, type Recorded } from '../model/index.ts';
import { filesOf, inTheWay, isUnusable, openInMemory, SCHEMA_VERSION } from './database.ts';
import type { Progress } from './rows.ts';
import { take } from './take-in.ts';

/** How the index stands. Whatever it is, it can be made again from the log. */
export type IndexState =
  | { readonly is: 'sound' }
  /** It has not read all of the log yet, or is of another version: the next question sees to that. */
  | { readonly is: 'behind' }
  | { readonly is: 'damaged'; readonly problem: string };

export interface LogToCompare {
  /** All that can be read. */
  readonly operations: readonly Recorded[];
  /** Whether that is all there is. */
  readonly isWhole: boolean;
  readonly newest: Progress;
  /** Whether to look at every page. */
  readonly full: boolean;
}

const SOUND: IndexState = { is: 'sound' };

/** Looks at a copy, because SQLite writes when it reads: files that accompany a database come and go. */
export const inspectIndex = (path: string, log: LogToCompare): IndexState => {
  const [other] = inTheWay(path);
  if (other !== undefined) return { is: 'damaged', problem: `${basename(other)} is no file` };
  for (let tries = 1; ; tries++) {
    const before = stampOf(path);
    const state = inspectCopy(path, log);
    // A copy that was made while others wrote may be torn by that alone.
    if (state.is !== 'damaged' || stampOf(path) === before || tries === ATTEMPTS) return state;
  }
};

const ATTEMPTS = 3;

const stampOf = (path: string): string =>
  filesToCopy(path)
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.size} ${stat?.mtimeMs}`)
    .join();

/** What says which processes are reading is of no use beside a copy. */
const filesToCopy = (path: string): string[] => filesOf(path).filter((file) => !file.endsWith('-shm'));

const inspectCopy = (path: string, { operations, isWhole, newest, full }: LogToCompare): IndexState =>
  withCopies(filesToCopy(path), (directory) => {
    const database = openDatabase(join(directory, basename(path)));
    try {
      const problem = structureProblem(database, full);
      if (problem !== null) return { is: 'damaged', problem };
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      const progress = version === SCHEMA_VERSION ? database.prepare('SELECT last, sequence FROM progress').get() : undefined;
      if (progress?.last !== newest.last || progress.sequence !== newest.sequence) return { is: 'behind' };
      const differing = firstDifference(database, operations, isWhole);
      return differing === undefined ? SOUND : { is: 'damaged', problem: `what it says of ${differing} is not what the log says` };
    } catch (error) {
      if (!isUnusable(error) && !isSqlError(error)) throw error;
      return { is: 'damaged', problem: (error as Error).message };
    } finally {
      database.close();
    }
  });

const structureProblem = (database: DatabaseSync, full: boolean): string | null => {
  const found = database.prepare(full ? 'PRAGMA integrity_check(1)' : 'PRAGMA quick_check(1)').get() ?? {};
  const said = String(Object.values(found)[0]);
  return said === 'ok' ? null : said;
};

/** SQLITE_ERROR: a table that should be there is not. */
const isSqlError = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 1;

const firstDifference = (database: DatabaseSync, operations: readonly Recorded[], isWhole: boolean): string | undefined => {
  const fresh = openInMemory();
  try {
    fresh.exec('BEGIN');
    for (const operation of operations) take((sql, ...values) => fresh.prepare(sql).run(...values), operation);
    fresh.exec('COMMIT');
    const [found, wanted] = [rowsOf(database), rowsOf(fresh)];
    const ids = [...new Set([...found.keys(), ...wanted.keys()])];
    // What can't be read in the log may have said something of others, and the index may know it still.
    if (!isWhole) return ids.find((id) => found.has(id) && wanted.has(id) && !sameBody(found.get(id), wanted.get(id)));
    return ids.find((id) => !sameBody(found.get(id), wanted.get(id)) || !isDeepStrictEqual(rest(found.get(id)), rest(wanted.get(id))));
  } finally {
    fresh.close();
  }
};

type Row = Record<string, unknown>;

const rowsOf = (database: DatabaseSync): Map<string, Row> =>
  new Map(
    database
      .prepare('SELECT * FROM operations ORDER BY sequence')
      .all()
      .map((row) => [String(row.id), row]),
  );

/** The fields of an operation may stand in another order. */
const sameBody = (a: Row | undefined, b: Row | undefined): boolean => {
  try {
    return a?.body === b?.body || isDeepStrictEqual(JSON.parse(String(a?.body)), JSON.parse(String(b?.body)));
  } catch {
    return false;
  }
};

const rest = ({ body: _, ...row }: Row = {}): Row => row;

/** What the index says that was recorded, as far as it can be read: it may know operations that the log has lost. */
export const readBodies = (path: string): Recorded[] => {
  if (!exists(path) || inTheWay(path).length > 0) return [];
  return withCopies(filesToCopy(path), (directory) => {
    const database = openDatabase(join(directory, basename(path)));
    try {
      return [...rowsOf(database).values()].flatMap(parseRow);
    } catch {
      return [];
    } finally {
      database.close();
    }
  });
};

/** Nothing where it is not an operation, or not with the number that it stands under: the database may be damaged. */
const parseRow = ({ sequence, body }: Row): Recorded[] => {
  try {
    const value = JSON.parse(String(body)) as Partial<Recorded> | null;
    const { state } = value ?? {};
    const isState = state === null || (isId(state?.files) && (state?.meta === null || isId(state?.meta)));
    const isOperation = isId(value?.id) && typeof value?.kind === 'string' && !Number.isNaN(Date.parse(String(value.createdAt)));
    return isOperation && value?.sequence === sequence && isState ? [value as Recorded] : [];
  } catch {
    return [];
  }
};

const isId = (value: unknown): boolean => typeof value === 'string' && isObjectId(value);
