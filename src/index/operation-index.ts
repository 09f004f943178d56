import {
  type Checkpoint,
  type Keep,
  type Line,
  lineOf,
  type OperationId,
  type Recorded,
  ROLLBACK_KINDS as ROLLBACKS,
  type Rollback,
  type SessionId,
  shortId,
} from '../model/index.ts';
import { discardDatabase } from './database.ts';
import { OWN, quote, STEP, TURN } from './own.ts';
import type { Entry, Found, Progress, Stretch } from './rows.ts';
import { SessionQueries } from './session-queries.ts';
import { take } from './take-in.ts';

/**
 * The read model of the log. Everything in it comes from the store and can be made again; it never knows something first.
 */
export class OperationIndex extends SessionQueries {
  readonly #refill: (index: OperationIndex) => void;

  private constructor(path: string, refill: (index: OperationIndex) => void) {
    super(path);
    this.#refill = refill;
  }

  /** Opens the index. `refill` reads the log into one that turned out to be lost later. */
  static open(path: string, refill: (index: OperationIndex) => void): OperationIndex {
    return new OperationIndex(path, refill);
  }

  static discard(path: string): void {
    discardDatabase(path);
  }

  protected override refill(): void {
    this.#refill(this);
  }

  clear(): void {
    this.guard((database) =>
      database.exec('DELETE FROM operations; DELETE FROM deleted; DELETE FROM counts; DELETE FROM memos; DELETE FROM progress;'),
    );
  }

  /** Takes in operations, all or none; those it knows already, through another process, are passed over. */
  add(operations: readonly Recorded[], progress: Progress): void {
    this.inTransaction((run) => {
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
    return this.entries(`${where} ORDER BY sequence DESC LIMIT ?2`, [session, limit, from, line]);
  }

  /** Every operation that it knows, with its number. */
  numbers(): readonly { readonly id: OperationId; readonly sequence: number }[] {
    return this.everything('SELECT id, sequence FROM operations');
  }

  /** The highest number that it knows; none where its own row says otherwise. */
  get highest(): number {
    const sql = "SELECT sequence, body ->> '$.sequence' AS told FROM operations ORDER BY sequence DESC LIMIT 1";
    const row = this.one<{ sequence: number; told: number }>(sql, []);
    return row !== undefined && row.sequence === row.told ? row.sequence : 0;
  }

  /** How many operations of this log are gone of which deletions and prunes tell. */
  countForgotten(): number {
    const sql = `SELECT coalesce(sum(CASE kind WHEN 'delete' THEN 1
      ELSE json_array_length(body, '$.targets') + (body ->> '$.toldOf') END), 0) AS n FROM operations WHERE kind IN ('delete', 'prune') AND ${OWN}`;
    return this.one<{ n: number }>(sql, [])?.n ?? 0;
  }

  /** Oldest first: those after one sequence number, up to another. */
  between(after: number, through: number, limit: number): Entry[] {
    return this.entries('WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?', [after, through, limit]);
  }

  get(id: OperationId): Entry | undefined {
    return this.entries('WHERE id = ?', [id])[0];
  }

  /** The ids that people are shown the same characters of. */
  idsLike(id: OperationId): OperationId[] {
    const prefix = shortId(id);
    const rows = this.guard(() => this.statement('SELECT id FROM operations WHERE id >= ? AND id < ?').all(prefix, `${prefix}g`));
    return (rows as { id: OperationId }[]).map((row) => row.id);
  }

  byPrefix(prefix: string): Entry[] {
    return this.entries('WHERE id >= ?1 AND id < ?2 ORDER BY sequence DESC LIMIT 10', [prefix, `${prefix}g`]);
  }

  /** The names of checkpoints, newest first, with what each of them is of. */
  names(limit: number): readonly { readonly word: string; readonly meaning: string }[] {
    const sql = `SELECT name AS word, coalesce(note, nullif(description, name), '') AS meaning, max(sequence) FROM operations
      WHERE name IS NOT NULL AND checkpoint = 1 GROUP BY name ORDER BY max(sequence) DESC LIMIT ${Math.trunc(limit)}`;
    return this.everything<{ word: string; meaning: string }>(sql).map(({ word, meaning }) => ({ word, meaning }));
  }

  /** What was made here wins over what was imported. */
  byName(name: string): Entry[] {
    const found = this.entries('WHERE name = ? AND checkpoint = 1 ORDER BY sequence DESC', [name]);
    const own = found.filter(({ operation }) => lineOf(operation) === null);
    return own.length > 0 ? own : found;
  }

  /** The `count` newest checkpoints made here, newest first; safety records don't count (CKP-6). */
  newestCheckpoints(count: number): Entry[] {
    return this.entries(`WHERE checkpoint = 1 AND kind <> 'safety' AND ${OWN} ORDER BY sequence DESC LIMIT ?`, [count]);
  }

  /** The newest operation that holds a state of this workspace, whatever its kind; or the newest up to a sequence number. */
  newestContent({ upTo = Number.MAX_SAFE_INTEGER, line = null }: { upTo?: number; line?: Line } = {}): Recorded | undefined {
    return this.entries('WHERE content = 1 AND sequence <= ? AND line IS ? ORDER BY sequence DESC LIMIT 1', [upTo, line])[0]?.operation;
  }

  /** The checkpoint that was made last before another one, on the same line. */
  checkpointBefore(operation: Recorded): Recorded<Checkpoint> | undefined {
    const where = 'WHERE checkpoint = 1 AND sequence < ? AND line IS ? ORDER BY sequence DESC LIMIT 1';
    return this.entries(where, [operation.sequence, lineOf(operation)])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** What was recorded here after a sequence number; safety records don't count. */
  countAfter(sequence: number): { checkpoints: number; turns: number; steps: number } {
    const sql = `SELECT count(*) AS checkpoints, count(*) FILTER (WHERE ${TURN}) AS turns,
      count(*) FILTER (WHERE ${STEP}) AS steps
      FROM operations WHERE checkpoint = 1 AND kind <> 'safety' AND ${OWN} AND sequence > ?`;
    return this.one(sql, [sequence]) ?? { checkpoints: 0, turns: 0, steps: 0 };
  }

  /** Those of this workspace or of another line, newest first. */
  rollbacks(line: Line = null): Entry[] {
    return this.entries(`WHERE kind IN (${ROLLBACKS.map(quote)}) AND line IS ? ORDER BY sequence DESC`, [line]);
  }

  /** What was recorded here of files outside the workspace, oldest first. */
  outsideRecords(): Recorded<Checkpoint | Rollback>[] {
    const where = `WHERE ${OWN} AND instr(body, '"outside":[') > 0 ORDER BY sequence`;
    return this.entries(where, []).map(({ operation }) => operation as Recorded<Checkpoint | Rollback>);
  }

  /** The same, with what git was moved by, which does not go back with the files either. */
  beyondTheFiles(): Recorded<Checkpoint | Rollback>[] {
    const where = `WHERE ${OWN} AND (instr(body, '"outside":[') > 0 OR instr(body, '"move":{') > 0) ORDER BY sequence`;
    return this.entries(where, []).map(({ operation }) => operation as Recorded<Checkpoint | Rollback>);
  }

  /** What came from elsewhere, by the exports that it came with. */
  importedLines(): string[] {
    return this.everything<{ line: string }>('SELECT DISTINCT line FROM operations WHERE line IS NOT NULL').map(({ line }) => line);
  }

  /** What was put into commits, of one session or of all, oldest first. */
  keeps(session?: SessionId, line: Line = null): Recorded<Keep>[] {
    const where = "WHERE kind = 'keep' AND (?1 IS NULL OR session = ?1) AND line IS ?2 ORDER BY sequence";
    return this.entries(where, [session ?? null, line]).map(({ operation }) => operation as Recorded<Keep>);
  }

  /** The number that a deleted operation had, as far as its deletion tells. */
  numberOfDeleted(id: OperationId): number | undefined {
    return this.one<{ sequence: number | null }>('SELECT sequence FROM deleted WHERE id = ?', [id])?.sequence ?? undefined;
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
    return this.found(`WHERE checkpoint = 1 AND ${conditions}`, [...words], stretch);
  }
}
