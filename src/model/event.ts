import type { SessionId } from './ids.ts';

/** What an agent's hook told, in words that fit every agent. */
export interface AgentEvent {
  readonly agent: string;
  readonly session: SessionId;
  readonly kind: AgentEventKind;
  /** Delivered twice, an event has the same key. */
  readonly key: string;
  /** The key is no id of the agent's, so that after a while the same words mean another event. */
  readonly keyIsBrief: boolean;
  /** Where the agent works. */
  readonly directory: string;
  /** One line for people. */
  readonly description: string;
  readonly place: Place;
  /** Files that an edit tool names, by absolute path: captured even where they are ignored or outside the workspace (CAP-2). */
  readonly files: readonly string[];
  /** All that the tool can change, by absolute path; absent when that may be anything. */
  readonly touches?: readonly string[];
  /** Of a prompt: a command that the client answers by itself, so that it begins no turn. */
  readonly isLocal?: true;
  /** The file in which the agent keeps the conversation. */
  readonly transcript?: string;
}

export const AGENT_EVENT_KINDS = ['session-start', 'prompt', 'before-step', 'after-step', 'turn-end', 'compact', 'session-end'] as const;
export type AgentEventKind = (typeof AGENT_EVENT_KINDS)[number];

/** Where in the conversation something happened. */
export interface Place {
  readonly agent: string;
  readonly promptId?: string;
  readonly toolUseId?: string;
  readonly tool?: string;
  /** The subagent, if it was one. */
  readonly agentId?: string;
  readonly agentType?: string;
}
