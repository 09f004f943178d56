import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** What all lines of one file have in common. */
export interface LineFields {
  readonly sessionId: string;
  readonly cwd: string;
  readonly gitBranch: string;
  /** Only in a subagent's file. */
  readonly agentId?: string;
}

const USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0, service_tier: 'standard' };

/** A conversation as Claude Code writes it: lines of JSON, each naming the one that it follows. */
export class SessionFile {
  readonly path: string;
  readonly #fields: LineFields;
  #last: string | null = null;
  #promptId = '';

  constructor(path: string, fields: LineFields) {
    this.path = path;
    this.#fields = fields;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }

  /** The newest line of the conversation: what the next one follows. */
  get last(): string | null {
    return this.#last;
  }

  /** Nothing is written: the next line just follows an earlier one. */
  goBackTo(line: string | null): void {
    this.#last = line;
  }

  /** A line that is no part of the conversation. */
  note(fields: Readonly<Record<string, unknown>>): void {
    this.#append({ ...fields, sessionId: this.#fields.sessionId });
  }

  prompt(text: string, promptId: string): void {
    this.#promptId = promptId;
    this.#chain('user', { promptId, message: { role: 'user', content: text }, promptSource: 'typed', origin: { kind: 'human' } });
  }

  say(text: string): void {
    this.#reply({ type: 'text', text }, 'end_turn');
  }

  call(id: string, name: string, input: unknown): void {
    this.#reply({ type: 'tool_use', id, name, input }, 'tool_use');
  }

  result(id: string, content: unknown, toolUseResult: unknown, isError: boolean): void {
    const block = { tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
    const message = { role: 'user', content: [block] };
    this.#chain('user', { promptId: this.#promptId, message, toolUseResult, sourceToolAssistantUUID: this.#last });
  }

  #reply(block: unknown, reason: string): void {
    const id = `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const model = 'claude-opus-5-5';
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: reason,
      stop_sequence: null,
      usage: USAGE,
    };
    this.#chain('assistant', { message });
  }

  #chain(type: string, fields: Readonly<Record<string, unknown>>): void {
    const uuid = randomUUID();
    const timestamp = new Date().toISOString();
    const client = { userType: 'external', entrypoint: 'cli', version: '2.1.325' };
    const isSidechain = this.#fields.agentId !== undefined;
    this.#append({ parentUuid: this.#last, isSidechain, type, ...fields, uuid, timestamp, ...client, ...this.#fields });
    this.#last = uuid;
  }

  #append(line: unknown): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}
