import type { Message, ToolCall } from '../model/index.ts';

/** A conversation may hold whole files: of each text this much is told. */
const LONGEST = 20_000;

/** A message, with texts that are too long cut, and how long they were. */
export const messageJson = ({ id, parent, role, kind, isAdded, text, calls, at, promptId, agentId }: Message) => ({
  id,
  parent,
  role,
  kind,
  isAdded,
  ...textJson(text),
  calls: calls.map(callJson),
  at,
  promptId,
  agentId,
});

const textJson = (text: string): { text: string; textLength?: number } =>
  text.length > LONGEST ? { text: beginningOf(text), textLength: text.length } : { text };

const callJson = ({ id, name, input, result }: ToolCall) => ({
  id,
  name,
  ...inputJson(input),
  result: result && { ...textJson(result.text), isError: result.isError },
});

const inputJson = (input: unknown): { input: unknown; inputLength?: number } => {
  const text = JSON.stringify(input) ?? 'null';
  return text.length > LONGEST ? { input: beginningOf(text), inputLength: text.length } : { input: input ?? null };
};

/** Not half of a character. */
const beginningOf = (text: string): string => text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
