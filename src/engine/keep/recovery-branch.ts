import { join } from 'node:path';
import { diffStates, leafChanges } from '../../diff/index.ts';
import { now } from '../../host/index.ts';
import {
  type BranchMade,
  type Checkpoint,
  isWithin,
  type OperationId,
  type Recorded,
  type RelativePath,
  type SessionId,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import { commitMessage } from '../../timeline/index.ts';
import {
  assertIdentity,
  branchExists,
  createBranch,
  Draft,
  type GitEntries,
  hasCommit,
  type RawFile,
  readTreeEntries,
  skippedPaths,
  type UserRepository,
  writeCommit,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type RepositoryAround, repositoryAround } from '../git/user-repository.ts';
import { type AddressOptions, resolveCheckpoint } from '../read/resolve.ts';
import { promptBefore } from '../recover/session-work.ts';
import { Committable, type LeftOutOfCommit } from './committable.ts';
import { assertCanPush, branchesOfRemote, pushRecoveryBranch } from './push-recovery-branch.ts';
import { gitEntryOf, rawFileOf } from './raw-file.ts';
import { assertFree, freeBranchName } from './recovery-branch-name.ts';

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
  /** The remote that it was to be pushed to, and whether it was. */
  readonly pushTo: string | null;
  readonly pushed: boolean;
}

/** Makes a recovery branch of a checkpoint, and pushes it where that is wanted. */
export const makeRecoveryBranch = async (
  workspace: Workspace,
  address: string,
  request: RecoveryBranchRequest = {},
): Promise<RecoveryBranch> => {
  const { operation: target } = resolveCheckpoint(workspace, address, request);
  const made = await createRecoveryBranch(workspace, target, request.name);
  return request.push === undefined ? made : pushRecoveryBranch(workspace, made, request.push, request.onOutput);
};

/**
 * Makes a branch of the user's repository whose one commit has a checkpoint's files, on top of the commit that HEAD was at then (GIT-5).
 * What they work on, and every other branch, stays as it is.
 */
export const createRecoveryBranch = async (
  workspace: Workspace,
  target: Recorded<Checkpoint>,
  name: string | undefined,
): Promise<RecoveryBranch> => {
  const { around } = await assertCanBranch(workspace, { name, session: target.session });
  const { repository } = around;
  return workspace.write(async () => {
    const then = target.head?.commit ?? null;
    const parent = then !== null && (await hasCommit(repository, then)) ? then : null;
    const { tree, leftOut } = await treeOf(workspace, around, target, parent);
    const commit = await writeCommit(repository, tree, parent, messageFor(workspace, target));
    const branch = await create(workspace, repository, target, commit, name);
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
    return { branch, commit, parent, checkpoint: target.id, leftOut, pushTo: null, pushed: false };
  });
};

interface BranchRequest {
  readonly name?: string | undefined;
  readonly session: SessionId;
  /** The remote that it is to be pushed to. */
  readonly push?: string | undefined;
}

interface Branchable {
  readonly around: RepositoryAround;
  /** The one that was given, or the usual one. */
  readonly name: string;
}

/** Refuses where it can be known that no branch could be made, or none of this name, or that it could not be pushed. */
export const assertCanBranch = async (workspace: Workspace, { name, session, push }: BranchRequest): Promise<Branchable> => {
  const around = repositoryAround(workspace);
  const { repository } = around;
  if (name !== undefined) await assertFree(repository, name);
  const there = push === undefined ? [] : await branchesOfRemote(repository, push);
  const free = name ?? (await freeBranchName(workspace, repository, session, there));
  await assertIdentity(repository);
  if (push !== undefined) await assertCanPush(repository, { remote: push, branch: free, there });
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
  const { tool = null, toolUseId = null, agentId = null, agentType = null, agent = null } = event?.place ?? {};
  const isStep = kind === 'after-step' || kind === 'before-step';
  return commitMessage({
    session,
    agent,
    prompts: prompt === null ? [] : [prompt],
    steps: isStep ? [{ tool, toolUseId, agentId, agentType, description }] : [],
    checkpoint: id,
    title: name ?? description,
  });
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
