import { type DatabaseSync, effects, exists, openDatabase } from '../../host/index.ts';
import type { TimedKind } from './kinds.ts';

/** What several operations of one kind come to, in milliseconds. */
export interface Tally {
  readonly count: number;
  readonly total: number;
  readonly slowest: number;
  /** How many took longer than they may. */
  readonly slow: number;
  /** When the last one ended. */
  readonly last: string;
}

export interface StoredTallies {
  /** The first day of which something is known. */
  readonly since: string | null;
  readonly tallies: ReadonlyMap<TimedKind, Tally>;
}

/** How long a day's tallies are kept. */
const DAYS = 30;

const SCHEMA = `CREATE TABLE IF NOT EXISTS timings (
  day TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, total REAL NOT NULL, slowest REAL NOT NULL, slow INTEGER NOT NULL,
  last TEXT NOT NULL, PRIMARY KEY (day, kind)) STRICT`;

const ADD = `INSERT INTO timings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count,
  total = total + excluded.total, slowest = max(slowest, excluded.slowest), slow = slow + excluded.slow, last = max(last, excluded.last)`;

/** Adds to what this process and others wrote before. One that can't be used is thrown away; where that fails too, nothing is kept. */
export const addTallies = (path: string, tallies: ReadonlyMap<TimedKind, Tally>): void => {
  try {
    add(path, tallies);
  } catch {
    try {
      discard(path);
      add(path, tallies);
    } catch {
      // It is only for looking at.
    }
  }
};

/** What is known; nothing where the file is not there or can't be read. Changes nothing. */
export const readTallies = (path: string): StoredTallies => {
  try {
    return exists(path) ? inDatabase(path, read) : NOTHING;
  } catch {
    return NOTHING;
  }
};

const NOTHING: StoredTallies = { since: null, tallies: new Map() };

const add = (path: string, tallies: ReadonlyMap<TimedKind, Tally>): void =>
  inDatabase(path, (database) => {
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN IMMEDIATE; ${SCHEMA}`);
    const statement = database.prepare(ADD);
    for (const [kind, { count, total, slowest, slow, last }] of tallies)
      statement.run(last.slice(0, 10), kind, count, total, slowest, slow, last);
    database.prepare('DELETE FROM timings WHERE day < date((SELECT max(day) FROM timings), ?)').run(`-${DAYS} days`);
    database.exec('COMMIT');
  });

const read = (database: DatabaseSync): StoredTallies => {
  const rows = database
    .prepare(
      `SELECT kind, sum(count) AS count, sum(total) AS total, max(slowest) AS slowest, sum(slow) AS slow, max(last) AS last,
       min(day) AS since FROM timings GROUP BY kind ORDER BY kind`,
    )
    .all() as unknown as (Tally & { readonly kind: TimedKind; readonly since: string })[];
  const days = rows.map(({ since }) => since).sort();
  const tallies = rows.map(({ kind, count, total, slowest, slow, last }) => [kind, { count, total, slowest, slow, last }] as const);
  return { since: days[0] ?? null, tallies: new Map(tallies) };
};

/** Others write for moments only. */
const PATIENCE = 1000;

const inDatabase = <T>(path: string, work: (database: DatabaseSync) => T): T => {
  const database = openDatabase(path, { timeout: PATIENCE });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const discard = (path: string): void => {
  for (const suffix of ['', '-journal']) effects.removeTree(`${path}${suffix}`);
};
