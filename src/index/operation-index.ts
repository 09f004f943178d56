import type { DatabaseSync, SQLInputValue, StatementSync } from '../host/index.ts';
import {
  type Checkpoint,
  type CheckpointKind,
  type Fork,
  type FoundFork,
  isCheckpoint,
  type Keep,
  type Line,
  lineOf,
  type OperationId,
  type Recorded,
  ROLLBACK_KINDS as ROLLBACKS,
  type Rollback,
  type SessionId,
} from '../model/index.ts';
import { discardDatabase, isUnusable, isUnwritable, openInMemory, openWhereverPossible } from './database.ts';

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
  readonly line: Line;
  readonly startedAt: string;
  readonly lastAt: string;
}

/** A turn of a session, as it was recorded. */
export interface RecordedTurn {
  readonly session: SessionId;
  readonly turn: number;
  /** Its prompt, and the agent's own name for that; null where the turn was under way when recording began, or the record is deleted. */
  readonly prompt: OperationId | null;
  readonly promptId: string | null;
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

/**
 * The read model of the log. Everything in it comes from the store and can be made again; it never knows something first.
 */
export class OperationIndex {
  readonly #path: string;
  readonly #refill: (index: OperationIndex) => void;
  #database: DatabaseSync;
  /** Asked again and again, a statement is worth keeping. */
  #statements = new Map<string, StatementSync>();
  /** What was read of all operations, as long as no other one came. */
  #read: { readonly last: OperationId | undefined; readonly rows: Map<string, unknown[]> } | undefined;

  private constructor(path: string, database: DatabaseSync, refill: (index: OperationIndex) => void) {
    this.#path = path;
    this.#database = database;
    this.#refill = refill;
  }

  /** Opens the index. `refill` reads the log into one that turned out to be lost later. */
  static open(path: string, refill: (index: OperationIndex) => void): OperationIndex {
    return new OperationIndex(path, openWhereverPossible(path), refill);
  }

  static discard(path: string): void {
    discardDatabase(path);
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
    this.#inTransaction((run) => {
      const known = this.progress?.sequence ?? 0;
      for (const operation of operations) if (operation.sequence > known) take(run, operation);
      if (progress.sequence > known)
        run(
          'INSERT INTO progress VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET last = excluded.last, sequence = excluded.sequence',
          progress.last,
          progress.sequence,
        );
    });
  }

  /** Newest first; all lines unless one is named. */
  list(options: { session?: SessionId | undefined; limit?: number | undefined; from?: number; line?: Line } = {}): Entry[] {
    const { session = null, limit = -1, from = 0, line = null } = options;
    const where = `WHERE (?1 IS NULL OR session = ?1) AND sequence >= ?3 AND (${Number(!('line' in options))} OR line IS ?4)`;
    return this.#entries(`${where} ORDER BY sequence DESC LIMIT ?2`, [session, limit, from, line]);
  }

  /** Oldest first: those after one sequence number, up to another. */
  between(after: number, through: number, limit: number): Entry[] {
    return this.#entries('WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?', [after, through, limit]);
  }

  get(id: OperationId): Entry | undefined {
    return this.#entries('WHERE id = ?', [id])[0];
  }

  byPrefix(prefix: string): Entry[] {
    return this.#entries('WHERE id >= ?1 AND id < ?2 ORDER BY sequence DESC LIMIT 10', [prefix, `${prefix}g`]);
  }

  /** What was made here wins over what was imported. */
  byName(name: string): Entry[] {
    const found = this.#entries('WHERE name = ? AND checkpoint = 1 ORDER BY sequence DESC', [name]);
    const own = found.filter(({ operation }) => lineOf(operation) === null);
    return own.length > 0 ? own : found;
  }

  /** The `count` newest checkpoints made here, newest first; safety records don't count (CKP-6). */
  newestCheckpoints(count: number): Entry[] {
    return this.#entries(`WHERE checkpoint = 1 AND kind <> 'safety' AND ${OWN} ORDER BY sequence DESC LIMIT ?`, [count]);
  }

  /** When agents' sessions began or were gone on with here, newest first. */
  sessionStarts(count: number): Recorded<Checkpoint>[] {
    const entries = this.#entries(`WHERE kind = 'session-start' AND ${OWN} ORDER BY sequence DESC LIMIT ?`, [count]);
    return entries.map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  /** The newest operation that holds a state of this workspace, whatever its kind; or the newest up to a sequence number. */
  newestContent({ upTo = Number.MAX_SAFE_INTEGER, line = null }: { upTo?: number; line?: Line } = {}): Recorded | undefined {
    return this.#entries('WHERE content = 1 AND sequence <= ? AND line IS ? ORDER BY sequence DESC LIMIT 1', [upTo, line])[0]?.operation;
  }

  /** Every session that something belongs to. */
  sessionIds(): SessionId[] {
    return this.#all<{ session: SessionId }>('SELECT DISTINCT session FROM operations').map(({ session }) => session);
  }

  /** A session's checkpoints, newest first from a sequence number down, and how many there are on the whole. */
  checkpointsOf(session: SessionId, { before, limit, ...filter }: CheckpointFilter): Found {
    const { where, values } = chosen(session, filter);
    return this.#found(where, values, { before, limit });
  }

  /** The tools and the agents that steps of a session are told of, in the order of the alphabet. */
  doersOf(session: SessionId): { readonly tools: readonly string[]; readonly agents: readonly string[] } {
    const distinct = (what: string): string[] =>
      (
        this.#guard(() =>
          this.#statement(
            `SELECT DISTINCT ${what} AS one FROM operations WHERE checkpoint = 1 AND session = ? AND one IS NOT NULL ORDER BY one`,
          ).all(session),
        ) as { one: string }[]
      ).map(({ one }) => one);
    return { tools: distinct(TOOL), agents: distinct(AGENT) };
  }

  /** Where one of them is among them: how many are newer, and those beside it. */
  placeOf(session: SessionId, sequence: number, filter: Omit<CheckpointFilter, 'before' | 'limit'>): CheckpointPlace {
    const { where, values } = chosen(session, filter);
    const at = `?${values.length + 1}`;
    const one = (condition: string, order: string): OperationId | null =>
      this.#get<{ id: OperationId }>(
        `SELECT id FROM operations ${where} AND sequence ${condition} ${at} ORDER BY sequence ${order} LIMIT 1`,
        [...values, sequence],
      )?.id ?? null;
    const count = (condition: string): number =>
      this.#get<{ n: number }>(`SELECT count(*) AS n FROM operations ${where} AND sequence ${condition} ${at}`, [...values, sequence])?.n ??
      0;
    const older = count('<');
    return { number: older + 1, total: older + count('>='), older: one('<', 'DESC'), newer: one('>', 'ASC') };
  }

  /** The first checkpoint that belongs to a session. */
  firstCheckpointOf(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries("WHERE session = ? AND checkpoint = 1 AND kind <> 'safety' ORDER BY sequence LIMIT 1", [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The checkpoint that was made last before another one, on the same line. */
  checkpointBefore(operation: Recorded): Recorded<Checkpoint> | undefined {
    const where = 'WHERE checkpoint = 1 AND sequence < ? AND line IS ? ORDER BY sequence DESC LIMIT 1';
    return this.#entries(where, [operation.sequence, lineOf(operation)])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest checkpoint that belongs to a session. */
  newestCheckpointOf(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries("WHERE session = ? AND checkpoint = 1 AND kind <> 'safety' ORDER BY sequence DESC LIMIT 1", [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest record of an agent's event here. */
  byEvent(session: SessionId, key: string): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries(`WHERE session = ? AND event = ? AND ${OWN} ORDER BY sequence DESC LIMIT 1`, [session, key]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest checkpoint made at an agent's event, of this workspace or of another line. */
  newestEvent({ upTo = Number.MAX_SAFE_INTEGER, line = null }: { upTo?: number; line?: Line } = {}): Recorded<Checkpoint> | undefined {
    const where = 'WHERE event IS NOT NULL AND sequence <= ?1 AND line IS ?2 ORDER BY sequence DESC LIMIT 1';
    return this.#entries(where, [upTo, line])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The first that was recorded of a session. */
  firstEvent(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries('WHERE event IS NOT NULL AND session = ? ORDER BY sequence LIMIT 1', [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest rollback here that changed which session the conversation goes on in; or the newest change, of any kind, to a session. */
  newestConversationChange(to?: SessionId): Recorded<Rollback | Fork> | undefined {
    const kinds = to === undefined ? ROLLBACKS : [...ROLLBACKS, 'fork'];
    const where = `WHERE kind IN (${kinds.map(quote)}) AND body -> '$.conversation' IS NOT NULL AND body ->> '$.outcome' IS NOT 'taken-back'
      AND (CASE WHEN ?1 IS NULL THEN ${OWN} ELSE body ->> '$.conversation.to' = ?1 END) ORDER BY sequence DESC LIMIT 1`;
    return this.#entries(where, [to ?? null])[0]?.operation as Recorded<Rollback | Fork> | undefined;
  }

  /** The newest that tells where the session's conversation is kept. */
  newestConversation(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = "WHERE session = ? AND body -> '$.event.conversation' IS NOT NULL ORDER BY sequence DESC LIMIT 1";
    return this.#entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** Where the agents said that they keep their conversations. */
  toldTranscripts(): readonly { session: SessionId; agent: string; path: string }[] {
    const sql = `SELECT session, max(sequence), body ->> '$.event.place.agent' AS agent,
      body ->> '$.event.conversation.transcript' AS path FROM operations
      WHERE kind IN ('prompt', 'session-start') AND path IS NOT NULL GROUP BY session`;
    return this.#all(sql);
  }

  /** The prompts that began a turn, of one session or of all, oldest first; those made here after all others. */
  prompts(session?: SessionId): Recorded<Checkpoint>[] {
    const where =
      "WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL AND (?1 IS NULL OR session = ?1) ORDER BY line IS NULL, sequence";
    const entries = this.#entries(where, [session ?? null]);
    return entries.map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  newestPrompt(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.#entries(`WHERE session = ? AND kind = 'prompt' AND ${OWN} ORDER BY sequence DESC LIMIT 1`, [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest at which the agent could be told what there was to tell. */
  newestPromptTold(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = `WHERE session = ? AND kind = 'prompt' AND body -> '$.event.untold' IS NULL AND ${OWN} ORDER BY sequence DESC LIMIT 1`;
    return this.#entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** How many turns a session has had, those included that it was made with. */
  countTurns(session: SessionId): number {
    const [newest] = this.#entries(`WHERE session = ? AND event IS NOT NULL AND ${OWN} ORDER BY sequence DESC LIMIT 1`, [session]);
    if (newest !== undefined) return (newest.operation as Recorded<Checkpoint>).event?.turn ?? 0;
    const made = `WHERE kind IN (${[...ROLLBACKS, 'fork'].map(quote)}) AND body ->> '$.conversation.to' = ? ORDER BY sequence LIMIT 1`;
    return (this.#entries(made, [session])[0]?.operation as Recorded<Rollback | Fork> | undefined)?.conversation?.turnsBefore ?? 0;
  }

  /** What was recorded here after a sequence number; safety records don't count. */
  countAfter(sequence: number): { checkpoints: number; turns: number; steps: number } {
    const sql = `SELECT count(*) AS checkpoints, count(*) FILTER (WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL) AS turns,
      count(*) FILTER (WHERE kind = 'after-step') AS steps
      FROM operations WHERE checkpoint = 1 AND kind <> 'safety' AND ${OWN} AND sequence > ?`;
    return this.#get(sql, [sequence]) ?? { checkpoints: 0, turns: 0, steps: 0 };
  }

  countLate(): number {
    const sql = `SELECT count(*) AS n FROM operations WHERE body -> '$.event.late' IS NOT NULL AND ${OWN}`;
    return this.#get<{ n: number }>(sql, [])?.n ?? 0;
  }

  countManual(session: SessionId): number {
    const sql = `SELECT count(*) AS n FROM operations WHERE kind = 'manual' AND session = ? AND ${OWN}`;
    return this.#get<{ n: number }>(sql, [session])?.n ?? 0;
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
      const { event, createdAt: startedAt } = begin;
      return [{ id, agent: event.place.agent, title, turns, steps, isEnded, line: lineOf(begin), startedAt, lastAt: end.createdAt }];
    });
  }

  /** Every turn of every session, oldest first; those made here after all others. */
  turns(): readonly RecordedTurn[] {
    const sql = `SELECT session, turn, count(*) AS checkpoints, count(*) FILTER (WHERE kind = 'after-step') AS steps,
      max(id) FILTER (WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL) AS prompt,
      max(body ->> '$.event.place.promptId') FILTER (WHERE kind = 'prompt' AND body -> '$.event.added' IS NULL) AS promptId,
      min(sequence) AS firstSequence, coalesce(max(sequence) FILTER (WHERE kind <> 'session-start'), 0) AS lastSequence
      FROM operations WHERE turn > 0 GROUP BY session, turn`;
    const all = `SELECT t.*, o.id AS last FROM (${sql}) AS t LEFT JOIN operations AS o ON o.sequence = t.lastSequence
      ORDER BY o.line IS NULL, lastSequence`;
    return this.#all(all);
  }

  /** The forks found so far, newest first. */
  foundForks(): Recorded<FoundFork>[] {
    return this.#entries("WHERE kind = 'fork-point' ORDER BY sequence DESC", []).map(({ operation }) => operation as Recorded<FoundFork>);
  }

  #bySequence(sequence: number): Recorded<Checkpoint> | undefined {
    return this.#entries('WHERE sequence = ?', [sequence])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** Those of this workspace or of another line, newest first. */
  rollbacks(line: Line = null): Entry[] {
    return this.#entries(`WHERE kind IN (${ROLLBACKS.map(quote)}) AND line IS ? ORDER BY sequence DESC`, [line]);
  }

  /** What came from elsewhere, by the exports that it came with. */
  importedLines(): string[] {
    return this.#all<{ line: string }>('SELECT DISTINCT line FROM operations WHERE line IS NOT NULL').map(({ line }) => line);
  }

  /** Every change that an agent made, as it was recorded, oldest first. */
  steps(): readonly { id: OperationId; sequence: number; session: SessionId; line: Line }[] {
    const sql = `SELECT id, sequence, session, line FROM operations
      WHERE (kind = 'after-step' OR (kind = 'turn-end' AND body -> '$.event.beside' IS NOT NULL))
        AND json_array_length(body, '$.event.touches') IS NOT 0 ORDER BY sequence`;
    return this.#all(sql);
  }

  /** What was put into commits, of one session or of all, oldest first. */
  keeps(session?: SessionId, line: Line = null): Recorded<Keep>[] {
    const where = "WHERE kind = 'keep' AND (?1 IS NULL OR session = ?1) AND line IS ?2 ORDER BY sequence";
    return this.#entries(where, [session ?? null, line]).map(({ operation }) => operation as Recorded<Keep>);
  }

  /** The number that a deleted operation had, as far as its deletion tells. */
  numberOfDeleted(id: OperationId): number | undefined {
    return this.#get<{ sequence: number | null }>('SELECT sequence FROM deleted WHERE id = ?', [id])?.sequence ?? undefined;
  }

  /** Live rollbacks that need this checkpoint to be undone. */
  neededBy(id: OperationId): Recorded<Rollback>[] {
    return [null, ...this.importedLines()]
      .flatMap((line) => this.rollbacks(line))
      .map(({ operation }) => operation as Recorded<Rollback>)
      .filter(({ safety }) => safety === id);
  }

  /** Checkpoints whose name, note or description hold every word, newest first. */
  search(words: readonly string[], stretch: Stretch = {}): Found {
    const text = "lower(coalesce(name, '') || char(10) || coalesce(note, '') || char(10) || description)";
    const conditions = words.map((_, at) => `instr(${text}, lower(?${at + 1})) > 0`).join(' AND ');
    return this.#found(`WHERE checkpoint = 1 AND ${conditions}`, [...words], stretch);
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

  /** All that is remembered of subjects that begin like this, by what follows. */
  recallAll(beginning: string): Map<string, { readonly stamp: string; readonly memo: string }> {
    const sql = 'SELECT substr(subject, ?2) AS rest, stamp, memo FROM memos WHERE subject >= ?1 AND subject < ?3';
    const rows = this.#guard(() => this.#statement(sql).all(beginning, beginning.length + 1, `${beginning}\uffff`));
    return new Map((rows as unknown as { rest: string; stamp: string; memo: string }[]).map(({ rest, ...memo }) => [rest, memo]));
  }

  rememberFor(subject: string, stamp: string, memo: unknown): void {
    this.rememberAll([{ subject, stamp, memo }]);
  }

  rememberAll(memos: readonly { readonly subject: string; readonly stamp: string; readonly memo: unknown }[]): void {
    if (memos.length === 0) return;
    const sql = 'INSERT INTO memos VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, memo = excluded.memo';
    this.#inTransaction((run) => {
      for (const { subject, stamp, memo } of memos) run(sql, subject, stamp, JSON.stringify(memo));
    });
  }

  /** All of it or nothing. */
  #inTransaction(work: (run: Run) => void): void {
    this.#guard((database) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        work((sql, ...values) => this.#statement(sql).run(...values));
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #found(where: string, values: SQLInputValue[], { before = Number.MAX_SAFE_INTEGER, limit = -1 }: Stretch): Found {
    const page = `${where} AND sequence < ?${values.length + 1} ORDER BY sequence DESC LIMIT ?${values.length + 2}`;
    const entries = this.#entries(page, [...values, before, limit]);
    return { entries, total: this.#get<{ n: number }>(`SELECT count(*) AS n FROM operations ${where}`, values)?.n ?? 0 };
  }

  #entries(where: string, values: SQLInputValue[]): Entry[] {
    const sql = `SELECT name, note, pinned, body FROM operations ${where}`;
    const rows = this.#guard(() => this.#statement(sql).all(...values)) as unknown as Row[];
    return rows.map(({ name, note, pinned, body }) => ({ operation: JSON.parse(body), name, note, pinned: pinned === 1 }));
  }

  /** For questions that go through all operations, and are asked several times over: read again when there are others. */
  #all<T>(sql: string): readonly T[] {
    const { last } = this.progress ?? {};
    if (this.#read === undefined || this.#read.last !== last) this.#read = { last, rows: new Map() };
    const known = this.#read.rows.get(sql) ?? this.#guard(() => this.#statement(sql).all());
    this.#read?.rows.set(sql, known);
    return known as readonly T[];
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
      this.#read = undefined;
      if (isUnusable(error)) discardDatabase(this.#path);
      this.#database = isUnusable(error) ? openWhereverPossible(this.#path) : openInMemory();
      this.#refill(this);
      return work(this.#database);
    }
  }
}

/** Recorded in this workspace, not imported into it. */
const OWN = 'line IS NULL';

const quote = (word: string): string => `'${word}'`;

type Run = (sql: string, ...values: SQLInputValue[]) => void;

export const take = (run: Run, operation: Recorded): void => {
  const { sequence, id, session, kind, description } = operation;
  const own = isCheckpoint(operation) ? operation : undefined;
  run(
    `INSERT OR IGNORE INTO operations (sequence, id, session, kind, checkpoint, content, name, note, description, event, turn, line, body)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = ?2)`,
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
    own?.event?.turn ?? null,
    lineOf(operation),
    JSON.stringify(operation),
  );
  if (operation.kind === 'name') run('UPDATE operations SET name = ? WHERE id = ?', operation.name || null, operation.target);
  if (operation.kind === 'note') run('UPDATE operations SET note = ? WHERE id = ?', operation.note || null, operation.target);
  if (operation.kind === 'pin') run('UPDATE operations SET pinned = ? WHERE id = ?', operation.pinned ? 1 : 0, operation.target);
  if (operation.kind === 'prune') for (const target of operation.targets) forget(run, target);
  if (operation.kind === 'delete') {
    forget(run, operation.target);
    run('INSERT OR IGNORE INTO deleted VALUES (?, ?)', operation.target, operation.was ?? null);
  }
};

/** What the record after it changed was counted from it. */
const forget = (run: Run, id: OperationId): void => {
  const sequence = '(SELECT sequence FROM operations WHERE id = ?1)';
  const next = `(SELECT id FROM operations WHERE content = 1 AND sequence > ${sequence} ORDER BY sequence LIMIT 1)`;
  run(`DELETE FROM counts WHERE id = ?1 OR id = ${next}`, id);
  run('DELETE FROM operations WHERE id = ?', id);
};

/** What an agent's event was of; a subagent by its id, an agent by its name for what it did itself. */
const TOOL = "body ->> '$.event.place.tool'";
const AGENT = "coalesce(body ->> '$.event.place.agentId', body ->> '$.event.place.agent')";

/** The checkpoints of a session that are meant. */
const chosen = (session: SessionId, { kind = null, tool = null, agentId = null, withoutTurns = [] }: CheckpointFilter) => ({
  where: `WHERE checkpoint = 1 AND session = ?1 AND (?2 IS NULL OR kind = ?2)
      AND (turn IS NULL OR turn NOT IN (SELECT value FROM json_each(?3)))
      AND (?4 IS NULL OR ${TOOL} = ?4) AND (?5 IS NULL OR ${AGENT} = ?5)`,
  values: [session, kind, JSON.stringify(withoutTurns), tool, agentId],
});
