import { closeSync, fstatSync, readSync } from 'node:fs';
import { RetakeError } from '../../model/index.ts';
import { companionsOf, openForReading } from '../../transcript/index.ts';
import { type ConversationSource, readTranscript, sourceOf } from '../conversation/conversation.ts';
import type { Workspace } from '../core/workspace.ts';
import { companionMember, isMember, MEMBER } from './member-names.ts';
import type { TarWriter } from './tar-writer.ts';

/** Where a session's conversation is; or why there is none: it is gone, or belongs to no agent. */
export const conversationToExport = (
  workspace: Workspace,
  session: ConversationSource['session'],
): { readonly source: ConversationSource } | { readonly source?: undefined; readonly reason: string } => {
  try {
    return { source: sourceOf(workspace, session) };
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'no-conversation') return { reason: error.message };
    throw error;
  }
};

/** Writes what was said, as the agent keeps it and in words that fit every agent; tells how many messages that is. */
export const exportConversation = async (tar: TarWriter, source: ConversationSource): Promise<number> => {
  const transcript = readTranscript(source);
  const { messages } = transcript;
  await tar.add(MEMBER.messages, (write) => {
    for (const message of messages) write(Buffer.from(`${JSON.stringify(message)}\n`));
  });
  // The very file that was read: another one may have taken its name since.
  await tar.add(MEMBER.session, (write) => copyLines(transcript.openSame(), { isLines: true }, write));
  for (const { name, path } of companionsOf(source.agent, source.path)) {
    const member = companionMember(name);
    if (isMember(member)) await tar.add(member, (write) => copyLines(openForReading(path), { isLines: path.endsWith('.jsonl') }, write));
  }
  return messages.length;
};

const CHUNK = 256 << 10;
const NEWLINE = 0x0a;

/** The agent may be writing to it right now: a last line that is not whole yet stays behind. */
const copyLines = (fd: number, { isLines }: { isLines: boolean }, write: (bytes: Uint8Array) => void): void => {
  try {
    const { size } = fstatSync(fd);
    const end = isLines ? endOfLines(fd, size) : size;
    for (let at = 0; at < end; at += CHUNK) write(readAt(fd, at, Math.min(end, at + CHUNK)));
  } finally {
    closeSync(fd);
  }
};

const endOfLines = (fd: number, size: number): number => {
  for (let end = size; end > 0; end -= CHUNK) {
    const from = Math.max(0, end - CHUNK);
    const newline = readAt(fd, from, end).lastIndexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
  }
  return 0;
};

const readAt = (fd: number, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafe(to - from);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
};
