import type { Message, MessageId, SessionId } from '../model/index.ts';
import type { SourceLine } from './line-reader.ts';

export interface TranscriptFile {
  readonly agent: string;
  readonly session: SessionId;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: string;
  /** It is a link, and may lead anywhere. */
  readonly isLink?: true;
}

export interface Subagent {
  readonly agentId: string;
  readonly agentType: string | null;
  /** The call that started it. */
  readonly toolUseId: string | null;
  readonly path: string;
}

export interface Companion {
  readonly name: string;
  readonly path: string;
}

export interface ContinuationRequest {
  /** Before a prompt; or up to and including a message with all results of its tool calls. */
  readonly cut: Cut;
  /** The new session's id. */
  readonly session: SessionId;
  readonly summary?: Summary;
  /** Where it goes; beside the old one unless told. */
  readonly folder?: string | undefined;
}

export type Cut = { readonly before: MessageId } | { readonly through: MessageId };

export interface Summary {
  readonly text: string;
  /** `rest`: the text tells at the end what the cut drops. `before`: it stands for all before the cut, and what follows is kept. */
  readonly of: 'rest' | 'before';
}

export interface Continuation {
  readonly session: SessionId;
  readonly path: string;
  readonly messages: number;
}

/** A prompt as it stands in a session file. */
export interface WrittenPrompt {
  readonly promptId: string;
  readonly text: string;
}

/** What the lines of one session file say together. Lines are added as the file grows. */
export interface Conversation {
  /** Returns why the line can't be read, or null when it was. */
  add(line: SourceLine): string | null;
  folded(): Folded;
  writeContinuation(source: ContinuationSource, request: ContinuationRequest): Continuation | null;
}

export interface ContinuationSource {
  readonly session: SessionId;
  readonly path: string;
  /** Opens the file that the conversation was read from; fails when another one has taken its place. */
  openSame(): number;
}

export interface Folded {
  /** In the order of the file. */
  readonly messages: readonly Message[];
  find(id: MessageId): Message | undefined;
  /** The last message of the active branch. */
  readonly leaf: MessageId | null;
  /** What is wrong with lines that could be read: for people. */
  readonly oddities: readonly string[];
}
