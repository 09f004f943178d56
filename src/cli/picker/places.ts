import type { CheckpointRecord, SessionTurn } from '../../engine/index.ts';
import type { OperationId, SessionId } from '../../model/index.ts';
import { inert } from './text.ts';

/** A point that one can go back to: where a prompt was sent, or what was recorded later. */
export interface Place {
  readonly key: string;
  /** The record of the code there; null where Retake did not see it. */
  readonly id: OperationId | null;
  /** What the engine finds it by: its record, or a turn of a session. */
  readonly address: { readonly target: string; readonly session?: SessionId };
  /** What it is, in a few characters: `t3`, a tool, a kind of record. */
  readonly label: string;
  readonly title: string;
  readonly at: string | null;
  /** What is looked for when somebody filters, in small letters. */
  readonly words: string;
  readonly of: { readonly turn: SessionTurn } | { readonly record: CheckpointRecord };
}

/** What it takes to read: how much changed, and what became of it. */
export interface Details {
  readonly counts: { readonly changed: number; readonly insertions: number; readonly deletions: number } | null;
  readonly marks: readonly string[];
}

export const placeOfTurn = (turn: SessionTurn, session: SessionId): Place => ({
  key: `turn ${turn.number}`,
  id: turn.checkpoint,
  address: turn.checkpoint === null ? { target: `t${turn.number}`, session } : { target: turn.checkpoint },
  label: `t${turn.number}`,
  title: inert(turn.title),
  at: turn.at,
  words: `t${turn.number} ${turn.title}`.toLowerCase(),
  of: { turn },
});

export const placeOfRecord = (record: CheckpointRecord): Place => {
  const { operation, name, note } = record;
  const { tool, agentType } = operation.event?.place ?? {};
  const title = name === null ? operation.description : `${name}: ${operation.description}`;
  return {
    key: `record ${operation.id}`,
    id: operation.id,
    address: { target: operation.id },
    label: inert(tool ?? LABELS[operation.kind] ?? operation.kind),
    title: inert(`${title}${note === null ? '' : ` “${note}”`}`),
    at: operation.createdAt,
    words: [name, operation.description, note, tool, agentType, operation.kind]
      .filter((word) => word != null)
      .join(' ')
      .toLowerCase(),
    of: { record },
  };
};

const LABELS: Readonly<Record<string, string>> = {
  'before-step': 'between',
  'session-start': 'start',
  'session-end': 'end',
  'turn-end': 'turn end',
};

/** Whether it has all that is typed, word by word; `more` is what else belongs to it. */
export const fits = ({ words }: Place, filter: string, more = ''): boolean =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word) || more.includes(word));
