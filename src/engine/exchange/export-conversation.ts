import { closeSync, openSync, readSync } from 'node:fs';
import { RetakeError } from '../../model/index.ts';
import { companionsOf } from '../../transcript/index.ts';
import { type ConversationSource, readTranscript, sourceOf } from '../conversation/conversation.ts';
import type { Workspace } from '../workspace.ts';
import { companionMember, isMember, MEMBER } from './member-names.ts';
import type { TarWriter } from './tar-writer.ts';

/** Where a session's conversation is; undefined where it is gone, or belongs to no agent. */
export const conversationToExport = (workspace: Workspace, session: ConversationSource['session']): ConversationSource | undefined => {
  try {
    return sourceOf(workspace, session);
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'no-conversation') return undefined;
    throw error;
  }
};

/** Writes what was said, as the agent keeps it and in words that fit every agent; tells how many messages that is. */
export const exportConversation = async (tar: TarWriter, source: ConversationSource): Promise<number> => {
  const { messages } = readTranscript(source);
  await tar.add(MEMBER.messages, (write) => {
    for (const message of messages) write(Buffer.from(`${JSON.stringify(message)}\n`));
  });
  await tar.add(MEMBER.session, (write) => copyLines(source.path, write));
  for (const { name, path } of companionsOf(source.agent, source.path)) {
    const member = companionMember(name);
    if (isMember(member)) await tar.add(member, (write) => copyLines(path, write));
  }
  return messages.length;
};

const CHUNK = 256 << 10;
const NEWLINE = 0x0a;

/** The agent may be writing to it right now: a last line that is not whole waits until it is, and else stays behind. */
const copyLines = (path: string, write: (bytes: Uint8Array) => void): void => {
  const fd = openSync(path, 'r');
  try {
    const isWhole = !path.endsWith('.jsonl');
    let rest: Buffer = Buffer.alloc(0);
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
      const end = isWhole ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
      if (end > 0) write(bytes.subarray(0, end));
      rest = bytes.subarray(end);
    }
  } finally {
    closeSync(fd);
  }
};
