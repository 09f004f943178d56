import type { DatabaseSync, SQLInputValue, StatementSync } from '../host/index.ts';
import type { OperationId } from '../model/index.ts';
import { discardDatabase, isUnusable, isUnwritable, openInMemory, openWhereverPossible } from './database.ts';
import type { ChangeCounts, Entry, Found, Progress, Stretch } from './rows.ts';
import type { Run } from './take-in.ts';

interface Row {
  readonly name: string | null;
  readonly note: string | null;
  readonly pinned: number;
  readonly body: string;
}

/** The database of the read model: how questions are put to it, what is remembered in it, and what happens when it is damaged. */
export abstract class Tables {
  readonly #path: string;
  #database: DatabaseSync;
  /** Asked again and again, a statement is worth keeping. */
  #statements = new Map<string, StatementSync>();
  /** What was read of all operations, as long as no other one came. */
  #read: { readonly last: OperationId | undefined; readonly rows: Map<string, unknown[]> } | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#database = openWhereverPossible(path);
  }

  /** Reads the log into it, when it turned out to be lost. */
  protected abstract refill(): void;

  close(): void {
    this.#database.close();
  }

  get progress(): Progress | undefined {
    return this.one<Progress>('SELECT last, sequence FROM progress', []);
  }

  counts(id: OperationId): ChangeCounts | undefined {
    return this.one<ChangeCounts>('SELECT changed, insertions, deletions FROM counts WHERE id = ?', [id]);
  }

  rememberCounts(id: OperationId, { changed, insertions, deletions }: ChangeCounts): void {
    this.guard(() => this.statement('INSERT OR IGNORE INTO counts VALUES (?, ?, ?, ?)').run(id, changed, insertions, deletions));
  }

  /** What was worked out about something that can be told to be the same by its stamp. */
  recall<T>(subject: string, stamp: string): T | undefined {
    const row = this.one<{ memo: string }>('SELECT memo FROM memos WHERE subject = ? AND stamp = ?', [subject, stamp]);
    return row === undefined ? undefined : (JSON.parse(row.memo) as T);
  }

  /** All that is remembered of subjects that begin like this, by what follows. */
  recallAll(beginning: string): Map<string, { readonly stamp: string; readonly memo: string }> {
    const sql = 'SELECT substr(subject, ?2) AS rest, stamp, memo FROM memos WHERE subject >= ?1 AND subject < ?3';
    const rows = this.guard(() => this.statement(sql).all(beginning, beginning.length + 1, `${beginning}\uffff`));
    return new Map((rows as unknown as { rest: string; stamp: string; memo: string }[]).map(({ rest, ...memo }) => [rest, memo]));
  }

  rememberFor(subject: string, stamp: string, memo: unknown): void {
    this.rememberAll([{ subject, stamp, memo }]);
  }

  rememberAll(memos: readonly { readonly subject: string; readonly stamp: string; readonly memo: unknown }[]): void {
    if (memos.length === 0) return;
    const sql = 'INSERT INTO memos VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, memo = excluded.memo';
    this.inTransaction((run) => {
      for (const { subject, stamp, memo } of memos) run(sql, subject, stamp, JSON.stringify(memo));
    });
  }

  /** All of it or nothing. */
  protected inTransaction(work: (run: Run) => void): void {
    this.guard((database) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        work((sql, ...values) => this.statement(sql).run(...values));
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  protected found(where: string, values: SQLInputValue[], { before = Number.MAX_SAFE_INTEGER, limit = -1 }: Stretch): Found {
    const page = `${where} AND sequence < ?${values.length + 1} ORDER BY sequence DESC LIMIT ?${values.length + 2}`;
    const entries = this.entries(page, [...values, before, limit]);
    return { entries, total: this.one<{ n: number }>(`SELECT count(*) AS n FROM operations ${where}`, values)?.n ?? 0 };
  }

  protected entries(where: string, values: SQLInputValue[]): Entry[] {
    const sql = `SELECT name, note, pinned, body FROM operations ${where}`;
    const rows = this.guard(() => this.statement(sql).all(...values)) as unknown as Row[];
    return rows.map(({ name, note, pinned, body }) => ({ operation: JSON.parse(body), name, note, pinned: pinned === 1 }));
  }

  /** For questions that go through all operations, and are asked several times over: read again when there are others. */
  protected everything<T>(sql: string): readonly T[] {
    const { last } = this.progress ?? {};
    if (this.#read === undefined || this.#read.last !== last) this.#read = { last, rows: new Map() };
    const known = this.#read.rows.get(sql) ?? this.guard(() => this.statement(sql).all());
    this.#read?.rows.set(sql, known);
    return known as readonly T[];
  }

  protected one<T>(sql: string, values: SQLInputValue[]): T | undefined {
    return this.guard(() => this.statement(sql).get(...values)) as unknown as T | undefined;
  }

  protected statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** Damage, or a disk that takes no more, shows at any statement: then the index is made anew, and the question asked again. */
  protected guard<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.#database);
    } catch (error) {
      if (!isUnusable(error) && !isUnwritable(error)) throw error;
      this.#database.close();
      this.#statements = new Map();
      this.#read = undefined;
      if (isUnusable(error)) discardDatabase(this.#path);
      this.#database = isUnusable(error) ? openWhereverPossible(this.#path) : openInMemory();
      this.refill();
      return work(this.#database);
    }
  }
}
