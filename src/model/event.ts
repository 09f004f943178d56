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
