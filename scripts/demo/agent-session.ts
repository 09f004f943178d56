import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoPlace, demoEnvironment } from './place.ts';
import { BIN } from './program.ts';
import { SessionFile } from './session-file.ts';
import type { ToolCall } from './tools.ts';

/** Longer than agents wait: the story must come out the same on the slowest machine. */
const PATIENCE = '60000';

/** Who makes a call. */
interface Speaker {
  readonly file: SessionFile;
  /** What hooks are told of a subagent. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * A session of Claude Code, played: its session file is written as the client does, its tools do their work, and each event is told to
 * the hook that `retake setup claude-code` would have installed.
 */
export class AgentSession {
  readonly id = randomUUID();
  readonly #place: DemoPlace;
  readonly #self: Speaker;
  #promptId = '';

  constructor(place: DemoPlace) {
    this.#place = place;
    const folder = place.shop.replaceAll(/[^a-zA-Z0-9]/g, '-');
    this.#self = { file: this.#open(join(place.agent, 'projects', folder, `${this.id}.jsonl`)), fields: {} };
  }

  async start(): Promise<void> {
    this.#self.file.note({ type: 'mode', mode: 'normal' });
    await this.#tell('SessionStart', { source: 'startup', model: 'claude-opus-5-5' });
  }

  async prompt(text: string): Promise<void> {
    this.#promptId = randomUUID();
    await this.#tell('UserPromptSubmit', { prompt: text });
    this.#self.file.prompt(text, this.#promptId);
  }

  async use(call: ToolCall): Promise<void> {
    await this.#use(this.#self, call);
  }

  /** Has a subagent do something, call by call. */
  async delegate(description: string, prompt: string, calls: readonly ToolCall[], answer: string): Promise<void> {
    const id = toolUseId();
    const agentId = `a${randomBytes(8).toString('hex')}`;
    const input = { description, prompt, subagent_type: 'general-purpose' };
    const fields = { tool_name: 'Agent', tool_input: input, tool_use_id: id };
    this.#self.file.call(id, 'Agent', input);
    await this.#tell('PreToolUse', fields);

    const folder = this.#self.file.path.replace(/\.jsonl$/, '/subagents');
    const subagent = {
      file: this.#open(join(folder, `agent-${agentId}.jsonl`), agentId),
      fields: { agent_id: agentId, agent_type: 'general-purpose' },
    };
    const about = { agentType: 'general-purpose', description, toolUseId: id };
    writeFileSync(join(folder, `agent-${agentId}.meta.json`), JSON.stringify(about), { mode: 0o600 });
    subagent.file.prompt(prompt, this.#promptId);
    for (const call of calls) await this.#use(subagent, call);
    subagent.file.say(answer);

    const response = { status: 'completed', agentId, agentType: 'general-purpose', content: [{ type: 'text', text: answer }] };
    await this.#tell('PostToolUse', { ...fields, tool_response: response });
    this.#self.file.result(id, response.content, response, false);
  }

  /** The agent is done, and the person's turn has come. */
  async answer(text: string): Promise<void> {
    this.#self.file.say(text);
    await this.#tell('Stop', { stop_hook_active: false, last_assistant_message: text });
  }

  /** The newest line of the conversation. */
  get last(): string | null {
    return this.#self.file.last;
  }

  /** The client's own rewind of a conversation, of which no hook is told: the next prompt just follows an earlier line. */
  rewindTo(line: string | null): void {
    this.#self.file.goBackTo(line);
  }

  async #use({ file, fields }: Speaker, call: ToolCall): Promise<void> {
    const id = toolUseId();
    const event = { tool_name: call.name, tool_input: call.input, tool_use_id: id, ...fields };
    file.call(id, call.name, call.input);
    await this.#tell('PreToolUse', event);
    const { content, response, isError } = call.perform();
    await (isError
      ? this.#tell('PostToolUseFailure', { ...event, error: content })
      : this.#tell('PostToolUse', { ...event, tool_response: response }));
    file.result(id, content, response, isError);
  }

  #open(path: string, agentId?: string): SessionFile {
    const fields = { sessionId: this.id, cwd: this.#place.shop, gitBranch: 'main' };
    return new SessionFile(path, agentId === undefined ? fields : { ...fields, agentId });
  }

  async #tell(name: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const common = { session_id: this.id, transcript_path: this.#self.file.path, cwd: this.#place.shop, permission_mode: 'acceptEdits' };
    const prompt = this.#promptId === '' ? {} : { prompt_id: this.#promptId };
    await runHook(this.#place, JSON.stringify({ ...common, hook_event_name: name, ...prompt, ...fields }));
  }
}

const toolUseId = (): string => `toolu_${randomBytes(12).toString('hex')}`;

/** The hook as an agent runs it. */
const runHook = (place: DemoPlace, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...demoEnvironment(place), RETAKE_HOOK_DEADLINE_MS: PATIENCE };
    const hook = spawn(BIN, ['hook', 'claude-code'], { cwd: place.shop, env, stdio: ['pipe', 'ignore', 'inherit'] });
    hook.on('error', reject);
    hook.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`the hook ended with ${code}`))));
    hook.stdin.on('error', reject);
    hook.stdin.end(event);
  });
