import type { Entry } from '../index/index.ts';
import {
  type Checkpoint,
  didYouMean,
  type FoundFork,
  isCheckpoint,
  isRollback,
  nearest,
  type OperationId,
  type Recorded,
  RetakeError,
  type SessionId,
  shortId,
  suggesting,
} from '../model/index.ts';
import { branchOf, readConversations, wayTo } from './conversation/branches.ts';
import { currentSession, turnsOf } from './conversation/turns.ts';
import { shortestId } from './shortest-id.ts';
import type { Workspace } from './workspace.ts';

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
): Entry & { readonly operation: Recorded<Checkpoint> } => {
  const entry = resolveOperation(workspace, address, options);
  const { operation } = entry;
  if (isCheckpoint(operation)) return { ...entry, operation };
  if (operation.kind === 'fork-point') return checkpointAt(workspace, operation);
  throw new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, not a checkpoint`, {
    hint: isRollback(operation)
      ? `The state before it is checkpoint ${shortId(operation.safety)}; to take it back: retake undo ${shortId(operation.id)}`
      : 'retake log lists the checkpoints.',
  });
};

/** The state of the code at a fork (FRK-2). */
const checkpointAt = ({ index }: Workspace, { id, checkpoint, reason }: Recorded<FoundFork>) => {
  const entry = checkpoint === null ? undefined : index.get(checkpoint);
  if (entry !== undefined && isCheckpoint(entry.operation)) return { ...entry, operation: entry.operation };
  throw new RetakeError('no-code', `There is no record of the code at fork ${shortId(id)}: ${reason ?? 'its checkpoint was deleted'}`, {
    hint: 'retake log lists the checkpoints there are.',
  });
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

const resolveTurn = (workspace: Workspace, number: number, options: AddressOptions): Entry => {
  const session = workspace.isProtected ? (options.session ?? currentSession(workspace)) : undefined;
  if (session === undefined)
    throw new RetakeError('unknown-id', `There is no turn ${number}: no agent's session is recorded here`, {
      hint: 'retake setup claude-code has the turns of an agent recorded; retake log lists what there is.',
    });
  const turns =
    options.branch === undefined
      ? turnsOf(workspace, session).map(({ checkpoint }) => checkpoint?.id ?? null)
      : turnsOn(workspace, session, options.branch);
  const checkpoint = turns[number - 1];
  if (checkpoint === undefined) throw noTurn(`There is no turn ${number} in session ${session}: it has ${turns.length}`);
  const entry = checkpoint === null ? undefined : workspace.index.get(checkpoint);
  if (entry !== undefined) return entry;
  throw noTurn(`Turn ${number} of session ${session} has no checkpoint: it was not recorded, or is deleted`);
};

/** The checkpoints of the turns that lead to the end of a branch. */
const turnsOn = (workspace: Workspace, session: SessionId, address: string): (OperationId | null)[] => {
  const conversations = readConversations(workspace);
  const branch = branchOf(conversations, session, address);
  const way = branch === undefined ? [] : wayTo(conversations, branch);
  return way.map(({ turn }) => conversations.recorded?.of(turn)?.prompt ?? null);
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
