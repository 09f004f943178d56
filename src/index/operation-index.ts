import { type DatabaseSync, effects, openDatabase, type SQLInputValue, type StatementSync } from '../host/index.ts';
import {
  type Checkpoint,
  type Fork,
  isCheckpoint,
  type OperationId,
  type Recorded,
  type Rollback,
  type SessionId,
} from '../model/index.ts';

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

const SCHEMA_VERSION = 3;

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
    pinned INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS by_session ON operations (session, sequence);
  CREATE INDEX IF NOT EXISTS by_event ON operations (session, event) WHERE event IS NOT NULL;
  CREATE INDEX IF NOT EXISTS prompts ON operations (sequence) WHERE kind = 'prompt';
  CREATE INDEX IF NOT EXISTS by_name ON operations (name) WHERE name IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deleted (id TEXT PRIMARY KEY) STRICT;
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

interface Row {
  readonly name: string | null;
  readonly note: string | null;
  readonly pinned: number;
  readonly body: string;
}

/** What the log tells of an agent's session. */
export interface RecordedSession {
  readonly id: SessionId;
  readonly agent: string;
  /** The first prompt, if there was one. */
  readonly title: string | null;
  readonly turns: number;
  readonly steps: number;
  /** Its end was told, and nothing after it. */
  readonly isEnded: boolean;
  readonly startedAt: string;
  readonly lastAt: string;
}

/** How far the index has read the log. */
export interface Progress {
  readonly last: OperationId;
  readonly sequence: number;
}

/**
 * The read model of the log. Everything in it comes from the store and can be made again; it never knows something first.
 */
export class OperationIndex {
  readonly #path: string;
  readonly #refill: (index: OperationIndex) => void;
  #database: DatabaseSync;
  /** Asked again and again, a statement is worth keeping. */
  #statements = new Map<string, StatementSync>();

  private constructor(path: string, database: DatabaseSync, refill: (index: OperationIndex) => void) {
    this.#path = path;
    this.#database = database;
    this.#refill = refill;
  }

  /**
   * Opens the index. One that is damaged or of another version is thrown away; where the disk takes no file, it lives in
   * memory. `refill` reads the log into an index that turned out to be lost later.
   */
  static open(path: string, refill: (index: OperationIndex) => void): OperationIndex {
    return new OperationIndex(path, openWhereverPossible(path), refill);
  }

  static discard(path: string): void {
    for (const suffix of ['', '-wal', '-shm']) effects.removeTree(`${path}${suffix}`);
  }

  close(): void {
    this.#database.close();
  }

  get progress(): Progress | undefined {
    return this.#get<Progress>('SELECT last, sequence FROM progress', []);
  }

  clear(): void {
    this.#guard((database) =>
      database.exec('DELETE FROM operations; DELETE FROM deleted; DELETE FROM counts; DELETE FROM memos; DELETE FROM progress;'),
    );
  }

  /** Takes in operations, all or none; those it knows already, through another process, are passed over. */
  add(operations: readonly Recorded[], progress: Progress): void {
    this.#guard((database) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const known = this.progress?.sequence ?? 0;
        const run: Run = (sql, ...values) => this.#statement(sql).run(...values);
        for (const operation of operations) if (operation.sequence > known) take(run, operation);
        if (progress.sequence > known)
          run(
            'INSERT INTO progress VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET last = excluded.last, sequence = excluded.sequence',
            progress.last,
            progress.sequence,
          );
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Newest first. */
  list(options: { session?: SessionId | undefined; limit?: number | undefined } = {}): Entry[] {
    const { session = null, limit = -1 } = options;
    return this.#entries('WHERE ?1 IS NULL OR session = ?1 ORDER BY sequence DESC LIMIT ?2', [session, limit]);
  }

  get(id: OperationId): Entry | undefined {
    return this.#entries('WHERE id = ?', [id])[0];
  }

  byPrefix(prefix: string): Entry[] {
    return this.#entries('WHERE id >= ?1 AND id < ?2 ORDER BY sequence DESC LIMIT 10', [prefix, `${prefix}g`]);
  }

  byName(name: string): Entry[] {
    return this.#entries('WHERE name = ? AND checkpoint = 1 ORDER BY sequence DESC', [name]);
  }

  /** The `count` newest checkpoints, newest first; safety records don't count (CKP-6). */
  newestCheckpoints(count: number): Entry[] {
    return this.#entries("WHERE checkpoint = 1 AND kind <> 'safety' ORDER BY sequence DESC LIMIT ?", [count]);
  }

  /** The newest operation that holds a state of the workspace, whatever its kind; or the newest up to a sequence number. */
  newestContent({ upTo = Number.MAX_SAFE_INTEGER }: { upTo?: number } = {}): Recorded | undefined {
    return this.#entries('WHERE content = 1 AND sequence <= ? ORDER BY sequence DESC LIMIT 1', [upTo])[0]?.operation;
  }

  /** The newest record of an agent's event. */
  byEvent(session: SessionId, key: string): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries('WHERE session = ? AND event = ? ORDER BY sequence DESC LIMIT 1', [session, key]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest checkpoint made at an agent's event, of all sessions or one. */
  newestEvent({ upTo = Number.MAX_SAFE_INTEGER, session }: { upTo?: number; session?: SessionId } = {}): Recorded<Checkpoint> | undefined {
    const where = 'WHERE event IS NOT NULL AND sequence <= ?1 AND (?2 IS NULL OR session = ?2) ORDER BY sequence DESC LIMIT 1';
    return this.#entries(where, [upTo, session ?? null])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest rollback that changed which session the conversation goes on in; or the newest change, of any kind, to a session. */
  newestConversationChange(to?: SessionId): Recorded<Rollback | Fork> | undefined {
    const kinds = to === undefined ? "('rollback', 'undo')" : "('rollback', 'undo', 'fork')";
    const where = `WHERE kind IN ${kinds} AND body -> '$.conversation' IS NOT NULL AND body ->> '$.outcome' IS NOT 'taken-back'
      AND (?1 IS NULL OR body ->> '$.conversation.to' = ?1) ORDER BY sequence DESC LIMIT 1`;
    return this.#entries(where, [to ?? null])[0]?.operation as Recorded<Rollback | Fork> | undefined;
  }

  /** The newest that tells where the session's conversation is kept. */
  newestConversation(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = "WHERE session = ? AND body -> '$.event.conversation' IS NOT NULL ORDER BY sequence DESC LIMIT 1";
    return this.#entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The prompts that began a turn, of one session or of all, oldest first. */
  prompts(session?: SessionId): Recorded<Checkpoint>[] {
    const where = "WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL AND (?1 IS NULL OR session = ?1) ORDER BY sequence";
    const entries = this.#entries(where, [session ?? null]);
    return entries.map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  newestPrompt(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries("WHERE session = ? AND kind = 'prompt' ORDER BY sequence DESC LIMIT 1", [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest at which the agent could be told what there was to tell. */
  newestPromptTold(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = "WHERE session = ? AND kind = 'prompt' AND body -> '$.event.untold' IS NULL ORDER BY sequence DESC LIMIT 1";
    return this.#entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** How many turns a session has had, those included that it was made with. */
  countTurns(session: SessionId): number {
    const [newest] = this.#entries('WHERE session = ? AND event IS NOT NULL ORDER BY sequence DESC LIMIT 1', [session]);
    if (newest !== undefined) return (newest.operation as Recorded<Checkpoint>).event?.turn ?? 0;
    const made = `WHERE kind IN ('rollback', 'fork') AND body ->> '$.conversation.to' = ? ORDER BY sequence LIMIT 1`;
    return (this.#entries(made, [session])[0]?.operation as Recorded<Rollback | Fork> | undefined)?.conversation?.turnsBefore ?? 0;
  }

  /** What was recorded after a sequence number; safety records don't count. */
  countAfter(sequence: number): { checkpoints: number; turns: number; steps: number } {
    const sql = `SELECT count(*) AS checkpoints, count(*) FILTER (WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL) AS turns,
      count(*) FILTER (WHERE kind = 'after-step') AS steps
      FROM operations WHERE checkpoint = 1 AND kind <> 'safety' AND sequence > ?`;
    return this.#get(sql, [sequence]) ?? { checkpoints: 0, turns: 0, steps: 0 };
  }

  countLate(): number {
    return this.#get<{ n: number }>("SELECT count(*) AS n FROM operations WHERE body -> '$.event.late' IS NOT NULL", [])?.n ?? 0;
  }

  countManual(session: SessionId): number {
    return this.#get<{ n: number }>("SELECT count(*) AS n FROM operations WHERE kind = 'manual' AND session = ?", [session])?.n ?? 0;
  }

  sessions(): RecordedSession[] {
    const sql = `SELECT session AS id, count(*) FILTER (WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL) AS turns,
      count(*) FILTER (WHERE kind = 'after-step') AS steps, min(sequence) AS first, max(sequence) AS last,
      min(sequence) FILTER (WHERE kind = 'prompt') AS prompt FROM operations WHERE event IS NOT NULL GROUP BY session`;
    const rows = this.#guard(() => this.#statement(sql).all()) as unknown as (Pick<RecordedSession, 'id' | 'turns' | 'steps'> & {
      readonly first: number;
      readonly last: number;
      readonly prompt: number | null;
    })[];
    return rows.flatMap(({ id, turns, steps, first, last, prompt }) => {
      const begin = this.#bySequence(first);
      const end = this.#bySequence(last);
      if (begin?.event === undefined || end === undefined) return [];
      const title = (prompt === null ? undefined : this.#bySequence(prompt)?.description) ?? null;
      const isEnded = end.kind === 'session-end';
      return [{ id, agent: begin.event.place.agent, title, turns, steps, isEnded, startedAt: begin.createdAt, lastAt: end.createdAt }];
    });
  }

  #bySequence(sequence: number): Recorded<Checkpoint> | undefined {
    return this.#entries('WHERE sequence = ?', [sequence])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  rollbacks(): Entry[] {
    return this.#entries("WHERE kind IN ('rollback', 'undo') ORDER BY sequence DESC", []);
  }

  /** Live rollbacks that need this checkpoint to be undone or understood. */
  neededBy(id: OperationId): Recorded<Rollback>[] {
    return this.rollbacks()
      .map(({ operation }) => operation as Recorded<Rollback>)
      .filter(({ safety }) => safety === id);
  }

  /** Operations whose name, note or description hold every word. */
  search(words: readonly string[]): Entry[] {
    const text = "lower(coalesce(name, '') || char(10) || coalesce(note, '') || char(10) || description)";
    const conditions = words.map(() => `instr(${text}, lower(?)) > 0`).join(' AND ');
    return this.#entries(`WHERE checkpoint = 1 AND ${conditions} ORDER BY sequence DESC`, [...words]);
  }

  counts(id: OperationId): ChangeCounts | undefined {
    return this.#get<ChangeCounts>('SELECT changed, insertions, deletions FROM counts WHERE id = ?', [id]);
  }

  rememberCounts(id: OperationId, { changed, insertions, deletions }: ChangeCounts): void {
    this.#guard(() => this.#statement('INSERT OR IGNORE INTO counts VALUES (?, ?, ?, ?)').run(id, changed, insertions, deletions));
  }

  /** What was worked out about something that can be told to be the same by its stamp. */
  recall<T>(subject: string, stamp: string): T | undefined {
    const row = this.#get<{ memo: string }>('SELECT memo FROM memos WHERE subject = ? AND stamp = ?', [subject, stamp]);
    return row === undefined ? undefined : (JSON.parse(row.memo) as T);
  }

  rememberFor(subject: string, stamp: string, memo: unknown): void {
    const sql = 'INSERT INTO memos VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, memo = excluded.memo';
    this.#guard(() => this.#statement(sql).run(subject, stamp, JSON.stringify(memo)));
  }

  #entries(where: string, values: SQLInputValue[]): Entry[] {
    const sql = `SELECT name, note, pinned, body FROM operations ${where}`;
    const rows = this.#guard(() => this.#statement(sql).all(...values)) as unknown as Row[];
    return rows.map(({ name, note, pinned, body }) => ({ operation: JSON.parse(body), name, note, pinned: pinned === 1 }));
  }

  #get<T>(sql: string, values: SQLInputValue[]): T | undefined {
    return this.#guard(() => this.#statement(sql).get(...values)) as unknown as T | undefined;
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** Damage, or a disk that takes no more, shows at any statement: then the index is made anew, and the question asked again. */
  #guard<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.#database);
    } catch (error) {
      if (!isUnusable(error) && !isUnwritable(error)) throw error;
      this.#database.close();
      this.#statements = new Map();
      if (isUnusable(error)) OperationIndex.discard(this.#path);
      this.#database = isUnusable(error) ? openWhereverPossible(this.#path) : prepare(IN_MEMORY);
      this.#refill(this);
      return work(this.#database);
    }
  }
}

type Run = (sql: string, ...values: SQLInputValue[]) => void;

const take = (run: Run, operation: Recorded): void => {
  const { sequence, id, session, kind, description } = operation;
  const own = isCheckpoint(operation) ? operation : undefined;
  run(
    `INSERT OR IGNORE INTO operations (sequence, id, session, kind, checkpoint, content, name, note, description, event, body)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = ?2)`,
    sequence,
    id,
    session,
    kind,
    own ? 1 : 0,
    operation.state === null ? 0 : 1,
    own?.name ?? null,
    own?.note ?? null,
    description,
    own?.event?.key ?? null,
    JSON.stringify(operation),
  );
  if (operation.kind === 'note') run('UPDATE operations SET note = ? WHERE id = ?', operation.note || null, operation.target);
  if (operation.kind === 'pin') run('UPDATE operations SET pinned = ? WHERE id = ?', operation.pinned ? 1 : 0, operation.target);
  if (operation.kind === 'delete') {
    run('DELETE FROM operations WHERE id = ?', operation.target);
    run('INSERT OR IGNORE INTO deleted VALUES (?)', operation.target);
  }
};

const IN_MEMORY = ':memory:';

const openWhereverPossible = (path: string): DatabaseSync => {
  try {
    return prepare(path);
  } catch (error) {
    if (isUnwritable(error)) return prepare(IN_MEMORY);
    if (!isUnusable(error)) throw error;
    OperationIndex.discard(path);
    return prepare(path);
  }
};

const prepare = (path: string): DatabaseSync => {
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
const isUnusable = (error: unknown): boolean => error instanceof OtherVersion || hasCode(error, [11, 26]);

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
const isUnwritable = (error: unknown): boolean => hasCode(error, [8, 10, 13, 14]);
