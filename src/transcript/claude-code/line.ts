import type { MessageKind, ToolResult } from '../../model/index.ts';
import type { SourceLine, Span } from '../line-reader.ts';
import { bounded, boundedText } from './bounded.ts';

/** A line of the conversation's tree: it has an id and names the line before it. */
export interface ChainLine extends Span {
  readonly uuid: string;
  /** The line before it, as named by the field below; for a compaction's first line, the one that it follows in meaning. */
  readonly parent: string | null;
  readonly parentField: 'parentUuid' | 'logicalParentUuid';
  /** For a compaction's first line: what the client keeps word for word, and shows before or after the summary. */
  readonly preserved: Preserved | null;
  /** A subagent's, in files that hold them together with the main conversation, or that hold nothing else. */
  readonly sideChain: boolean;
  readonly agentId: string | null;
  readonly at: string | null;
  readonly promptId: string | null;
  /** Of a line that the client copied from another session: its id there. */
  readonly copyOf: string | null;
  readonly says: Says;
}

interface Preserved {
  readonly tail: string;
  /** The summary tells what came after the preserved lines, not what came before. */
  readonly summaryLast: boolean;
}

type Says =
  | {
      readonly type: 'reply';
      readonly message: string;
      readonly text: string;
      readonly calls: readonly AskedCall[];
      readonly stub: boolean;
    }
  | { readonly type: 'results'; readonly results: ReadonlyMap<string, ToolResult> }
  | {
      readonly type: 'message';
      readonly role: 'user' | 'system';
      readonly kind: MessageKind;
      readonly text: string;
      readonly isAdded?: boolean;
      readonly isHandOver?: boolean;
    }
  /** Attachments, progress, durations and types to come: they tie lines together and say nothing of their own. */
  | { readonly type: 'link' };

export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A line outside of the tree, and the lines of the tree it speaks of. */
export interface FlatLine extends Span {
  readonly about: readonly string[];
  /** The client's own copies of users' files that it names. */
  readonly backups: readonly string[];
}

export type ParsedLine =
  | { readonly type: 'chain'; readonly line: ChainLine }
  | { readonly type: 'flat'; readonly line: FlatLine }
  | { readonly type: 'unreadable'; readonly reason: string };

type Fields = Readonly<Record<string, unknown>>;

export const parseLine = ({ text, start, length }: SourceLine): ParsedLine => {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return { type: 'unreadable', reason: 'not JSON' };
  }
  if (!isFields(fields)) return { type: 'unreadable', reason: 'not a JSON object' };
  const uuid = string(fields.uuid);
  if (uuid === null || !('parentUuid' in fields))
    return { type: 'flat', line: { start, length, about: mentions(fields), backups: backupsIn(fields) } };
  const sideChain = fields.isSidechain === true;
  const parent = string(fields.parentUuid);
  const logical = string(fields.logicalParentUuid);
  return {
    type: 'chain',
    line: {
      start,
      length,
      uuid,
      parent: parent ?? logical,
      parentField: parent === null && logical !== null ? 'logicalParentUuid' : 'parentUuid',
      preserved: parent === null ? preservedBy(fields) : null,
      sideChain,
      // Older files mix subagents' lines with the main ones and don't tell them apart by an id.
      agentId: string(fields.agentId) ?? (sideChain ? 'subagent' : null),
      at: string(fields.timestamp),
      promptId: string(fields.promptId),
      copyOf: isFields(fields.forkedFrom) ? string(fields.forkedFrom.messageUuid) : null,
      says: says(fields),
    },
  };
};

const preservedBy = (fields: Fields): Preserved | null => {
  const segment = isFields(fields.compactMetadata) ? fields.compactMetadata.preservedSegment : undefined;
  const tail = isFields(segment) ? string(segment.tailUuid) : null;
  return isFields(segment) && tail !== null ? { tail, summaryLast: segment.anchorUuid === fields.uuid } : null;
};

const mentions = (fields: Fields): string[] =>
  [fields.messageId, fields.snapshotMessageId, fields.leafUuid].flatMap((value) => (typeof value === 'string' ? [value] : []));

const backupsIn = (fields: Fields): string[] => {
  const tracked = isFields(fields.snapshot) && isFields(fields.snapshot.trackedFileBackups) ? fields.snapshot.trackedFileBackups : {};
  return [fields.backup, ...Object.values(tracked)].flatMap((backup) => (isFields(backup) ? (string(backup.backupFileName) ?? []) : []));
};

const says = (fields: Fields): Says => {
  switch (fields.type) {
    case 'assistant':
      return assistant(fields);
    case 'user':
      return user(fields);
    case 'system':
      return system(fields);
    case 'attachment':
      return attachment(fields);
    default:
      return { type: 'link' };
  }
};

const assistant = (fields: Fields): Says => {
  const message = isFields(fields.message) ? fields.message : {};
  const content = blocks(message.content);
  return {
    type: 'reply',
    message: string(message.id) ?? (fields.uuid as string),
    text: textOf(content),
    calls: content.flatMap((block) => {
      const id = string(block.id);
      return block.type === 'tool_use' && id !== null ? [{ id, name: string(block.name) ?? 'a tool', input: bounded(block.input) }] : [];
    }),
    // Written by the client in the model's place: at a resume, or to show an error.
    stub: message.model === '<synthetic>',
  };
};

const user = (fields: Fields): Says => {
  const content = blocks(isFields(fields.message) ? fields.message.content : undefined);
  const results = content.flatMap((block) => {
    const id = block.type === 'tool_result' ? string(block.tool_use_id) : null;
    return id === null ? [] : [[id, { text: textOf(blocks(block.content)), isError: block.is_error === true }] as const];
  });
  if (results.length > 0) return { type: 'results', results: new Map(results) };
  const written = textOf(content);
  const command = commandIn(written);
  const text = command ?? written;
  const kind = kindOf(fields, text);
  return { type: 'message', role: 'user', kind, text, isHandOver: kind === 'prompt' && isPlan(fields, text) };
};

const kindOf = (fields: Fields, text: string): MessageKind => {
  if (fields.isCompactSummary === true) return 'summary';
  const written = fields.isMeta === true || fields.isVisibleInTranscriptOnly === true || fields.promptSource === 'system';
  return written || fields.isSidechain === true || isForeign(fields.origin) || isEcho(text) ? 'notice' : 'prompt';
};

/** What a new session is begun with when a plan was accepted in another. */
const isPlan = (fields: Fields, text: string): boolean =>
  string(fields.planContent) !== null || text.startsWith('Implement the following plan:');

/** Newer files say who began a turn. */
const isForeign = (origin: unknown): boolean => isFields(origin) && typeof origin.kind === 'string' && origin.kind !== 'human';

/**
 * A slash command that the client sends to the model, as it was typed. Such a command is written with its message first, and its prompt follows
 * as a line of its own; one that the client answers by itself is written with its name first, and one that the model calls for without a slash.
 */
const commandIn = (text: string): string | null => {
  const [, name, args = ''] =
    /^\s*<command-message>[\s\S]*?<\/command-message>\s*<command-name>(\/[^<]+)<\/command-name>(?:\s*<command-args>([\s\S]*?)<\/command-args>)?/.exec(
      text,
    ) ?? [];
  return name === undefined ? null : `${name} ${args}`.trim();
};

/** What the client writes as the user's words: slash commands and shell commands with their output, a subagent's return, an interruption. */
const isEcho = (text: string): boolean =>
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-\w+|task-notification|bash-(?:input|stdout|stderr))>|\[Request interrupted by user)/.test(
    text,
  );

const system = (fields: Fields): Says => {
  const text = string(fields.content);
  // The summary that follows a boundary says what there is to say.
  if (text === null || fields.subtype === 'compact_boundary') return { type: 'link' };
  return { type: 'message', role: 'system', kind: 'notice', text: boundedText(text) };
};

/** A prompt that was typed while the agent worked may be written as an attachment only. */
const attachment = (fields: Fields): Says => {
  const { attachment } = fields;
  if (!isFields(attachment) || attachment.type !== 'queued_command') return { type: 'link' };
  const text = textOf(blocks(attachment.prompt));
  const written = typeof attachment.commandMode === 'string' && attachment.commandMode !== 'prompt';
  const kind = written || isForeign(attachment.origin) || attachment.isMeta === true ? 'notice' : kindOf(fields, text);
  return { type: 'message', role: 'user', kind, text, isAdded: kind === 'prompt' };
};

const blocks = (content: unknown): Fields[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
};

const textOf = (content: readonly Fields[]): string =>
  boundedText(
    content
      .flatMap((block) => {
        if (block.type === 'text') return string(block.text) ?? [];
        return block.type === 'image' || block.type === 'document' ? `[${block.type}]` : [];
      })
      .join('\n'),
  );

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const string = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
