import { randomUUID } from 'node:crypto';
import type { PlannedLine } from '../format.ts';
import type { ChainLine } from './line.ts';

/** What the client writes when it compacts a conversation: a boundary, and the summary as a user's message. */
export interface Compaction {
  readonly lines: readonly PlannedLine[];
  /** The id of the line with the summary. */
  readonly summary: string;
}

/** The summary comes first; what is kept follows it line by line. */
export const boundaryBefore = (text: string): Compaction => compaction(text, null, {});

/** What is kept stays before the summary: the boundary names it as preserved. */
export const boundaryAfter = (text: string, kept: readonly ChainLine[]): Compaction => {
  const [head, tail] = [kept[0], kept.at(-1)];
  if (head === undefined || tail === undefined) return compaction(text, null, {});
  const uuids = kept.map((line) => line.uuid);
  return compaction(text, tail.uuid, (anchorUuid) => ({
    preservedSegment: { headUuid: head.uuid, anchorUuid, tailUuid: tail.uuid },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  }));
};

const compaction = (text: string, logicalParentUuid: string | null, preserved: ((boundary: string) => object) | object): Compaction => {
  const boundary = randomUUID();
  const summary = randomUUID();
  return {
    summary,
    lines: [
      made({
        parentUuid: null,
        logicalParentUuid,
        isSidechain: false,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
        level: 'info',
        compactMetadata: { trigger: 'manual', preTokens: 0, ...(typeof preserved === 'function' ? preserved(boundary) : preserved) },
        uuid: boundary,
      }),
      made({
        parentUuid: boundary,
        isSidechain: false,
        type: 'user',
        message: { role: 'user', content: text },
        isVisibleInTranscriptOnly: true,
        isCompactSummary: true,
        uuid: summary,
      }),
    ],
  };
};

const made = (fields: Readonly<Record<string, unknown>>): PlannedLine => ({ type: 'made', fields });
