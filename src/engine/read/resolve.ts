import type { Entry } from '../../index/index.ts';
import {
  type Checkpoint,
  didYouMean,
  type FoundFork,
  isCheckpoint,
  isRollback,
  type MessageId,
  nearest,
  type OperationId,
  type Recorded,
  RetakeError,
  type SessionId,
  shortId,
  suggesting,
} from '../../model/index.ts';
import { type Conversations, readConversations } from '../conversation/branches.ts';
import { type SessionTurn, turnsOfSession } from '../conversation/turn-list.ts';
import { currentSession, sessionLeftFor } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';
import { shortestId } from './shortest-id.ts';

const SHORTEST_PREFIX = 4;

export interface AddressOptions {
  /** Whose turns are meant; without it, those of the session that is gone on with. */
  readonly session?: SessionId | undefined;
  /** The branch of its conversation that turns are counted along; without it, the one that the session is on. */
  readonly branch?: string | undefined;
}

/** Finds an operation by `@-1`, by turn (`t3`: before it), by name, or by id or unique prefix (CKP-6). */
export const resolveOperation = (workspace: Workspace, address: string, options: AddressOptions = {}): Entry => {
  const relative = /^@-(\d{1,9})$/.exec(address);
  if (relative !== null) return resolveRelative(workspace, address, Number(relative[1]));
  const turn = /^t(\d{1,9})$/.exec(address);
  if (turn !== null) return resolveTurn(workspace, Number(turn[1]), options);
  const found = fitting(workspace, address);
  if (found.length > 1) throw ambiguous(workspace, address, found);
  if (found[0] === undefined) throw unknown(workspace, address);
  return found[0];
};

/** What has it for a name, and what has an id that begins so: whoever calls one by the digits of another may mean either. */
const fitting = (workspace: Workspace, address: string): Entry[] => {
  if (!workspace.isProtected) return [];
  const { index } = workspace;
  const byId = isPrefix(address) ? index.byPrefix(address.toLowerCase()) : [];
  const isWhole = byId[0]?.operation.id === address.toLowerCase();
  const byName = isWhole ? [] : index.byName(address);
  return [...byName, ...byId.filter(({ operation }) => byName.every((one) => one.operation.id !== operation.id))];
};

/** The same for something that holds the workspace's content. */
export const resolveCheckpoint = (
  workspace: Workspace,
  address: string,
  options: AddressOptions = {},
): Entry & { readonly operation: Recorded<Checkpoint>; readonly isFork: boolean } => {
  const entry = resolveOperation(workspace, address, options);
  const { operation } = entry;
  if (isCheckpoint(operation)) return { ...entry, operation, isFork: false };
  if (operation.kind === 'fork-point') return checkpointAt(workspace, operation);
  throw new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, not a checkpoint`, {
    hint: isRollback(operation)
      ? `The state before it is checkpoint ${shortId(operation.safety)}; to take it back: retake undo ${shortId(operation.id)}`
      : 'retake log lists the checkpoints.',
  });
};

/** The state of the code at a fork (FRK-2). */
const checkpointAt = ({ index }: Workspace, fork: Recorded<FoundFork>) => {
  const entry = fork.checkpoint === null ? undefined : index.get(fork.checkpoint);
  if (entry !== undefined && isCheckpoint(entry.operation)) return { ...entry, operation: entry.operation, isFork: true };
  throw noCode(noCodeAt(fork));
};

const isPrefix = (address: string): boolean => new RegExp(`^[0-9a-fA-F]{${SHORTEST_PREFIX},40}$`).test(address);

const resolveRelative = (workspace: Workspace, address: string, back: number): Entry => {
  if (back === 0)
    throw new RetakeError('unknown-id', `There is no checkpoint ${address}: the newest is @-1`, {
      hint: '@-1 is the newest checkpoint, @-2 the one before it; retake log lists them.',
    });
  const entries = workspace.isProtected ? workspace.index.newestCheckpoints(back) : [];
  const entry = entries[back - 1];
  if (entry !== undefined) return entry;
  if (entries.length === 0) throw nothingYet(address);
  throw new RetakeError('unknown-id', `There is no checkpoint ${address}: there are ${entries.length} that count`, {
    hint: 'retake log lists them.',
  });
};

/** A place in a conversation at which no code is recorded: before a turn, or right behind a message; null for the beginning. */
export interface UnrecordedPlace {
  readonly session: SessionId;
  readonly cut: { readonly before: MessageId } | { readonly through: MessageId } | null;
  readonly title: string;
  /** Why there is no code. */
  readonly reason: string;
  /** The first record of the session's turns after it, if there is one. */
  readonly next: OperationId | null;
}

/** The place in a conversation that an address leads to although no code is recorded there; undefined for all others. */
export const resolveUnrecorded = (workspace: Workspace, address: string, options: AddressOptions): UnrecordedPlace | undefined => {
  const number = /^t(\d{1,9})$/.exec(address)?.[1];
  if (number === undefined) return unrecordedFork(workspace, address, options);
  const { session, turn, turns } = findTurn(workspace, Number(number), options);
  if (turn.message === null || isRecorded(workspace, turn)) return undefined;
  const next = turns.find((later) => later.number > turn.number && isRecorded(workspace, later))?.checkpoint ?? null;
  return { session, cut: { before: turn.message }, title: `turn ${turn.number}: ${turn.title}`, reason: whyNoCode(session, turn), next };
};

const unrecordedFork = (workspace: Workspace, address: string, options: AddressOptions): UnrecordedPlace | undefined => {
  const { operation } = resolveOperation(workspace, address, options);
  if (operation.kind !== 'fork-point') return undefined;
  const { checkpoint, session, at } = operation;
  if (checkpoint !== null && workspace.index.get(checkpoint) !== undefined) return undefined;
  const title = `fork ${shortId(operation.id)}`;
  return { session, cut: at === null ? null : { through: at }, title, reason: noCodeAt(operation), next: null };
};

const isRecorded = ({ index }: Workspace, { checkpoint }: SessionTurn): boolean =>
  checkpoint !== null && index.get(checkpoint) !== undefined;

const whyNoCode = (session: SessionId, { number }: SessionTurn): string =>
  `Turn ${number} of session ${session} has no checkpoint: it was not recorded, or is deleted`;

const noCodeAt = ({ id, reason }: Recorded<FoundFork>): string =>
  `There is no record of the code at fork ${shortId(id)}: ${reason ?? 'its checkpoint was deleted'}`;

/** Where there is a conversation and no code. */
export const noCode = (reason: string): RetakeError =>
  new RetakeError('no-code', reason, {
    hint: 'Its conversation can go back alone (--scope conversation), be forked and summarized; retake log lists the checkpoints.',
  });

const resolveTurn = (workspace: Workspace, number: number, options: AddressOptions): Entry => {
  const { session, turn } = findTurn(workspace, number, options);
  const entry = turn.checkpoint === null ? undefined : workspace.index.get(turn.checkpoint);
  if (entry !== undefined) return entry;
  throw turn.message === null ? noTurn(whyNoCode(session, turn)) : noCode(whyNoCode(session, turn));
};

interface FoundTurn {
  readonly session: SessionId;
  readonly turn: SessionTurn;
  /** All of the session. */
  readonly turns: readonly SessionTurn[];
}

const findTurn = (workspace: Workspace, number: number, options: AddressOptions): FoundTurn => {
  const session = workspace.isProtected
    ? (options.session ?? currentSession(workspace) ?? sessionLeftFor(workspace, undefined))
    : undefined;
  if (session === undefined)
    throw new RetakeError('unknown-id', `There is no turn ${number}: no agent's session is recorded here`, {
      hint: 'retake setup claude-code has the turns of an agent recorded; retake log lists what there is.',
    });
  const conversations = readConversations(workspace);
  const turns = turnsOfSession(workspace, session, conversations, options.branch);
  const isNamed = options.session !== undefined || options.branch !== undefined;
  const turn = turns.find((one) => one.number === number) ?? (isNamed ? undefined : turnLeft(workspace, session, number, conversations));
  if (turn === undefined) throw noTurn(`There is no turn ${number} in session ${session}: it has ${turns.length}`);
  return { session, turn, turns };
};

/** A turn that went back with the conversation, by the number that it had in the session that was left. */
const turnLeft = (workspace: Workspace, current: SessionId, number: number, conversations: Conversations): SessionTurn | undefined => {
  const seen = new Set([current]);
  for (
    let session = sessionLeftFor(workspace, current);
    session !== undefined && !seen.has(session);
    session = sessionLeftFor(workspace, session)
  ) {
    seen.add(session);
    const turn = turnsOfSession(workspace, session, conversations).find((one) => one.number === number);
    if (turn !== undefined) return turn;
  }
  return undefined;
};

const noTurn = (message: string): RetakeError =>
  new RetakeError('unknown-id', message, { hint: 'retake log lists what is recorded; --session chooses another session.' });

const unknown = (workspace: Workspace, address: string): RetakeError => {
  if (!workspace.isProtected) return nothingYet(address);
  const near = nearest(
    address,
    workspace.index.names(MOST_NAMES).map(({ word }) => word),
  );
  return new RetakeError('unknown-id', `There is no checkpoint or operation ${JSON.stringify(address)}${didYouMean(near)}`, {
    hint: `Give a name, an id or its first ${SHORTEST_PREFIX} digits at least, t3 for before turn 3, or @-1 for the newest; retake log lists them.`,
    ...suggesting(near),
  });
};

const nothingYet = (address: string): RetakeError =>
  new RetakeError('unknown-id', `There is no checkpoint ${JSON.stringify(address)}: none is recorded here yet`, {
    hint: 'retake checkpoint records the workspace as it is now.',
  });

/** As many are compared with a name that is not known. */
const MOST_NAMES = 1000;

const SHOWN_CANDIDATES = 5;

/** Each with what it is, so that the one that is meant can be told. */
const ambiguous = (workspace: Workspace, address: string, found: readonly Entry[]): RetakeError => {
  const told = found
    .slice(0, SHOWN_CANDIDATES)
    .map(({ operation }) => `${shortestId(workspace, operation.id)} (${operation.kind}: ${operation.description})`);
  const more = found.length > told.length ? [`${found.length - told.length} more`] : [];
  return new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several operations: ${[...told, ...more].join(', ')}`, {
    hint: 'Give the id, or more digits of it; retake show ID tells what one is.',
    details: {
      candidates: found.map(({ operation }) => operation.id),
      described: found.map(({ operation: { id, kind, description, createdAt } }) => ({ id, kind, description, createdAt })),
    },
  });
};
