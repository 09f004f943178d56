import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import {
  type MergeChoice,
  type RewindOptions,
  type RollbackRequest,
  type RollbackResult,
  readLog,
  readSessions,
  recordEvent,
  resolveDiscard,
  resolveRecover,
  resolveRevert,
  resolveRewind,
  resolveUndo,
  rollBack,
  Workspace,
} from '../../src/engine/index.ts';
import { type Checkpoint, type Recorded, RetakeError, type SessionId } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** What a tool call is known by, and which subagent made it. */
export interface Call {
  /** The one file that an edit tool names; without it the tool is one that can change anything. */
  readonly file?: string | undefined;
  readonly agentId?: string | undefined;
}

/** One agent's session, whose hooks tell the engine in this process. */
export class Actor {
  readonly id: SessionId;
  readonly #stage: Stage;
  readonly #talk: Conversation;
  #count = 0;

  constructor(stage: Stage, id: string) {
    this.id = id as SessionId;
    this.#stage = stage;
    this.#talk = new Conversation(id, stage.root);
  }

  start(): Promise<unknown> {
    return this.#stage.hear(this.#talk.start());
  }
  async prompt(text: string): Promise<Recorded<Checkpoint>> {
    return (await this.#stage.hear(this.#talk.prompt(`${this.id} ${++this.#count}`, text))) as Recorded<Checkpoint>;
  }
  end(): Promise<unknown> {
    return this.#stage.hear(this.#talk.end());
  }

  /** A tool call that does what it is said to do; the record of it, if it changed something. */
  async step(work: () => void, call: Call = {}): Promise<Recorded<Checkpoint> | null> {
    const end = await this.begin(call);
    work();
    return end();
  }

  /** One that goes on until it is told to end. */
  async begin({ file, agentId }: Call = {}): Promise<() => Promise<Recorded<Checkpoint> | null>> {
    const id = `${this.id} ${++this.#count}`;
    const tool = file === undefined ? 'Bash' : 'Write';
    const input = file === undefined ? { command: `work ${id}` } : { file_path: join(this.#stage.root, file) };
    const by = agentId === undefined ? {} : { agent_id: agentId, agent_type: 'helper' };
    await this.#stage.hear(this.#talk.before(id, tool, input, by));
    return () => this.#stage.hear(this.#talk.after(id, tool, input, by));
  }
}

/** What was to be carried out and met conflicts instead. */
export interface Refused {
  readonly code: string;
  /** `path reason`. */
  readonly conflicts: readonly string[];
}

/** A workspace and the engine in this process. */
export class Stage {
  readonly root: string;
  readonly workspace: Workspace;

  private constructor(root: string, workspace: Workspace) {
    this.root = root;
    this.workspace = workspace;
  }

  /** `at` is an empty directory for the workspace and the data. */
  static async open(at: string, prepare: (root: string) => void = () => undefined): Promise<Stage> {
    const root = join(at, 'workspace');
    mkdirSync(root);
    vi.stubEnv('HOME', at);
    vi.stubEnv('RETAKE_HOME', join(at, 'data'));
    prepare(root);
    return new Stage(root, await Workspace.open({ directory: root }));
  }

  async hear(payload: string): Promise<Recorded<Checkpoint> | null> {
    const event = decodeEvent('claude-code', payload);
    if (event === null) throw new Error(`no event: ${payload}`);
    return (await recordEvent(this.workspace, event)).checkpoint;
  }

  actor(id: string): Actor {
    return new Actor(this, id);
  }

  look(): Oracle {
    return observeWorkspace(this.root);
  }

  /** What the log says of a step. */
  stateOf(id: string): string | undefined {
    return readLog(this.workspace).find(({ operation }) => operation.id === id)?.stepStatus?.state;
  }
  /** What the list of sessions says of one. */
  statusOf(session: string): string | undefined {
    return readSessions(this.workspace).find(({ id }) => id === session)?.status;
  }

  do(request: RollbackRequest): Promise<RollbackResult> {
    return rollBack(this.workspace, request);
  }
  revert(address: string, rest: MergeChoice | null = null, session?: SessionId): Promise<RollbackResult> {
    return this.#try(() => resolveRevert(this.workspace, address, { choices: [], rest, session }));
  }
  /** The person's edits go back too, unless the request says otherwise. */
  rewind(address: string, request: RewindOptions = {}): Promise<RollbackResult> {
    return this.#try(() => resolveRewind(this.workspace, address, { keepMine: false, ...request }));
  }
  keepMine(address: string, rest: MergeChoice | null = null): Promise<RollbackResult> {
    return this.rewind(address, { keepMine: true, choice: { choices: [], rest } });
  }
  discard(session: string, rest: MergeChoice | null = null): Promise<RollbackResult> {
    return this.#try(() => resolveDiscard(this.workspace, { session: session as SessionId, choices: [], rest }));
  }
  recover(...addresses: string[]): Promise<RollbackResult> {
    return this.#try(async () => (await resolveRecover(this.workspace, addresses, { choices: [], rest: null })).request);
  }
  undo(address?: string): Promise<RollbackResult> {
    return this.#try(() => resolveUndo(this.workspace, address));
  }

  async #try(request: () => RollbackRequest | Promise<RollbackRequest>): Promise<RollbackResult> {
    return this.do(await request());
  }
}

/** A stage of its own for a test. */
export const stage = async (prepare?: (root: string) => void): Promise<Stage> => {
  const made = await Stage.open(temporaryDirectory(), prepare);
  onTestFinished(() => {
    made.workspace.close();
    vi.unstubAllEnvs();
  });
  return made;
};

/** Why something was not done. */
export const refused = async (work: Promise<unknown>): Promise<Refused | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    const { conflicts = [] } = (error.details ?? {}) as { conflicts?: { path: string; reason: string }[] };
    return { code: error.code, conflicts: conflicts.map(({ path, reason }) => `${path} ${reason}`) };
  }
};
