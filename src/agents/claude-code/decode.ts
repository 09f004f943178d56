import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { type AgentEvent, type AgentEventKind, RetakeError, type SessionId } from '../../model/index.ts';
import { describeTool, firstLine } from './describe-tool.ts';
import { isLocalCommand } from './local-commands.ts';
import { editedFiles, touchedFiles } from './tools.ts';

type Payload = Record<string, unknown>;

interface Meaning {
  readonly kind: AgentEventKind;
  readonly describe: (payload: Payload) => string;
  /** The agent's own id of what happened; without one, the whole payload stands for it. */
  readonly id: (payload: Payload) => string | undefined;
}

const text = (payload: Payload, key: string): string | undefined => {
  const value = payload[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const noId = (): undefined => undefined;
const toolUse = (payload: Payload) => text(payload, 'tool_use_id');
const toolCall = (payload: Payload) => describeTool(text(payload, 'tool_name') ?? 'a tool', payload.tool_input);

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['SessionStart', { kind: 'session-start', describe: (payload) => `Session ${text(payload, 'source') ?? 'startup'}`, id: noId }],
  [
    'UserPromptSubmit',
    {
      kind: 'prompt',
      describe: (payload) => firstLine(text(payload, 'prompt') ?? '') || 'Prompt',
      // Words typed while the agent works come with the id of the prompt that it works on.
      id: (payload) => text(payload, 'prompt_id') && `${text(payload, 'prompt_id')} ${digest({ prompt: payload.prompt })}`,
    },
  ],
  ['PreToolUse', { kind: 'before-step', describe: (payload) => `Before ${toolCall(payload)}`, id: toolUse }],
  ['PostToolUse', { kind: 'after-step', describe: toolCall, id: toolUse }],
  ['PostToolUseFailure', { kind: 'after-step', describe: (payload) => `${toolCall(payload)} (failed)`, id: toolUse }],
  // A stop hook may send the agent on, so that one prompt has several ends: told apart by all they say.
  ['Stop', { kind: 'turn-end', describe: () => 'End of turn', id: noId }],
  ['PreCompact', { kind: 'compact', describe: (payload) => `Before compaction (${text(payload, 'trigger') ?? 'auto'})`, id: noId }],
  ['SessionEnd', { kind: 'session-end', describe: (payload) => `Session ended (${text(payload, 'reason') ?? 'exit'})`, id: noId }],
]);

export const decodeClaudeCode = (payload: Payload): AgentEvent | null => {
  const name = text(payload, 'hook_event_name');
  if (name === undefined) throw bad('hook_event_name');
  const meaning = MEANINGS.get(name);
  if (meaning === undefined || isNotice(payload)) return null;
  const session = text(payload, 'session_id');
  if (session === undefined || session.length > 200) throw bad('session_id');
  const directory = text(payload, 'cwd');
  if (directory === undefined || !isAbsolute(directory)) throw bad('cwd');
  const id = meaning.id(payload);
  const tool = text(payload, 'tool_name');
  return {
    agent: 'claude-code',
    session: session as SessionId,
    kind: meaning.kind,
    key: `${meaning.kind} ${id ?? digest(payload)}`,
    keyIsBrief: id === undefined,
    directory,
    description: meaning.describe(payload),
    place: {
      agent: 'claude-code',
      ...given('promptId', text(payload, 'prompt_id')),
      ...given('toolUseId', toolUse(payload)),
      ...given('tool', tool),
      ...given('agentId', text(payload, 'agent_id')),
      ...given('agentType', text(payload, 'agent_type')),
    },
    files: editedFiles(tool, payload.tool_input, directory),
    ...given('touches', touchedFiles(tool, payload.tool_input, directory)),
    ...(meaning.kind === 'prompt' && isLocalCommand(text(payload, 'prompt') ?? '') ? { isLocal: true as const } : {}),
    ...given('transcript', text(payload, 'transcript_path')),
  };
};

/** The return of a background subagent comes as a prompt, and is none: the turn goes on. */
const isNotice = (payload: Payload): boolean =>
  payload.hook_event_name === 'UserPromptSubmit' && /^\s*<task-notification>/.test(text(payload, 'prompt') ?? '');

const given = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

const digest = (payload: Payload): string => createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32);

const bad = (field: string): RetakeError => new RetakeError('bad-event', `The event of claude-code has no usable ${field}`);
