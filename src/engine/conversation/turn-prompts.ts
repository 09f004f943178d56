import { type Checkpoint, isCheckpoint, type MessageId, type Recorded, type SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { LogEntry } from '../read/log.ts';

/** The prompt that something was done for. */
export interface TurnPrompt {
  /** Null where the conversation is gone, or does not have it yet. */
  readonly id: MessageId | null;
  readonly at: string | null;
  /** Its first line. */
  readonly title: string;
}

/** Tells of records for which prompt they were made; null of those that belong to no turn. */
export const readTurnPrompts = ({ index }: Workspace): ((entry: LogEntry) => TurnPrompt | null) => {
  const recorded = new Map<SessionId, ReadonlyMap<number, Recorded<Checkpoint>>>();
  const promptsOf = (session: SessionId) => {
    const known = recorded.get(session) ?? new Map(index.prompts(session).map((prompt) => [prompt.event?.turn ?? 0, prompt]));
    recorded.set(session, known);
    return known;
  };
  return ({ operation, place }) => {
    if (place !== null) return { id: place.prompt, at: place.at, title: place.title };
    const turn = isCheckpoint(operation) ? operation.event?.turn : undefined;
    const prompt = turn === undefined ? undefined : promptsOf(operation.session).get(turn);
    return prompt === undefined ? null : { id: null, at: prompt.createdAt, title: prompt.description };
  };
};
