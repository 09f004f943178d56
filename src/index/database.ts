import { statSync } from 'node:fs';
import { type DatabaseSync, effects, openDatabase } from '../host/index.ts';

export const SCHEMA_VERSION = 6;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS operations (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    checkpoint INTEGER NOT NULL,
    content INTEGER NOT NULL,
    name TEXT,
    note TEXT,
    description TEXT NOT NULL,
    event TEXT,
    turn INTEGER,
    line TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS by_session ON operations (session, sequence);
  CREATE INDEX IF NOT EXISTS by_event ON operations (session, event) WHERE event IS NOT NULL;
  CREATE INDEX IF NOT EXISTS prompts ON operations (sequence) WHERE kind = 'prompt';
  CREATE INDEX IF NOT EXISTS own_content ON operations (sequence) WHERE content = 1 AND line IS NULL;
  CREATE INDEX IF NOT EXISTS by_kind ON operations (kind, sequence);
  CREATE INDEX IF NOT EXISTS by_name ON operations (name) WHERE name IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deleted (id TEXT PRIMARY KEY, sequence INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS counts (
    id TEXT PRIMARY KEY,
    changed INTEGER NOT NULL,
    insertions INTEGER NOT NULL,
    deletions INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS memos (subject TEXT PRIMARY KEY, stamp TEXT NOT NULL, memo TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), last TEXT NOT NULL, sequence INTEGER NOT NULL) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const IN_MEMORY = ':memory:';

/** One that is damaged or of another version is thrown away; where the disk takes no file, it lives in memory. */
export const openWhereverPossible = (path: string): DatabaseSync => {
  // SQLite would wait for ever at the end of a pipe, and what is in a directory is not ours to throw away.
  if (inTheWay(path).length > 0) return openInMemory();
  try {
    return prepare(path);
  } catch (error) {
    if (isUnwritable(error)) return openInMemory();
    if (!isUnusable(error)) throw error;
    discardDatabase(path);
    return prepare(path);
  }
};

export const openInMemory = (): DatabaseSync => prepare(IN_MEMORY);

export const discardDatabase = (path: string): void => {
  const others = inTheWay(path);
  for (const file of filesOf(path)) if (!others.includes(file)) effects.removeTree(file);
};

/** The database and what SQLite puts beside it. */
export const filesOf = (path: string): string[] => ['', '-wal', '-shm'].map((suffix) => `${path}${suffix}`);

/** What stands where files of the database should be, and is no file. */
export const inTheWay = (path: string): string[] =>
  filesOf(path).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === false);

/** Milliseconds. */
const PATIENCE = 2000;
const PAUSE = 10;

/** Of two that open a new database at once, SQLite refuses one without waiting for the other, whatever its timeout. */
const prepare = (path: string): DatabaseSync => {
  const began = performance.now();
  for (;;) {
    try {
      return prepareOnce(path);
    } catch (error) {
      if (!isBusy(error) || performance.now() - began > PATIENCE) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
};

const prepareOnce = (path: string): DatabaseSync => {
  const database = openDatabase(path, { timeout: 10_000 });
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version !== 0 && version !== SCHEMA_VERSION) throw new OtherVersion();
    // Losing the last rows to a power cut is no loss: they are read from the log again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    if (version === 0) database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

class OtherVersion extends Error {}

const hasCode = (error: unknown, codes: readonly number[]): boolean =>
  // The lower byte is the kind of error, the rest its particulars.
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && codes.includes(error.errcode & 0xff);

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
export const isUnusable = (error: unknown): boolean => error instanceof OtherVersion || hasCode(error, [11, 26]);

/** SQLITE_BUSY. */
const isBusy = (error: unknown): boolean => hasCode(error, [5]);

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
export const isUnwritable = (error: unknown): boolean => hasCode(error, [8, 10, 13, 14]);
