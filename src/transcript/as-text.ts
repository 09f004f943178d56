import type { Message, ToolCall } from '../model/index.ts';

/** Results are mostly files and logs; their beginning tells enough to summarize. */
const LONGEST_RESULT = 4000;

/** The conversation as a summarizing command gets it on its standard input. */
export const asText = (messages: readonly Message[]): string => messages.map(messageText).join('\n');

const TITLES = { prompt: 'User', reply: 'Assistant', notice: 'Notice', summary: 'Summary of what was before' } as const;

const messageText = (message: Message): string =>
  [`## ${TITLES[message.kind]}`, ...(message.text === '' ? [] : [message.text]), ...message.calls.map(callText), ''].join('\n');

const callText = (call: ToolCall): string => {
  const outcome = call.result === null ? '(no result)' : `${call.result.isError ? 'Error' : 'Result'}: ${shortened(call.result.text)}`;
  return `\n### ${call.name} ${shortened(JSON.stringify(call.input) ?? '')}\n${outcome}`;
};

const shortened = (text: string): string =>
  text.length <= LONGEST_RESULT ? text : `${text.slice(0, LONGEST_RESULT)}[… ${text.length - LONGEST_RESULT} more characters]`;
