import {
  createCheckpoint,
  importSession,
  previewRollback,
  readLog,
  readRollbacks,
  readSessions,
  readStatus,
  resolveOperation,
  resolveRewind,
} from '../../src/engine/index.ts';
import { isCheckpoint, type Recorded, type RecordedEvent, RetakeError } from '../../src/model/index.ts';
import { type Actor, refused, Stage } from '../attribution/stage.ts';
import fc from '../support/property.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Who = 'a' | 'b';

export type AttributedChange =
  | { readonly do: 'prompt'; readonly by: Who }
  | { readonly do: 'step'; readonly by: Who; readonly file: number; readonly isNamed: boolean; readonly text: number }
  | { readonly do: 'mine'; readonly file: number; readonly text: number }
  | { readonly do: 'checkpoint'; readonly name: number }
  | { readonly do: 'rewind' | 'keepMine' | 'revert'; readonly to: number }
  | { readonly do: 'undo' }
  | { readonly do: 'import' };

const by = fc.constantFrom<Who>('a', 'b');
const file = fc.nat({ max: 2 });
const text = fc.nat({ max: 9 });
const to = fc.nat({ max: 30 });
export const attributed: fc.Arbitrary<AttributedChange> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('prompt' as const), by }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('step' as const), by, file, isNamed: fc.boolean(), text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const), file, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('checkpoint' as const), name: fc.nat({ max: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('rewind' as const, 'keepMine' as const, 'revert' as const), to }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('import' as const) }) },
);

/** What a record says, but for where and when that was and for what only tells records from each other. */
const recordedIn = (operation: Recorded): object => {
  const { sequence, createdAt, ...rest } = operation;
  const { event, journal, bytesAdded, ...told } = rest as Record<string, unknown> & { event?: RecordedEvent };
  return { ...told, turn: event?.turn, place: event?.place, touches: event?.touches, beside: event?.beside };
};

const nameOf = (number: number): string => `file-${number}.txt`;

/** A workspace that two agents and a person work in; some of what they do is told to nobody but the one that imports. */
export class Player {
  readonly stage: Stage;
  readonly #actors: Readonly<Record<Who, Actor>>;
  readonly #imports: readonly string[];
  #imported = 0;

  private constructor(stage: Stage, imports: readonly string[]) {
    this.stage = stage;
    this.#imports = imports;
    this.#actors = { a: stage.actor('session-a'), b: stage.actor('session-b') };
  }

  static async begin(imports: readonly string[] = []): Promise<Player> {
    const stage = await Stage.open(temporaryDirectory(), (root) => {
      for (const number of [0, 1, 2]) put(root, nameOf(number), 'first\nsecond\nthird\n');
    });
    const player = new Player(stage, imports);
    await player.#actors.a.start();
    await player.#actors.a.prompt('begin');
    return player;
  }

  /** What was done and can be told from outside. */
  async play(what: AttributedChange): Promise<unknown> {
    const { root, workspace } = this.stage;
    const change = ({ file, text }: { file: number; text: number }) =>
      put(root, nameOf(file), `first ${text}\nsecond\nthird ${text % 2}\n`);
    switch (what.do) {
      case 'prompt':
        return void (await this.#actors[what.by].prompt('go on'));
      case 'step':
        return void (await this.#actors[what.by].step(() => change(what), what.isNamed ? { file: nameOf(what.file) } : {}));
      case 'mine':
        return void change(what);
      case 'checkpoint':
        return void (await createCheckpoint(workspace, { name: `name-${what.name}` }));
      case 'undo':
        return refused(this.stage.undo());
      case 'import':
        return void (await this.#importNext());
      default:
        return refused(this.stage[what.do](this.#ownCheckpoint(what.to)));
    }
  }

  async #importNext(): Promise<void> {
    const file = this.#imports[this.#imported % Math.max(1, this.#imports.length)];
    if (file !== undefined) await importSession(this.stage.workspace, { file, directory: '/', as: `imported ${this.#imported++}` });
  }

  get #own() {
    return readLog(this.stage.workspace)
      .filter(({ operation }) => operation.imported === undefined)
      .reverse();
  }

  #ownCheckpoint(place: number): string {
    const checkpoints = this.#own.filter(({ operation }) => isCheckpoint(operation));
    return checkpoints[place % checkpoints.length]?.operation.id ?? '';
  }

  /** All that the workspace tells of itself, with ids told by their place in its own log. */
  async tell(): Promise<unknown> {
    const { workspace } = this.stage;
    const own = this.#own;
    const places = new Map(
      own.flatMap(({ operation: { id } }, at) => [[id as string, `#${at}`] as const, [id.slice(0, 10), `#${at}`] as const]),
    );
    const plans: unknown[] = [];
    for (const { operation } of own.filter(({ operation }) => isCheckpoint(operation))) {
      const { steps, shares, goesBack, warnings } = await previewRollback(workspace, resolveRewind(workspace, operation.id));
      plans.push({ steps: steps.map(({ type, path }) => `${type} ${path}`), shares, goesBack, warnings });
    }
    const { checkpoints, rollbacks, newest, late } = readStatus(workspace);
    const told = {
      log: own.map(({ operation, ...entry }) => ({ ...entry, ...recordedIn(operation) })),
      status: { checkpoints, rollbacks, newest: newest?.id, late },
      rollbacks: readRollbacks(workspace).map(({ rollback, undoneBy }) => [rollback.id, undoneBy?.id]),
      sessions: readSessions(workspace)
        .filter(({ isImported }) => !isImported)
        .map(({ startedAt, lastAt, ...session }) => session)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
      addresses: ['@-1', '@-2', 't1', 'name-0', 'name-1'].map((address) => this.#resolve(address)),
      plans,
      disk: [...this.stage.look()],
    };
    const json = JSON.stringify(told, (key, value) => (key === 'expiresAt' ? null : value));
    return JSON.parse(json.replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{10})\b/g, (id) => places.get(id) ?? id));
  }

  #resolve(address: string): string {
    try {
      const { operation } = resolveOperation(this.stage.workspace, address);
      // A name that nothing of its own has may be that of something imported.
      return operation.imported === undefined ? operation.id : 'unknown-id';
    } catch (error) {
      if (!(error instanceof RetakeError)) throw error;
      return error.code;
    }
  }

  close(): void {
    this.stage.workspace.close();
  }
}
