import type { MessageId, SessionId } from '../model/index.ts';
import type { LastMessage, Spot } from './outline.ts';

/** A prompt with what followed it up to the next one, as all the sessions that have it tell it together. */
export interface Turn {
  /** The prompt's. */
  readonly id: MessageId;
  /** The same as the agent's hooks tell it. */
  readonly promptIds: readonly string[];
  readonly title: string;
  readonly at: string | null;
  readonly messages: number;
  readonly tools: number;
  readonly last: LastMessage;
  /** It was written in the first of them; others have copies, oldest first. */
  readonly sessions: readonly SessionId[];
}

/** A turn and where it goes out from. */
export interface PlacedTurn {
  readonly turn: Turn;
  readonly spot: Spot;
  readonly isHandOver: boolean;
  /** How many replies lead to its end, in the session where it went on longest. */
  readonly replies: number;
}

interface Timed {
  readonly turn: Pick<Turn, 'at' | 'id'>;
}

/** Those without a time last. */
export const byTime = ({ turn: a }: Timed, { turn: b }: Timed): number => {
  if (a.at !== b.at) return b.at === null || (a.at !== null && a.at < b.at) ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};
