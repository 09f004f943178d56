import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordHere } from '../daemon/record-here.ts';
import { tellDaemon } from '../daemon/support.ts';
import type { Scene } from '../support/scene.ts';

/** Where Claude Code keeps the sessions of a directory. */
export const projectOf = ({ workspace, retake }: Scene): string =>
  join(retake.env.HOME ?? '', '.claude/projects', workspace.replaceAll(/[^A-Za-z0-9]/g, '-'));

export const sessionFiles = (at: Scene): string[] => readdirSync(projectOf(at)).filter((name) => name.endsWith('.jsonl'));

// biome-ignore lint/suspicious/noExplicitAny: lines of a foreign format
export const linesOf = (at: Scene, session: string): any[] =>
  readFileSync(join(projectOf(at), `${session}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The texts of the prompts and answers in a session file, in order. */
export const saidIn = (at: Scene, session: string): string[] =>
  linesOf(at, session).flatMap(({ type, message }) => {
    if (type !== 'user' && type !== 'assistant') return [];
    return typeof message.content === 'string'
      ? [message.content]
      : message.content.map((block: { text?: string; type: string }) => block.text ?? block.type);
  });

/** Who makes a call, where it is not the agent itself. */
export interface Subagent {
  readonly agent_id: string;
  readonly agent_type: string;
}

/** A session of Claude Code as both its hooks and its session file tell it, in the form that the client writes. */
export class PlayedSession {
  readonly id: string;
  readonly path: string;
  /** Nobody is told of what it does: it only writes its file, as before Retake was there. */
  isUnheard = false;
  readonly #at: Scene;
  #last: string | null;
  #promptId = '';
  #steps = 0;

  /** A new one, or one that is there already and is gone on with. */
  constructor(at: Scene, resumed?: string) {
    this.#at = at;
    this.id = resumed ?? randomUUID();
    this.#last = resumed === undefined ? null : linesOf(at, resumed).at(-1).uuid;
    mkdirSync(projectOf(at), { recursive: true });
    this.path = join(projectOf(at), `${this.id}.jsonl`);
  }

  /** The line from which the next prompt goes on: earlier ones make a fork. */
  get last(): string | null {
    return this.#last;
  }
  rewindTo(line: string | null): void {
    this.#last = line;
  }

  async start(): Promise<void> {
    appendFileSync(this.path, `${JSON.stringify({ type: 'mode', mode: 'normal', sessionId: this.id })}\n`);
    await this.#tell('SessionStart', { source: 'startup' });
  }

  async prompt(text: string): Promise<void> {
    this.#promptId = randomUUID();
    await this.#tell('UserPromptSubmit', { prompt: text });
    this.#write('user', { role: 'user', content: text }, { promptId: this.#promptId });
  }

  /** Typed while the agent works: the client tells of it with the id of the turn under way, and writes nothing yet. */
  async queue(text: string): Promise<void> {
    await this.#tell('UserPromptSubmit', { prompt: text });
  }

  /** What was typed is sent, now that the agent is done: no hook tells of it. */
  dequeue(text: string): void {
    this.#promptId = randomUUID();
    this.#write('user', { role: 'user', content: text }, { promptId: this.#promptId, promptSource: 'queued' });
  }

  /** What was typed is told to the agent between two steps. */
  inject(text: string): void {
    this.#write('attachment', undefined, { attachment: { type: 'queued_command', commandMode: 'prompt', prompt: text } });
  }

  /** A slash command of which a file says what it means. */
  async command(name: string): Promise<void> {
    this.#promptId = randomUUID();
    await this.#tell('UserPromptSubmit', { prompt: `/${name}` });
    const content = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`;
    this.#write('user', { role: 'user', content }, { promptId: this.#promptId });
    this.#write('user', { role: 'user', content: [{ type: 'text', text: 'What it means' }] }, { promptId: this.#promptId, isMeta: true });
  }

  /** One that the client answers by itself, in a version that tells of it. */
  async localCommand(name: string): Promise<void> {
    this.#promptId = randomUUID();
    await this.#tell('UserPromptSubmit', { prompt: `/${name}` });
    const content = `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>`;
    this.#write('user', { role: 'user', content }, { promptId: this.#promptId });
  }

  /** A prompt that some other hook refused: the client sends and writes nothing. */
  async refused(text: string): Promise<void> {
    this.#promptId = randomUUID();
    await this.#tell('UserPromptSubmit', { prompt: text });
  }

  /** A shell command of the person's, which the model is told of. */
  async shell(command: string, work: () => void): Promise<void> {
    this.#promptId = randomUUID();
    work();
    this.#write('user', { role: 'user', content: `<bash-input>${command}</bash-input>` }, { promptId: this.#promptId });
    await this.answer('seen');
  }

  /** A tool call that does what it is said to do. */
  async step(tool: string, input: Readonly<Record<string, unknown>>, work: () => void, agent?: Subagent): Promise<void> {
    const end = await this.begin(tool, input, agent);
    work();
    await end();
  }

  /** One that goes on until it is told to end; others may run beside it. */
  async begin(tool: string, input: Readonly<Record<string, unknown>>, agent?: Subagent): Promise<() => Promise<void>> {
    const id = `toolu_${this.id.slice(0, 8)}_${++this.#steps}`;
    this.#write('assistant', this.#reply([{ type: 'tool_use', id, name: tool, input }]));
    const fields = { tool_use_id: id, tool_name: tool, tool_input: input, ...agent };
    await this.#tell('PreToolUse', fields);
    return async () => {
      await this.#tell('PostToolUse', { ...fields, tool_response: {} });
      this.#write('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }, { toolUseResult: {} });
    };
  }

  async answer(text: string): Promise<void> {
    this.#write('assistant', this.#reply([{ type: 'text', text }]));
    await this.#tell('Stop', { stop_hook_active: false, last_assistant_message: text });
  }

  async end(): Promise<void> {
    await this.#tell('SessionEnd', { reason: 'exit' });
  }

  #reply(content: unknown[]): Record<string, unknown> {
    return { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: 'model', content, stop_reason: null };
  }

  #write(type: string, message: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    const uuid = randomUUID();
    const line = {
      parentUuid: this.#last,
      isSidechain: false,
      ...more,
      type,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      cwd: this.#at.workspace,
      sessionId: this.id,
      version: '2.1.325',
    };
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
    this.#last = uuid;
  }

  async #tell(name: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.isUnheard) return;
    const common = { session_id: this.id, transcript_path: this.path, cwd: this.#at.workspace, hook_event_name: name };
    const prompt = this.#promptId === '' ? {} : { prompt_id: this.#promptId };
    const record = this.#at.retake.env.RETAKE_DAEMON_ENABLED === 'false' ? recordHere : tellDaemon;
    await record(this.#at, JSON.stringify({ ...common, ...prompt, ...fields }));
  }
}
