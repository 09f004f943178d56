/**
 * agents: what each agent's hooks say, in the words of model/event.ts, what they want back, and (setup.ts) how they come into its
 * settings. Nothing is recorded or asked here.
 */
import { type AgentEvent, RetakeError } from '../model/index.ts';
import { decodeClaudeCode } from './claude-code/decode.ts';
import { encodeClaudeCodeNews } from './claude-code/encode.ts';

interface Agent {
  /** An event's JSON, as the agent wrote it to the hook's standard input; null for events that say nothing worth recording. */
  readonly decode: (payload: Record<string, unknown>) => AgentEvent | null;
  /** What the hook of an event prints, so that the model reads a line of ours. */
  readonly encodeNews: (payload: Record<string, unknown>, line: string) => string;
}

const AGENTS: ReadonlyMap<string, Agent> = new Map([['claude-code', { decode: decodeClaudeCode, encodeNews: encodeClaudeCodeNews }]]);

export const decodeEvent = (agent: string, payload: string): AgentEvent | null => find(agent).decode(parse(agent, payload));

export const encodeNews = (agent: string, payload: string, line: string): string => find(agent).encodeNews(parse(agent, payload), line);

const find = (name: string): Agent => {
  const agent = AGENTS.get(name);
  if (agent !== undefined) return agent;
  throw new RetakeError('bad-event', `There is no agent ${JSON.stringify(name)}`, { hint: `One of: ${[...AGENTS.keys()].join(', ')}` });
};

const parse = (agent: string, payload: string): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch (cause) {
    throw new RetakeError('bad-event', `The event of ${agent} is not JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RetakeError('bad-event', `The event of ${agent} is not a JSON object`);
  return value as Record<string, unknown>;
};
