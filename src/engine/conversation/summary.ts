import { runShell } from '../../host/index.ts';
import { type Message, RetakeError } from '../../model/index.ts';
import { asText, digest } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { ConversationPlace } from './conversation.ts';

/** What a summary stands for: everything from a place on, or everything up to it. */
export type SummarySide = 'from' | 'upto';

/** A summary of one side of a place, made by the user's command or, without one, a plain digest (CNV-4). */
export const summaryOf = async (
  workspace: Workspace,
  place: ConversationPlace,
  side: SummarySide,
): Promise<{ text: string; of: 'rest' | 'before' }> => {
  const messages = side === 'upto' ? place.kept : place.rest;
  if (messages.length === 0)
    throw new RetakeError('no-conversation', `There is nothing to summarize ${side === 'upto' ? 'before' : 'after'} that place`);
  return { text: await summarize(workspace, messages, place.source.directory), of: side === 'upto' ? 'before' : 'rest' };
};

const summarize = async ({ settings }: Workspace, messages: readonly Message[], directory: string): Promise<string> => {
  const command = settings['conversation.summarizer'];
  if (command === '') return digest(messages);
  const { code, stdout, stderr } = await runShell(command, asText(messages), directory);
  const text = stdout.trim();
  if (code === 0 && text !== '') return text;
  const why = code === 0 ? 'it printed nothing' : `it ended with ${code}${stderr.trim() === '' ? '' : `: ${stderr.trim().slice(0, 500)}`}`;
  throw new RetakeError('summarizer-failed', `The command that makes summaries failed: ${why}`, {
    hint: 'It is the setting conversation.summarizer; without it, a plain digest is made.',
  });
};
