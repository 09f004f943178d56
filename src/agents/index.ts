/**
 * agents: what each agent's hooks say, in the words of model/event.ts. Decoding only: nothing is recorded or asked here.
 */
import { type AgentEvent, RetakeError } from '../model/index.ts';
import { decodeClaudeCode } from './claude-code/decode.ts';

/** An event's JSON, as the agent wrote it to the hook's standard input; null for events that say nothing worth recording. */
type Decode = (payload: Record<string, unknown>) => AgentEvent | null;

const AGENTS: ReadonlyMap<string, Decode> = new Map([['claude-code', decodeClaudeCode]]);

export const decodeEvent = (agent: string, payload: string): AgentEvent | null => {
  const decode = AGENTS.get(agent);
  if (decode === undefined) {
    throw new RetakeError('bad-event', `There is no agent ${JSON.stringify(agent)}`, { hint: `One of: ${[...AGENTS.keys()].join(', ')}` });
  }
  return decode(parse(agent, payload));
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
