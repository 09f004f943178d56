import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Engine from '../src/engine/index.ts';
import type { AgentEvent, OperationId, Recorded, SessionId } from '../src/model/index.ts';
import { makeText } from './contents.ts';
import { demand, race, summarize } from './measure.ts';
import type { Measurement } from './plan.ts';
import { Random } from './random.ts';
import { projectPaths, writeProject } from './repositories.ts';
import { createCheckpoint, diskUse, inWorkspace, maintain, recordEvent, resolveRewind, rollBack, setClock, setPinned } from './retake.ts';
import { runGit } from './run-git.ts';
import { say } from './say.ts';

const DAYS = 365;
const DAY = 86_400_000;
const FILES = 200;
/** Each with its steps. */
const TURNS = [2, 2];
/** What is kept for so many days by the settings as they come. */
const KEPT = { automatic: 30, rolledBack: 180 };

/** STO-3: a year of sessions, with the store looked after each night. What the rules promise is there, the rest is not. */
export const year: Measurement = {
  rule: 'STO-3-year',
  measure: async ({ workshop, plan: { year: plan } }) => {
    const directory = workshop.freshDirectory('workspace');
    writeProject(directory, FILES);
    process.env.RETAKE_RETENTION_MAX_BYTES = String(plan.bytes);
    let time = Date.parse('2026-01-01T08:00:00Z');
    setClock(() => new Date(time));
    try {
      return await inWorkspace(workshop.fresh('retake'), directory, async (workspace) => {
        const life = new Life(workspace, directory);
        const nights: number[] = [];
        let largest = 0;
        for (let day = 0, sessions = 0; day < DAYS; day++) {
          if (day % 30 === 0) say(`STO-3: day ${day}, ${sessions} of ${plan.sessions} sessions`);
          const morning = time;
          for (; sessions < Math.round(((day + 1) * plan.sessions) / DAYS); sessions++) await life.session(sessions, () => (time += 1000));
          time = morning + DAY / 2;
          const start = performance.now();
          await maintain(workspace, { asNeeded: true });
          nights.push(performance.now() - start);
          largest = Math.max(largest, diskUse(workspace.storePath).bytes);
          time = morning + DAY;
        }
        life.demandPromises(time);
        const copy = workshop.fresh('copy');
        cpSync(workspace.storePath, copy, { recursive: true });
        const { git } = await race({
          rounds: 3,
          contenders: { git: { run: () => runGit(copy, ['repack', '-a', '-d', '-f', '-q'], { GIT_DIR: copy }) } },
        });
        const size = `${plan.sessions.toLocaleString('en')} sessions, ${life.records.toLocaleString('en')} records`;
        return [
          {
            measure: 'STO-3 a night’s upkeep in a year, against `git repack` of what is left',
            size,
            retake: summarize(nights),
            peer: git,
            bar: 'faster',
          },
          {
            measure: 'STO-3 the most that the store took, against its limit',
            size,
            retake: { bytes: largest },
            peer: { bytes: plan.bytes },
            bar: { atMost: 1.2 },
          },
        ];
      });
    } finally {
      setClock(() => new Date());
      delete process.env.RETAKE_RETENTION_MAX_BYTES;
    }
  },
};

class Life {
  records = 0;
  readonly #workspace: Engine.Workspace;
  readonly #directory: string;
  readonly #paths = projectPaths(FILES);
  readonly #random = new Random(9);
  /** What the person marked, and how many files were there. */
  readonly #marked: OperationId[] = [];
  readonly #rollbacks: {
    readonly id: OperationId;
    readonly safety: OperationId;
    readonly left: OperationId | undefined;
    readonly at: number;
  }[] = [];

  constructor(workspace: Engine.Workspace, directory: string) {
    this.#workspace = workspace;
    this.#directory = directory;
  }

  async session(number: number, tick: () => number): Promise<void> {
    const session = `session-${number}` as SessionId;
    const hear = async (kind: AgentEvent['kind'], key: string, place: Partial<AgentEvent['place']> = {}): Promise<Recorded | null> => {
      tick();
      const told = { agent: 'claude-code', session, kind, key, keyIsBrief: false, directory: this.#directory, description: key, files: [] };
      const { checkpoint } = await recordEvent(this.#workspace, { ...told, place: { agent: 'claude-code', ...place } });
      if (checkpoint !== null) this.records++;
      return checkpoint;
    };
    await hear('session-start', 'start');
    let last: Recorded | null = null;
    for (const [turn, steps] of TURNS.entries()) {
      await hear('prompt', `prompt ${turn}`, { promptId: `${number} ${turn}` });
      for (let step = 0; step < steps; step++) {
        const toolUseId = `${number} ${turn} ${step}`;
        await hear('before-step', `before ${toolUseId}`, { toolUseId });
        writeFileSync(join(this.#directory, this.#random.pick(this.#paths)), makeText(this.#random, 2000));
        last = await hear('after-step', `after ${toolUseId}`, { toolUseId });
      }
    }
    if (number % 20 === 7) await this.#rollBack(tick(), last);
    if (number % 50 === 11 && last !== null) await this.#mark(last.id);
    if (number % 100 === 13)
      this.#marked.push((await createCheckpoint(this.#workspace, { session, name: `by hand ${number}` })).checkpoint.id);
    await hear('session-end', 'end');
  }

  async #rollBack(at: number, last: Recorded | null): Promise<void> {
    const { rollback } = await rollBack(this.#workspace, resolveRewind(this.#workspace, '@-2'));
    if (rollback !== null) this.#rollbacks.push({ id: rollback.id, safety: rollback.safety, left: last?.id, at });
  }

  async #mark(id: OperationId): Promise<void> {
    await setPinned(this.#workspace, id, true);
    this.#marked.push(id);
  }

  /** Everything that is never given up, or not yet; and nothing that should be gone. */
  demandPromises(time: number): void {
    const { index, store } = this.#workspace;
    const has = (id: OperationId): boolean => index.get(id) !== undefined && store.log.readIfIntact(id) !== undefined;
    demand(this.#marked.every(has), 'something that was marked is gone');
    const young = this.#rollbacks.filter(({ at }) => time - at < KEPT.rolledBack * DAY);
    demand(young.length > 0 && young.every(({ id, safety }) => has(id) && has(safety)), 'a rollback can no longer be undone');
    const old = index
      .list()
      .filter(({ operation: { kind, createdAt } }) => kind === 'after-step' && time - Date.parse(createdAt) > (KEPT.automatic + 1) * DAY);
    const left = new Set(young.map((rollback) => rollback.left));
    const needed = old.filter(({ pinned, operation: { id } }) => pinned || left.has(id) || this.#isNeeded(id));
    demand(needed.length === old.length, `${old.length - needed.length} old steps are still there`);
  }

  /** By a rollback that is kept: where it came from and went to. */
  #isNeeded(id: OperationId): boolean {
    return this.#workspace.index.rollbacks().some(({ operation }) => JSON.stringify(operation).includes(id));
  }
}
