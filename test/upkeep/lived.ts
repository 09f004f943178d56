import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCheckpoint, type LogEntry, readLog } from '../../src/engine/index.ts';
import { now, setClock } from '../../src/host/index.ts';
import type { Checkpoint, FoundFork, OperationId, Recorded, SessionId } from '../../src/model/index.ts';
import { type Actor, Stage } from '../attribution/stage.ts';

const DAY = 86_400_000;

/** A workspace in which days go by as fast as they are wanted to. */
export class LivedIn {
  readonly stage: Stage;
  #time = Date.parse('2026-01-01T12:00:00Z');
  #written = 0;

  private constructor(stage: Stage) {
    this.stage = stage;
    setClock(() => new Date(this.#time));
  }

  /** `at` is an empty directory. */
  static async open(at: string): Promise<LivedIn> {
    const lived = new LivedIn(await Stage.open(at, (root) => writeFileSync(join(root, 'base.txt'), 'base\n')));
    onTestFinished(() => lived.close());
    return lived;
  }

  close(): void {
    this.stage.workspace.close();
    setClock(() => new Date());
  }

  pass(days: number): void {
    this.#time += days * DAY;
  }

  /** A session with its turns, of some steps each; all of them change something. */
  async session(id: string, turns: readonly number[]): Promise<Actor> {
    const actor = this.stage.actor(id);
    await actor.start();
    for (const steps of turns) await this.turn(actor, steps);
    return actor;
  }
  async turn(actor: Actor, steps: number): Promise<Recorded<Checkpoint>> {
    const prompt = await actor.prompt('go on');
    for (let step = 0; step < steps; step++) await this.step(actor);
    return prompt;
  }
  async step(actor: Actor): Promise<Recorded<Checkpoint>> {
    this.pass(0.001);
    return (await actor.step(() => this.write(`${actor.id}.txt`))) as Recorded<Checkpoint>;
  }

  write(name: string): void {
    appendFileSync(join(this.stage.root, name), `line ${++this.#written}\n`);
  }

  async byHand(name: string): Promise<OperationId> {
    this.write('mine.txt');
    return (await createCheckpoint(this.stage.workspace, { name })).checkpoint.id;
  }

  /** Records that the conversation was found to fork at a checkpoint, as the background process does. */
  forkAt({ id, session }: Recorded): Promise<Recorded> {
    const { workspace } = this.stage;
    const found = { kind: 'fork-point', session, at: null, children: [], sessions: [session], checkpoint: id } as const;
    return workspace.write(() =>
      workspace.record((store) =>
        store.log.append<FoundFork>(store.objects.begin(), { ...found, createdAt: now().toISOString(), description: 'A fork' }, null),
      ),
    );
  }

  /** Oldest first. */
  get log(): LogEntry[] {
    return readLog(this.stage.workspace).reverse();
  }
  of(session: string): Recorded<Checkpoint>[] {
    return this.log.flatMap(({ operation }) => (operation.session === (session as SessionId) ? [operation as Recorded<Checkpoint>] : []));
  }
  has({ id }: Pick<Recorded, 'id'>): boolean {
    return this.stage.workspace.index.get(id) !== undefined;
  }
}
