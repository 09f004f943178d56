import type { MessageId } from './ids.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Null while the tool runs, and for a call that was never answered. */
  readonly result: ToolResult | null;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * What a message is: a `prompt` is what a person asked, a `reply` the model's answer, a `notice` what programs wrote into the
 * conversation, a `summary` stands for what was compacted.
 */
export type MessageKind = 'prompt' | 'reply' | 'notice' | 'summary';

/** One message of a conversation, in words that fit every agent. */
export interface Message {
  readonly id: MessageId;
  /** The message before it on its branch. */
  readonly parent: MessageId | null;
  /** It has no parent because what it follows is missing, not because the conversation begins with it. */
  readonly isOrphan: boolean;
  /** Of a message that the agent copied from another session: its id there, mostly the same. */
  readonly copyOf: MessageId | null;
  readonly role: 'user' | 'assistant' | 'system';
  readonly kind: MessageKind;
  /** Of a prompt: typed while the agent worked, and told to it in between. */
  readonly isAdded: boolean;
  /** Of a prompt: it hands a plan over that another conversation made. */
  readonly isHandOver: boolean;
  readonly text: string;
  /** With the results they got. */
  readonly calls: readonly ToolCall[];
  /** ISO time. */
  readonly at: string | null;
  /** The turn's, as the agent's hooks name it; a reply has that of the prompt it answers. Copies in a forked session may all have the same. */
  readonly promptId: string | null;
  /** The subagent whose message it is. */
  readonly agentId: string | null;
}
