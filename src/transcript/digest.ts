import type { Message, ToolCall } from '../model/index.ts';

const LONGEST_LINE = 300;

/** A plain account of a part of a conversation, for when no command is there to summarize it (CNV-4). */
export const digest = (messages: readonly Message[]): string => {
  const calls = messages.flatMap((message) => message.calls);
  const sections = [
    section(
      'Earlier summary',
      messages.filter((message) => message.kind === 'summary').map((message) => message.text),
    ),
    section(
      'Asked',
      messages.filter((message) => message.kind === 'prompt').map((message) => line(message.text)),
    ),
    section('Files changed', [...new Set(calls.flatMap(changedFile))]),
    section('Commands', calls.flatMap(command)),
    section('Failed', calls.flatMap(failure)),
    section(
      'Answered',
      messages.filter((message) => message.kind === 'reply' && message.text !== '').map((message) => line(message.text)),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
};

const section = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n');

const EDIT_TOOLS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

const changedFile = (call: ToolCall): string[] => {
  if (!EDIT_TOOLS.has(call.name) || call.result?.isError !== false) return [];
  const file = input(call, 'file_path') ?? input(call, 'notebook_path');
  return file === undefined ? [] : [line(file)];
};

const command = (call: ToolCall): string[] => {
  const words = input(call, 'command');
  if (words === undefined) return [];
  const outcome = call.result === null ? '(no result)' : line(call.result.text);
  return [outcome === '' ? line(words) : `${line(words)} → ${outcome}`];
};

const failure = (call: ToolCall): string[] => (call.result?.isError ? [`${call.name}: ${line(call.result.text)}`] : []);

const input = (call: ToolCall, key: string): string | undefined => {
  const value = typeof call.input === 'object' && call.input !== null ? (call.input as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const line = (text: string): string => {
  const words = text
    .slice(0, LONGEST_LINE * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.length <= LONGEST_LINE ? words : `${words.slice(0, LONGEST_LINE)}…`;
};
