import {
  currentSession,
  describeTurns,
  type ForkPointMark,
  knownSession,
  listRecords,
  listTurns,
  readForkPoints,
  recordsOfTurns,
  type SessionTurn,
  type Workspace,
  withDetails,
} from '../../engine/index.ts';
import { LOCAL_SESSION, type SessionId } from '../../model/index.ts';
import { describeOwners } from '../owners.ts';
import { rolledBackMarks } from '../rolled-back.ts';
import { type Details, type Place, placeOfRecord, placeOfTurn } from './places.ts';

/** Turns of a conversation, or everything that was recorded. */
export type View = 'turns' | 'records';

export interface Contents {
  readonly view: View;
  /** Whose turns they are, or whose records alone. */
  readonly session: SessionId | null;
  /** Newest first. */
  readonly places: readonly Place[];
}

/** What there is to go back to. Where no agent has worked yet, that is the log. */
export const readContents = (workspace: Workspace, view: View, address: string | undefined): Contents => {
  const named = address === undefined ? undefined : knownSession(workspace, address);
  const session = named ?? (workspace.isProtected ? currentSession(workspace) : undefined);
  if (view === 'turns' && session !== undefined && session !== LOCAL_SESSION) {
    const places = listTurns(workspace, { session })
      .map((turn) => placeOfTurn(turn, session))
      .reverse();
    if (places.length > 0 || named !== undefined) return { view, session, places };
  }
  return { view: 'records', session: named ?? null, places: listRecords(workspace, { session: named }).map(placeOfRecord) };
};

/** What was recorded in a turn, newest first; nothing of what is no turn. */
export const readSteps = (workspace: Workspace, place: Place): Place[] =>
  'turn' in place.of ? (recordsOfTurns(workspace, [place.of.turn])[0] ?? []).map(placeOfRecord).reverse() : [];

/** What the steps of all turns are called, by the key of the turn: for filtering. */
export const readWords = (workspace: Workspace, places: readonly Place[]): ReadonlyMap<string, string> => {
  const turns = places.flatMap(({ key, of }) => ('turn' in of ? [{ key, turn: of.turn }] : []));
  const records = recordsOfTurns(
    workspace,
    turns.map(({ turn }) => turn),
  );
  const { byPrompt } = readForkPoints(workspace);
  // So that `fork` finds the turns that are marked with it.
  const wordsOf = (turn: SessionTurn): string[] => forkMark(turn.message === null ? null : (byPrompt.get(turn.message) ?? null));
  return new Map(
    turns.map(({ key, turn }, at) => {
      const steps = (records[at] ?? []).map((record) => placeOfRecord(record).words);
      return [key, [...wordsOf(turn), ...steps].join('\n')] as const;
    }),
  );
};

/** What takes reading, for the places that somebody sees. */
export const readDetails = (workspace: Workspace, places: readonly Place[]): ReadonlyMap<string, Details> => {
  const turns = places.flatMap(({ key, of }) => ('turn' in of ? [{ key, turn: of.turn }] : []));
  const records = places.flatMap(({ key, of }) => ('record' in of ? [{ key, record: of.record }] : []));
  const told = describeTurns(
    workspace,
    turns.map(({ turn }) => turn),
  ).map(({ counts, rolledBack, remaining, checkpoint, forkPoint }, at): [string, Details] => [
    turns[at]?.key ?? '',
    {
      counts,
      marks: [...forkMark(forkPoint), ...rolledBackMarks(rolledBack, remaining), ...(checkpoint === null ? ['not recorded'] : [])],
    },
  ]);
  const entries = withDetails(
    workspace,
    records.map(({ record }) => record),
  ).map((entry, at): [string, Details] => {
    const { operation, counts, rolledBack, remaining, by, owners, pinned, forkPoint } = entry;
    const isPartial = 'status' in operation && operation.status === 'partial';
    const marks = [...rolledBackMarks(rolledBack, remaining), ...(isPartial ? ['partial'] : []), ...describeOwners(operation, by, owners)];
    return [records[at]?.key ?? '', { counts, marks: [...forkMark(forkPoint), ...marks, ...(pinned ? ['pinned'] : [])] }];
  });
  return new Map([...told, ...entries]);
};

const forkMark = (mark: ForkPointMark | null): string[] => (mark === null ? [] : [`fork, ${mark.ways} ways`]);
