import { randomUUID } from 'node:crypto';
import type { ChainLine } from './line.ts';
import type { PlannedLine } from './plan.ts';

/** What the client writes when it compacts a part of a conversation: a boundary, and the summary as a user's message. */
export interface Compaction {
  readonly lines: readonly PlannedLine[];
  /** The id of the line with the summary. */
  readonly summary: string;
}

/** The summary comes first, and what is kept follows it line by line. */
export const summaryFirst = (text: string, path: string, summarized: number): Compaction =>
  compaction(
    `This session continues an earlier conversation. This summary stands for its first part:\n\n${text}\n\n${whereItIs(path)}`,
    { messagesSummarized: summarized, direction: 'up_to' },
    [],
  );

/** What is kept comes before the summary: the boundary names these lines as preserved, or the client would leave them out. */
export const summaryLast = (text: string, path: string, summarized: number, kept: readonly ChainLine[]): Compaction =>
  compaction(
    `This session continues an earlier conversation. This summary stands for its last part, which followed here:\n\n${text}\n\n${whereItIs(path)}`,
    { messagesSummarized: summarized, direction: 'from' },
    kept.map((line) => line.uuid),
  );

const whereItIs = (path: string): string => `The whole conversation, word for word, is in ${path}`;

interface Extent {
  readonly messagesSummarized: number;
  readonly direction: 'from' | 'up_to';
}

const compaction = (text: string, extent: Extent, uuids: readonly string[]): Compaction => {
  const boundary = randomUUID();
  const summary = randomUUID();
  const preserved = {
    preservedSegment: { headUuid: uuids[0], anchorUuid: boundary, tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid: boundary, uuids, allUuids: uuids },
  };
  const { messagesSummarized } = extent;
  return {
    summary,
    lines: [
      made({
        parentUuid: null,
        logicalParentUuid: uuids.at(-1) ?? null,
        isSidechain: false,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
        level: 'info',
        compactMetadata: { trigger: 'manual', preTokens: 0, messagesSummarized, ...(uuids.length === 0 ? {} : preserved) },
        uuid: boundary,
      }),
      made({
        parentUuid: boundary,
        isSidechain: false,
        type: 'user',
        message: { role: 'user', content: text },
        isCompactSummary: true,
        summarizeMetadata: extent,
        uuid: summary,
      }),
    ],
  };
};

const made = (fields: Readonly<Record<string, unknown>>): PlannedLine => ({ type: 'made', fields });
