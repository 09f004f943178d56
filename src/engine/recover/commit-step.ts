import { applyChanges, type StateChange } from '../../diff/index.ts';
import {
  isWithin,
  type Node,
  type OperationId,
  parent,
  type RelativePath,
  RetakeError,
  ROOT,
  type SessionId,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import { WorkspaceFs } from '../../restore/index.ts';
import { isExecutable, type ObjectBatch } from '../../store/index.ts';
import { headlineOf, type Kept, type StepStatus } from '../../timeline/index.ts';
import {
  commitMessage,
  commitTrailers,
  Draft,
  type GitEntries,
  hasCommit,
  type RawFile,
  type RawFiles,
  readTreeEntries,
  sameEntry,
  submodulesIn,
  type UserCommit,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { pinnedObjects } from '../git/pinned-objects.ts';
import { type RepositoryAround, repositoryAround } from '../git/user-repository.ts';
import { draftOf } from '../keep/keep-plan.ts';
import { nodeOf } from '../keep/raw-file.ts';
import { SessionTimes } from '../reflog/reflog-sessions.ts';
import { commitStatus } from './commit-status.ts';
import type { RequestedStep } from './replay-request.ts';

/** What is to be known of a commit of the user's that is done again. Plain data. */
export interface CommitFacts {
  readonly message: string;
  /** Whose work it is, as it says itself, or as was under way when it was made. */
  readonly session: SessionId | null;
  readonly reachability: StepStatus;
  /** What of its change is not for the workspace. */
  readonly leftOut: readonly Kept[];
  /** It has several parents, and only the change against the first is meant. */
  readonly isMerge: boolean;
}

export type CommitStep = RequestedStep & { readonly commit: CommitFacts };

/** A commit's change against its first parent, as a step between two states that hold the paths concerned and no others. */
export const stepOfCommit = async (workspace: Workspace, commit: UserCommit): Promise<CommitStep> => {
  const around = repositoryAround(workspace);
  const { repository } = around;
  const [before = null] = commit.parents;
  if (before !== null && !(await hasCommit(repository, before))) throw cutOff(commit);
  const [message, reachability] = await Promise.all([
    commitMessage(repository, commit.id),
    pinnedObjects(workspace)
      .commitNamed(commit.id)
      .then((held) => commitStatus(repository, commit.id, held !== undefined)),
  ]);
  const [from, to] = [await readTreeEntries(repository, before), await readTreeEntries(repository, commit.id)];
  const { paths, leftOut } = changedIn(around, from, to);
  const sides = new CommitSides(workspace, around, paths);
  const [earlier, later] = await workspace.write(() => sides.read([before, from], [commit.id, to]));
  const told = (await commitTrailers(repository, [commit.id], 'Session')).get(commit.id) as SessionId | undefined;
  const session = told ?? SessionTimes.read(workspace).at(commit.at)[0] ?? null;
  const title = `commit ${headlineOf(message) || shortId(commit.id as OperationId)}`;
  return {
    id: commit.id as OperationId,
    title,
    before: earlier,
    after: later,
    partial: true,
    labels: { ours: 'now', base: `without ${title}`, theirs: title },
    standsFor: [],
    takenFrom: null,
    commit: { message, session, reachability, leftOut, isMerge: commit.parents.length > 1 },
  };
};

/** What two trees have different, by paths of the workspace. Submodules and what lies outside are named only. */
const changedIn = (around: RepositoryAround, from: GitEntries, to: GitEntries): { paths: RelativePath[]; leftOut: Kept[] } => {
  const isSubmodule = [from, to].map(submodulesIn);
  const paths: RelativePath[] = [];
  const leftOut: Kept[] = [];
  for (const fromTop of [...new Set([...from.keys(), ...to.keys()])].sort()) {
    if (sameEntry(from.get(fromTop), to.get(fromTop))) continue;
    const path = around.toWorkspace(fromTop);
    if (path === null) leftOut.push({ path: upFrom(around, fromTop), reason: 'outside of the workspace' });
    else if (isSubmodule.some((isIn) => isIn(fromTop))) leftOut.push({ path, reason: 'a submodule, which has commits of its own' });
    else paths.push(path);
  }
  return { paths, leftOut };
};

/** Seen from the workspace, which is a directory of the repository. */
const upFrom = (around: RepositoryAround, fromTop: RelativePath): RelativePath => {
  let up = '';
  let { at } = around;
  for (; at !== ROOT && !isWithin(fromTop, at); at = parent(at)) up += '../';
  return `${up}${at === ROOT ? fromTop : fromTop.slice(at.length + 1)}` as RelativePath;
};

/**
 * Reads what checkouts of commits have at some paths. Permission bits that git does not know are those of what is there now, so that
 * nothing seems to differ in them.
 */
class CommitSides {
  readonly #workspace: Workspace;
  readonly #around: RepositoryAround;
  readonly #paths: readonly RelativePath[];
  readonly #fs: WorkspaceFs;

  constructor(workspace: Workspace, around: RepositoryAround, paths: readonly RelativePath[]) {
    this.#workspace = workspace;
    this.#around = around;
    this.#paths = paths;
    this.#fs = new WorkspaceFs(workspace.root);
  }

  /** Needs the lock. */
  async read(...sides: readonly (readonly [commit: string | null, entries: GitEntries])[]): Promise<[WorkspaceState, WorkspaceState]> {
    const batch = this.#workspace.store.objects.begin();
    const draft = await Draft.begin(this.#around.repository, draftOf(this.#workspace), null);
    try {
      const states: WorkspaceState[] = [];
      for (const [commit, entries] of sides) {
        await draft.load(commit);
        const files = await draft.checkedOut(commit, entries, this.#present());
        states.push(this.#state(batch, entries, files));
      }
      return states as [WorkspaceState, WorkspaceState];
    } catch (error) {
      batch.abandon();
      throw error;
    } finally {
      draft.end();
    }
  }

  /** What lies there now is what a checkout would have, where it would be checked in as the same. */
  #present(): RawFiles {
    return new Map(this.#paths.map((path) => [this.#around.fromTop(path), () => this.#onDisk(path)]));
  }

  #onDisk(path: RelativePath): RawFile | null {
    const stat = this.#fs.look(path);
    if (stat?.isSymbolicLink()) return { type: 'link', executable: false, bytes: this.#fs.readLink(path) };
    if (!stat?.isFile()) return null;
    return { type: 'file', executable: isExecutable(stat.mode), bytes: this.#fs.readFile(path, stat.size) };
  }

  #state(batch: ObjectBatch, entries: GitEntries, files: ReadonlyMap<RelativePath, RawFile | null>): WorkspaceState {
    const { objects } = this.#workspace.store;
    const there: StateChange[] = [];
    for (const path of this.#paths) {
      const file = files.get(this.#around.fromTop(path)) ?? null;
      if (file !== null) there.push({ path, from: null, to: this.#asThere(path, nodeOf(batch, file)) });
    }
    const empty: WorkspaceState = { files: batch.tree([]), meta: null };
    batch.flush();
    const state = applyChanges(objects, batch, empty, [...this.#directories(entries), ...there]);
    batch.flush();
    return state;
  }

  /** A directory that has other files too is there before and after, whatever becomes of those concerned. */
  #directories(entries: GitEntries): StateChange[] {
    const wanted = new Set<RelativePath>();
    for (const path of this.#paths) for (let up = parent(path); up !== ROOT && !wanted.has(up); up = parent(up)) wanted.add(up);
    const found = new Set<RelativePath>();
    for (const fromTop of entries.keys()) {
      const path = this.#around.toWorkspace(fromTop);
      if (path === null) continue;
      for (let up = parent(path); up !== ROOT && !found.has(up); up = parent(up)) if (wanted.has(up)) found.add(up);
    }
    return [...found].map((path) => {
      const stat = this.#fs.look(path);
      return { path, from: null, to: { type: 'directory', permissions: stat?.isDirectory() ? stat.mode & 0o7777 : 0o755 } };
    });
  }

  #asThere(path: RelativePath, node: Node): Node {
    const stat = this.#fs.look(path);
    if (node.type !== 'file' || !stat?.isFile() || isExecutable(stat.mode) !== isExecutable(node.permissions)) return node;
    return { ...node, permissions: stat.mode & 0o7777 };
  }
}

const cutOff = ({ id, parents: [first = ''] }: UserCommit): RetakeError =>
  new RetakeError('nothing-to-recover', `The commit before ${id.slice(0, 10)}, ${first.slice(0, 10)}, is not in the repository`, {
    hint: 'In a shallow clone git fetch --deepen=1 gets it.',
  });
