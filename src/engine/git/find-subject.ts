import type { Entry } from '../../index/index.ts';
import { isCheckpoint, type Recorded, RetakeError, type WorkspaceState } from '../../model/index.ts';
import { headlineOf } from '../../timeline/index.ts';
import type { ReadCommit } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type AddressOptions, resolveCheckpoint, resolveOperation } from '../read/resolve.ts';
import { shortestId } from '../read/shortest-id.ts';
import { type CommitSide, commitsNamed } from './commit-difference.ts';

/** What an address means. */
export type Subject = { readonly entry: Entry } | { readonly commit: ReadCommit };

/** An operation, or where none is meant a commit of the user's git by its hash. What may be either is refused with both meanings. */
export const resolveSubject = async (workspace: Workspace, address: string, options: AddressOptions = {}): Promise<Subject> => {
  const operation = operationAt(workspace, address, options);
  if ('entry' in operation && operation.entry.operation.id === address.toLowerCase()) return operation;
  const commits = workspace.isProtected ? await commitsNamed(workspace, address) : [];
  const [commit] = commits;
  if (commit === undefined) {
    if ('unknown' in operation) throw operation.unknown;
    return operation;
  }
  if ('unknown' in operation && commits.length === 1) return { commit };
  throw ambiguous(workspace, address, 'entry' in operation ? [operation.entry] : [], commits);
};

/** A commit, and nothing else. */
export const commitAt = async (workspace: Workspace, text: string): Promise<ReadCommit> => {
  const commits = await commitsNamed(workspace, text);
  const [commit] = commits;
  if (commit === undefined)
    throw new RetakeError('unknown-id', `There is no commit ${JSON.stringify(text)}`, { hint: 'retake reflog lists what git knows.' });
  if (commits.length > 1) throw ambiguous(workspace, text, [], commits);
  return commit;
};

/** The same as what can be compared; `@` is left to who knows the present. */
export const commitSideAt = async (workspace: Workspace, address: string, options: AddressOptions = {}): Promise<CommitSide> => {
  const subject = await resolveSubject(workspace, address, options);
  if ('commit' in subject) return { commit: subject.commit.id };
  const { operation }: { operation: Recorded } = isCheckpoint(subject.entry.operation)
    ? subject.entry
    : resolveCheckpoint(workspace, address, options);
  return { id: operation.id, state: operation.state as WorkspaceState };
};

const operationAt = (workspace: Workspace, address: string, options: AddressOptions): { entry: Entry } | { unknown: RetakeError } => {
  try {
    return { entry: resolveOperation(workspace, address, options) };
  } catch (error) {
    if (!(error instanceof RetakeError) || error.code !== 'unknown-id') throw error;
    return { unknown: error };
  }
};

const ambiguous = (workspace: Workspace, address: string, entries: readonly Entry[], commits: readonly ReadCommit[]): RetakeError => {
  const told = [
    ...entries.map(({ operation: { id, kind, description } }) => `${shortestId(workspace, id)} (${kind}: ${description})`),
    ...commits.map(({ id, message }) => `${id.slice(0, 12)} (commit: ${headlineOf(message)})`),
  ];
  return new RetakeError('ambiguous-id', `${JSON.stringify(address)} may mean several things: ${told.join(', ')}`, {
    hint: 'Give more digits of the one that is meant.',
    details: { candidates: [...entries.map(({ operation }) => operation.id), ...commits.map(({ id }) => id)] },
  });
};
