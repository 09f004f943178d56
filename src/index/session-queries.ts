import {
  type Checkpoint,
  type Fork,
  type FoundFork,
  type Line,
  lineOf,
  type OperationId,
  type Recorded,
  ROLLBACK_KINDS as ROLLBACKS,
  type Rollback,
  type SessionId,
} from '../model/index.ts';
import { OWN, quote, STEP, TURN } from './own.ts';
import type { CheckpointFilter, CheckpointPlace, Found, RecordedSession, RecordedTurn } from './rows.ts';
import { Tables } from './tables.ts';

/** What was recorded of agents' sessions: their turns, prompts, steps and conversations. */
export abstract class SessionQueries extends Tables {
  /** When agents' sessions began or were gone on with here, newest first. */
  sessionStarts(count: number): Recorded<Checkpoint>[] {
    const entries = this.entries(`WHERE kind = 'session-start' AND ${OWN} ORDER BY sequence DESC LIMIT ?`, [count]);
    return entries.map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  /** Every session that something belongs to. */
  sessionIds(): SessionId[] {
    return this.everything<{ session: SessionId }>('SELECT DISTINCT session FROM operations').map(({ session }) => session);
  }

  /** Those of agents. */
  agentSessionIds(): SessionId[] {
    const sql = 'SELECT DISTINCT session FROM operations WHERE event IS NOT NULL';
    return this.everything<{ session: SessionId }>(sql).map(({ session }) => session);
  }

  /** A session's checkpoints, newest first from a sequence number down, and how many there are on the whole. */
  checkpointsOf(session: SessionId, { before, limit, ...filter }: CheckpointFilter): Found {
    const { where, values } = chosen(session, filter);
    return this.found(where, values, { before, limit });
  }

  /** The tools and the agents that steps of a session are told of, in the order of the alphabet. */
  actorsOf(session: SessionId): { readonly tools: readonly string[]; readonly agents: readonly string[] } {
    const distinct = (what: string): string[] => {
      const sql = `SELECT DISTINCT session, ${what} AS one FROM operations WHERE checkpoint = 1 AND one IS NOT NULL ORDER BY one`;
      return this.everything<{ session: SessionId; one: string }>(sql).flatMap((row) => (row.session === session ? [row.one] : []));
    };
    return { tools: distinct(TOOL), agents: distinct(AGENT) };
  }

  /** Where one of them is among them: how many are newer, and those beside it. */
  placeOf(session: SessionId, sequence: number, filter: Omit<CheckpointFilter, 'before' | 'limit'>): CheckpointPlace {
    const { where, values } = chosen(session, filter);
    const at = `?${values.length + 1}`;
    const one = (condition: string, order: string): OperationId | null =>
      this.one<{ id: OperationId }>(
        `SELECT id FROM operations ${where} AND sequence ${condition} ${at} ORDER BY sequence ${order} LIMIT 1`,
        [...values, sequence],
      )?.id ?? null;
    const count = (condition: string): number =>
      this.one<{ n: number }>(`SELECT count(*) AS n FROM operations ${where} AND sequence ${condition} ${at}`, [...values, sequence])?.n ??
      0;
    const older = count('<');
    return { number: older + 1, total: older + count('>='), older: one('<', 'DESC'), newer: one('>', 'ASC') };
  }

  /** The first checkpoint that belongs to a session. */
  firstCheckpointOf(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.entries("WHERE session = ? AND checkpoint = 1 AND kind <> 'safety' ORDER BY sequence LIMIT 1", [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest checkpoint that belongs to a session. */
  newestCheckpointOf(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.entries("WHERE session = ? AND checkpoint = 1 AND kind <> 'safety' ORDER BY sequence DESC LIMIT 1", [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest record of an agent's event here. */
  byEvent(session: SessionId, key: string): Recorded<Checkpoint> | undefined {
    const [entry] = this.entries(`WHERE session = ? AND event = ? AND ${OWN} ORDER BY sequence DESC LIMIT 1`, [session, key]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest checkpoint made at an agent's event, of this workspace or of another line. */
  newestEvent({ upTo = Number.MAX_SAFE_INTEGER, line = null }: { upTo?: number; line?: Line } = {}): Recorded<Checkpoint> | undefined {
    const where = 'WHERE event IS NOT NULL AND sequence <= ?1 AND line IS ?2 ORDER BY sequence DESC LIMIT 1';
    return this.entries(where, [upTo, line])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The first that was recorded of a session. */
  firstEvent(session: SessionId): Recorded<Checkpoint> | undefined {
    const [entry] = this.entries('WHERE event IS NOT NULL AND session = ? ORDER BY sequence LIMIT 1', [session]);
    return entry?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest rollback here that changed which session the conversation goes on in; or the newest change, of any kind, to a session. */
  newestConversationChange(to?: SessionId): Recorded<Rollback | Fork> | undefined {
    const kinds = to === undefined ? ROLLBACKS : [...ROLLBACKS, 'fork'];
    const where = `WHERE kind IN (${kinds.map(quote)}) AND body -> '$.conversation' IS NOT NULL AND body ->> '$.outcome' IS NOT 'taken-back'
      AND (CASE WHEN ?1 IS NULL THEN ${OWN} ELSE body ->> '$.conversation.to' = ?1 END) ORDER BY sequence DESC LIMIT 1`;
    return this.entries(where, [to ?? null])[0]?.operation as Recorded<Rollback | Fork> | undefined;
  }

  /** The newest that tells where the session's conversation is kept. */
  newestConversation(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = "WHERE session = ? AND body -> '$.event.conversation' IS NOT NULL ORDER BY sequence DESC LIMIT 1";
    return this.entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** Where the agents said that they keep their conversations. */
  toldTranscripts(): readonly { session: SessionId; agent: string; path: string }[] {
    const sql = `SELECT session, max(sequence), body ->> '$.event.place.agent' AS agent,
      body ->> '$.event.conversation.transcript' AS path FROM operations
      WHERE kind IN ('prompt', 'session-start') AND path IS NOT NULL GROUP BY session`;
    return this.everything(sql);
  }

  /** The prompts that began a turn, of one session or of all, oldest first; those made here after all others. */
  prompts(session?: SessionId): Recorded<Checkpoint>[] {
    const where = `WHERE ${TURN} AND (?1 IS NULL OR session = ?1) ORDER BY line IS NULL, sequence`;
    const entries = this.entries(where, [session ?? null]);
    return entries.map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  /** The newest that began a turn. */
  newestPrompt(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = `WHERE session = ? AND kind = 'prompt' AND body -> '$.event.added' IS NULL AND ${OWN} ORDER BY sequence DESC LIMIT 1`;
    return this.entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The prompts since the newest that began a turn when it was told, that one included, oldest first. */
  promptsSinceTurn(session: SessionId): Recorded<Checkpoint>[] {
    const own = `session = ?1 AND kind = 'prompt' AND ${OWN}`;
    const newest = `SELECT max(sequence) FROM operations WHERE ${own} AND body -> '$.event.added' IS NULL AND body -> '$.event.queued' IS NULL`;
    const where = `WHERE ${own} AND sequence >= coalesce((${newest}), 0) ORDER BY sequence`;
    return this.entries(where, [session]).map(({ operation }) => operation as Recorded<Checkpoint>);
  }

  /** Whether a turn of a session began with a prompt of this id. */
  hasTurnOf(session: SessionId, promptId: string): boolean {
    const sql = `SELECT 1 AS one FROM operations WHERE session = ? AND kind = 'prompt' AND body -> '$.event.added' IS NULL
      AND body ->> '$.event.place.promptId' = ? LIMIT 1`;
    return this.one(sql, [session, promptId]) !== undefined;
  }

  /** The newest at which the agent could be told what there was to tell. */
  newestPromptTold(session: SessionId): Recorded<Checkpoint> | undefined {
    const where = `WHERE session = ? AND kind = 'prompt' AND body -> '$.event.untold' IS NULL AND ${OWN} ORDER BY sequence DESC LIMIT 1`;
    return this.entries(where, [session])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** The newest rollback here, of whatever kind. */
  newestRollback(): Recorded<Rollback> | undefined {
    const newest = ROLLBACKS.map((kind) => `SELECT max(sequence) AS s FROM operations WHERE kind = ${quote(kind)} AND ${OWN}`).join(
      ' UNION ALL ',
    );
    return this.entries(`WHERE sequence = (SELECT max(s) FROM (${newest}))`, [])[0]?.operation as Recorded<Rollback> | undefined;
  }

  /** How many turns a session has had, those included that it was made with. */
  countTurns(session: SessionId): number {
    const [newest] = this.entries(`WHERE session = ? AND event IS NOT NULL AND ${OWN} ORDER BY sequence DESC LIMIT 1`, [session]);
    if (newest !== undefined) return (newest.operation as Recorded<Checkpoint>).event?.turn ?? 0;
    const made = `WHERE kind IN (${[...ROLLBACKS, 'fork'].map(quote)}) AND body ->> '$.conversation.to' = ? ORDER BY sequence LIMIT 1`;
    return (this.entries(made, [session])[0]?.operation as Recorded<Rollback | Fork> | undefined)?.conversation?.turnsBefore ?? 0;
  }

  countLate(): number {
    const sql = `SELECT count(*) AS n FROM operations WHERE body -> '$.event.late' IS NOT NULL AND ${OWN}`;
    return this.one<{ n: number }>(sql, [])?.n ?? 0;
  }

  countManual(session: SessionId): number {
    const sql = `SELECT count(*) AS n FROM operations WHERE kind = 'manual' AND session = ? AND ${OWN}`;
    return this.one<{ n: number }>(sql, [session])?.n ?? 0;
  }

  sessions(): RecordedSession[] {
    const sql = `SELECT session AS id, count(*) FILTER (WHERE ${STEP}) AS steps, min(sequence) AS first, max(sequence) AS last,
      min(sequence) FILTER (WHERE kind = 'prompt') AS prompt FROM operations WHERE event IS NOT NULL GROUP BY session`;
    const rows = this.guard(() => this.statement(sql).all()) as unknown as (Pick<RecordedSession, 'id' | 'steps'> & {
      readonly first: number;
      readonly last: number;
      readonly prompt: number | null;
    })[];
    return rows.flatMap(({ id, steps, first, last, prompt }) => {
      const begin = this.#bySequence(first);
      const end = this.#bySequence(last);
      if (begin?.event === undefined || end === undefined) return [];
      const title = (prompt === null ? undefined : this.#bySequence(prompt)?.description) ?? null;
      const isEnded = end.kind === 'session-end';
      const { event, createdAt: startedAt } = begin;
      return [{ id, agent: event.place.agent, title, steps, isEnded, line: lineOf(begin), startedAt, lastAt: end.createdAt }];
    });
  }

  /** Every turn of every session, oldest first; those made here after all others. */
  turns(): readonly RecordedTurn[] {
    const sql = `SELECT session, turn, count(*) AS checkpoints, count(*) FILTER (WHERE ${STEP}) AS steps,
      max(id) FILTER (WHERE ${TURN}) AS prompt,
      coalesce(max(body ->> '$.event.place.promptId') FILTER (WHERE ${TURN}),
        min(body ->> '$.event.place.promptId') FILTER (WHERE kind IN ('before-step', 'after-step'))) AS promptId,
      max(body ->> '$.event.queued') AS queued,
      min(sequence) AS firstSequence, coalesce(max(sequence) FILTER (WHERE kind <> 'session-start'), 0) AS lastSequence
      FROM operations WHERE turn > 0 GROUP BY session, turn`;
    const all = `SELECT t.*, o.id AS last FROM (${sql}) AS t LEFT JOIN operations AS o ON o.sequence = t.lastSequence
      ORDER BY o.line IS NULL, lastSequence`;
    return this.everything(all);
  }

  #bySequence(sequence: number): Recorded<Checkpoint> | undefined {
    return this.entries('WHERE sequence = ?', [sequence])[0]?.operation as Recorded<Checkpoint> | undefined;
  }

  /** Every change that an agent made, as it was recorded, oldest first. */
  steps(): readonly { id: OperationId; sequence: number; session: SessionId; line: Line }[] {
    const sql = `SELECT id, sequence, session, line FROM operations
      WHERE ${STEP} ORDER BY sequence`;
    return this.everything(sql);
  }

  /** The forks found so far, newest first. */
  foundForks(): Recorded<FoundFork>[] {
    return this.entries("WHERE kind = 'fork-point' ORDER BY sequence DESC", []).map(({ operation }) => operation as Recorded<FoundFork>);
  }
}

/** What an agent's event was of; a subagent by its id, an agent by its name for what it did itself. */
const TOOL = "body ->> '$.event.place.tool'";
const AGENT = "coalesce(body ->> '$.event.place.agentId', body ->> '$.event.place.agent')";

/** The checkpoints of a session that are meant. */
const chosen = (session: SessionId, { kind = null, tool = null, agentId = null, withoutTurns = [], among }: CheckpointFilter) => ({
  where: `WHERE checkpoint = 1 AND session = ?1 AND (?2 IS NULL OR kind = ?2)
      AND (turn IS NULL OR turn NOT IN (SELECT value FROM json_each(?3)))
      AND (?4 IS NULL OR ${TOOL} = ?4) AND (?5 IS NULL OR ${AGENT} = ?5)
      AND (?6 IS NULL OR id IN (SELECT value FROM json_each(?6)))`,
  values: [session, kind, JSON.stringify(withoutTurns), tool, agentId, among === undefined ? null : JSON.stringify(among)],
});
