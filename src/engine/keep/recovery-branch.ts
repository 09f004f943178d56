import { join } from 'node:path';
import { diffStates, leafChanges } from '../../diff/index.ts';
import { now } from '../../host/index.ts';
import {
  type BranchMade,
  type Checkpoint,
  canNameBranch,
  isWithin,
  type OperationId,
  pathFields,
  type Recorded,
  type RelativePath,
  RetakeError,
  type SessionId,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import { commitMessage } from '../../timeline/index.ts';
import {
  assertIdentity,
  branchExists,
  branchesAround,
  createBranch,
  Draft,
  type GitEntries,
  hasCommit,
  isBranchName,
  pushBranch,
  type RawFile,
  readTreeEntries,
  skippedPaths,
  type UserRepository,
  writeCommit,
} from '../../usergit/index.ts';
import { type RepositoryAround, repositoryAround } from '../git/user-repository.ts';
import { promptBefore } from '../recover/session-work.ts';
import { type AddressOptions, resolveCheckpoint } from '../resolve.ts';
import type { Workspace } from '../workspace.ts';
import { Committable, type LeftOutOfCommit } from './committable.ts';
import { gitEntryOf, rawFileOf } from './raw-file.ts';

export interface RecoveryBranchRequest extends AddressOptions {
  readonly name?: string | undefined;
  /** The remote that the branch is pushed to. */
  readonly push?: string | undefined;
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

export interface RecoveryBranch {
  readonly branch: string;
  readonly commit: string;
  /** The commit that HEAD was at then; null where there was none, or it is gone from the repository. */
  readonly parent: string | null;
  readonly checkpoint: OperationId;
  readonly leftOut: readonly LeftOutOfCommit[];
  readonly pushed: boolean;
}

/**
 * Makes a branch of the user's repository whose one commit has a checkpoint's files, on top of the commit that HEAD was at then (GIT-5).
 * What they work on, and every other branch, stays as it is.
 */
export const makeRecoveryBranch = async (
  workspace: Workspace,
  address: string,
  request: RecoveryBranchRequest = {},
): Promise<RecoveryBranch> => {
  const { operation: target } = resolveCheckpoint(workspace, address, request);
  const { around } = await assertCanBranch(workspace, { name: request.name, session: target.session });
  const { repository } = around;
  const made = await workspace.write(async () => {
    const then = target.head?.commit ?? null;
    const parent = then !== null && (await hasCommit(repository, then)) ? then : null;
    const { tree, leftOut } = await treeOf(workspace, around, target, parent);
    const commit = await writeCommit(repository, tree, parent, messageFor(workspace, target));
    const branch = await create(workspace, repository, target, commit, request.name);
    workspace.record((store) =>
      store.log.append<BranchMade>(
        store.objects.begin(),
        {
          kind: 'branch',
          session: target.session,
          createdAt: now().toISOString(),
          description: `Branch ${branch} from ${target.description}`,
          target: target.id,
          branch,
          commit,
        },
        null,
      ),
    );
    return { branch, commit, parent, checkpoint: target.id, leftOut };
  });
  if (request.push !== undefined) await push(repository, made, request.push, request.onOutput);
  return { ...made, pushed: request.push !== undefined };
};

interface Branchable {
  readonly around: RepositoryAround;
  /** The one that was given, or the usual one. */
  readonly name: string;
}

/** Refuses where it can be known that no branch could be made, or none of this name. */
export const assertCanBranch = async (
  workspace: Workspace,
  { name, session }: { readonly name?: string | undefined; readonly session: SessionId },
): Promise<Branchable> => {
  const around = repositoryAround(workspace);
  const { repository } = around;
  if (name !== undefined) await assertFree(repository, name);
  const free = name ?? (await freeBranchName(workspace, repository, session));
  await assertIdentity(repository);
  return { around, name: free };
};

/** The files of a checkpoint that belong in a commit, as a tree of the user's repository. */
const treeOf = async (
  workspace: Workspace,
  around: RepositoryAround,
  target: Recorded<Checkpoint>,
  parent: string | null,
): Promise<{ tree: string; leftOut: LeftOutOfCommit[] }> => {
  const { store } = workspace;
  const { objects } = store;
  const { repository } = around;
  const state = target.state as WorkspaceState;
  const committed = await readTreeEntries(repository, parent);
  const committable = new Committable(workspace, { manifest: store.log.manifest(target.id), state }, around, [committed]);
  const files = new Map<RelativePath, () => RawFile | null>();
  const there = new Set<RelativePath>();
  for (const { path, to } of leafChanges(diffStates(objects, null, state))) {
    if (to === null || to.type === 'pointer') continue;
    const fromTop = around.fromTop(path);
    there.add(fromTop);
    // An equal id means equal bytes; that of another format never is, and the file is then simply written again.
    const entry = committed.get(fromTop);
    const same = gitEntryOf(to);
    if (committable.has(path) && !(entry?.id === same.id && entry.mode === same.mode)) files.set(fromTop, () => rawFileOf(objects, to));
  }
  for (const path of await deletedSince(workspace, around, target, committed, there))
    if (committable.has(path)) files.set(around.fromTop(path), () => null);
  const draft = await Draft.begin(repository, join(workspace.data, 'draft'), parent);
  try {
    await draft.put(files);
    return { tree: await draft.writeTree(), leftOut: committable.leftOut };
  } finally {
    draft.end();
  }
};

/** What the commit has and the checkpoint does not, unless that could not be captured, or was not meant to be in the work tree. */
const deletedSince = async (
  { store }: Workspace,
  { repository, toWorkspace }: RepositoryAround,
  { id }: Recorded<Checkpoint>,
  committed: GitEntries,
  there: ReadonlySet<RelativePath>,
): Promise<RelativePath[]> => {
  const { omissions } = store.log.manifest(id);
  const skipped = await skippedPaths(repository);
  return [...committed.keys()].flatMap((fromTop) => {
    const path = toWorkspace(fromTop);
    if (path === null || there.has(fromTop) || skipped.has(fromTop)) return [];
    return omissions.some((omission) => isWithin(path, omission.path)) ? [] : [path];
  });
};

const messageFor = (workspace: Workspace, { id, session, description, name, event, kind, sequence }: Recorded<Checkpoint>): string => {
  const prompt = event === undefined ? null : promptBefore(workspace, session, sequence);
  const { tool = null, toolUseId = null, agent = null } = event?.place ?? {};
  const isStep = kind === 'after-step' || kind === 'before-step';
  return commitMessage({
    session,
    agent,
    prompts: prompt === null ? [] : [prompt],
    steps: isStep ? [{ tool, toolUseId, description }] : [],
    checkpoint: id,
    title: name ?? description,
  });
};

const assertFree = async (repository: UserRepository, name: string): Promise<void> => {
  if (!(await isBranchName(repository, name)))
    throw new RetakeError('bad-branch', `${JSON.stringify(name)} can not name a branch`, { hint: 'git help check-ref-format tells why.' });
  const others = await branchesAround(repository, name);
  if (others.includes(name))
    throw new RetakeError('branch-exists', `There is a branch ${name} already; it stays as it is`, { hint: 'Choose another name.' });
  const inTheWay = others.find((other) => isBelow(name, other) || isBelow(other, name));
  if (inTheWay !== undefined) throw noRoom(name, inTheWay, 'Choose another name.');
};

/** git keeps a branch at the path that its name is: there is none where another needs a directory. */
const isBelow = (name: string, other: string): boolean => name.startsWith(`${other}/`);

const noRoom = (name: string, inTheWay: string, hint: string): RetakeError =>
  new RetakeError('branch-exists', `Beside the branch ${inTheWay} there can be none called ${name}`, { hint });

export const usualBranchName = async (workspace: Workspace, session: SessionId): Promise<string> =>
  freeBranchName(workspace, repositoryAround(workspace).repository, session);

/** More branches of one session than anybody has. */
const MOST_NUMBERS = 10_000;

/** `recovery/<session>`, with a number where that is taken. */
const freeBranchName = async ({ settings }: Workspace, repository: UserRepository, session: SessionId): Promise<string> => {
  const usual = `${settings['git.recoveryPrefix']}${nameFor(session)}`;
  if (!canNameBranch(usual))
    throw new RetakeError('bad-branch', `${JSON.stringify(usual)} can not name a branch`, {
      hint: 'Give a name, or correct the setting git.recoveryPrefix.',
    });
  const others = await branchesAround(repository, usual);
  const above = others.find((other) => isBelow(usual, other));
  if (above !== undefined) throw noRoom(usual, above, 'Give a name, or change the setting git.recoveryPrefix.');
  for (let number = 1; number < MOST_NUMBERS; number++) {
    const free = number === 1 ? usual : `${usual}-${number}`;
    if (!others.some((other) => other === free || isBelow(other, free))) return free;
  }
  throw new RetakeError('branch-exists', `All names like ${usual} are taken`, { hint: 'Give a name.' });
};

const create = async (
  workspace: Workspace,
  repository: UserRepository,
  { id, session }: Recorded<Checkpoint>,
  commit: string,
  name: string | undefined,
): Promise<string> => {
  const reason = `retake: branch from checkpoint ${shortId(id)}`;
  if (name !== undefined) {
    await createBranch(repository, name, commit, reason);
    return name;
  }
  for (;;) {
    const free = await freeBranchName(workspace, repository, session);
    try {
      await createBranch(repository, free, commit, reason);
      return free;
    } catch (error) {
      // Somebody was faster.
      if (!(await branchExists(repository, free))) throw error;
    }
  }
};

/** Session ids come from agents: what a ref can't hold becomes a dash. */
const nameFor = (session: SessionId): string =>
  session
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100) || 'session';

const push = async (
  repository: UserRepository,
  { branch, commit, checkpoint, leftOut }: Omit<RecoveryBranch, 'pushed'>,
  remote: string,
  onOutput: ((chunk: Buffer) => void) | undefined,
): Promise<void> => {
  const { isPushed, output } = await pushBranch(repository, branch, { remote, ref: `refs/heads/${branch}` }, onOutput);
  if (isPushed) return;
  throw new RetakeError('push-rejected', `The branch ${branch} is made here and stays, but could not be pushed to ${remote}`, {
    hint: `To try again: git push ${remote} ${branch}`,
    details: {
      branch,
      commit,
      checkpoint,
      leftOut: leftOut.map(({ path, reason }) => ({ ...pathFields(path), reason })),
      pushed: false,
      output,
    },
  });
};
