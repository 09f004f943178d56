import { join } from 'node:path';
import { applyChanges, diffStates, leafChanges, type StateChange } from '../../diff/index.ts';
import { type BlobId, type OperationId, type RelativePath, RetakeError, toText, type WorkspaceState } from '../../model/index.ts';
import type { ObjectBatch } from '../../store/index.ts';
import { CommitReader, findRepository, type GitEntry, type ReadCommit } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { asGitKnows, fileNode, type GitFile, gitEntryOf } from '../keep/raw-file.ts';
import type { ComparedState } from '../read/difference.ts';
import { type RepositoryAround, repositoryAround } from './user-repository.ts';

/** One side of a comparison with a commit. */
export type CommitSide = { readonly commit: string } | { readonly id: OperationId | null; readonly state: WorkspaceState };

/** Two states that hold the paths that differ, and no others. */
export interface CommitDifference {
  /** Null for a commit without parents. */
  readonly from: ComparedState | null;
  readonly to: ComparedState;
  /** What differs and is no file of the workspace: submodules, and what lies outside of it. Paths from the repository's top. */
  readonly leftOut: readonly RelativePath[];
}

const pinnedPath = ({ data }: Workspace): string => join(data, 'held.git');

/** The commits that the beginning of an id may mean, in the user's repository or in our copy of what it left behind. */
export const commitsNamed = async (workspace: Workspace, text: string): Promise<readonly ReadCommit[]> => {
  const repository = /^[0-9a-fA-F]{4,64}$/.test(text) ? findRepository(workspace.root) : undefined;
  if (repository === undefined) return [];
  return CommitReader.with(repository, pinnedPath(workspace), async (reader) => {
    const found = await Promise.all((await reader.named(text)).map((id) => reader.read(id)));
    return found.filter((commit) => commit !== undefined);
  });
};

/** What a commit changed: it and its first parent. */
export const differenceOfCommit = (workspace: Workspace, { id, parents: [parent] }: ReadCommit): Promise<CommitDifference> =>
  compareCommits(workspace, parent === undefined ? null : { commit: parent }, { commit: id });

/**
 * Compares commits with each other or with recorded states, by what git stores: where it converts files, as line ends, those differ. The
 * contents are put into the store, but nothing is recorded.
 */
export const compareCommits = async (workspace: Workspace, from: CommitSide | null, to: CommitSide): Promise<CommitDifference> => {
  const around = repositoryAround(workspace);
  return CommitReader.with(around.repository, pinnedPath(workspace), async (reader) => {
    const sides = new Sides(workspace, around, reader);
    const [before, after] = [from === null ? EMPTY : await sides.files(from), await sides.files(to)];
    const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].filter(
      (path) => !isSame(before.files.get(path), after.files.get(path)),
    );
    const leftOut = [...new Set([...before.others.keys(), ...after.others.keys()])].filter(
      (path) => from !== null && 'commit' in from && 'commit' in to && before.others.get(path) !== after.others.get(path),
    );
    const blobs = paths.flatMap((path) => [before.files.get(path), after.files.get(path)]).flatMap((file) => (file?.isGits ? [file] : []));
    const contents = await reader.contents([...new Set(blobs.map(({ id }) => id))]);
    const lacking = paths.find((path) => [before, after].some(({ files }) => isLacking(files.get(path), contents)));
    if (lacking !== undefined) throw incomplete(lacking);
    return workspace.write(() => {
      const batch = workspace.store.objects.begin();
      const stateOf = (files: Files): WorkspaceState => stateWith(workspace, batch, paths, files, contents);
      const difference = {
        from: from === null ? null : { ...nameOf(from), state: stateOf(before.files) },
        to: { ...nameOf(to), state: stateOf(after.files) },
        leftOut,
      };
      batch.flush();
      return difference;
    });
  });
};

/** A file as git has it: an object of git's, or one of the store. */
interface SideFile extends GitEntry {
  readonly isGits: boolean;
}

type Files = ReadonlyMap<RelativePath, SideFile>;

interface SideFiles {
  readonly files: Files;
  /** What is no file of the workspace, by path from the repository's top. */
  readonly others: ReadonlyMap<RelativePath, string>;
}

const EMPTY: SideFiles = { files: new Map(), others: new Map() };

const GITLINK = '160000';

class Sides {
  readonly #workspace: Workspace;
  readonly #around: RepositoryAround;
  readonly #reader: CommitReader;

  constructor(workspace: Workspace, around: RepositoryAround, reader: CommitReader) {
    this.#workspace = workspace;
    this.#around = around;
    this.#reader = reader;
  }

  async files(side: CommitSide): Promise<SideFiles> {
    return 'commit' in side ? this.#committed(side.commit) : { files: this.#recorded(side.state), others: new Map() };
  }

  async #committed(commit: string): Promise<SideFiles> {
    const entries = await this.#reader.entries(commit);
    if (entries === undefined) throw cutOff(commit);
    const files = new Map<RelativePath, SideFile>();
    const others = new Map<RelativePath, string>();
    for (const [fromTop, { mode, id }] of entries) {
      const path = this.#around.toWorkspace(fromTop);
      if (path === null || mode === GITLINK) others.set(fromTop, id);
      else files.set(path, { mode, id, isGits: true });
    }
    return { files, others };
  }

  #recorded(state: WorkspaceState): Files {
    const { objects } = this.#workspace.store;
    const nothing: WorkspaceState = { files: EMPTY_TREE, meta: null };
    const files = new Map<RelativePath, SideFile>();
    for (const { path, to } of leafChanges(diffStates(objects, nothing, state)))
      if (to?.type === 'file' || to?.type === 'link') files.set(path, { ...gitEntryOf(asGitKnows(to)), isGits: false });
    return files;
  }
}

/** The tree without entries, which git and the store have without its being written. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as WorkspaceState['files'];

/** In a repository with ids of another kind, contents show whether files are the same. */
const isSame = (a: SideFile | undefined, b: SideFile | undefined): boolean => a?.mode === b?.mode && a?.id === b?.id;

const isLacking = (file: SideFile | undefined, contents: ReadonlyMap<string, Buffer>): boolean =>
  file?.isGits === true && !contents.has(file.id);

const stateWith = (
  { store: { objects } }: Workspace,
  batch: ObjectBatch,
  paths: readonly RelativePath[],
  files: Files,
  contents: ReadonlyMap<string, Buffer>,
): WorkspaceState => {
  const nodes = paths.flatMap((path): StateChange[] => {
    const file = files.get(path);
    return file === undefined ? [] : [{ path, from: null, to: nodeOf(batch, file, contents) }];
  });
  const empty: WorkspaceState = { files: batch.tree([]), meta: null };
  batch.flush();
  return applyChanges(objects, batch, empty, nodes);
};

const nodeOf = (batch: ObjectBatch, { mode, id, isGits }: SideFile, contents: ReadonlyMap<string, Buffer>): GitFile => {
  const blob = isGits ? batch.blob(contents.get(id) as Buffer) : (id as BlobId);
  return fileNode(mode === '120000' ? 'link' : 'file', blob, mode === '100755');
};

const nameOf = (side: CommitSide): Pick<ComparedState, 'id' | 'commit'> => ('commit' in side ? { id: null, commit: side.commit } : side);

const cutOff = (commit: string): RetakeError =>
  new RetakeError('no-code', `Commit ${commit.slice(0, 10)} is not in the repository, or some of what it holds is not`, {
    hint: 'In a shallow clone git fetch --deepen=1 gets the commit before; in a partial one git fetch --refetch --no-filter gets all of it.',
  });

const incomplete = (path: RelativePath): RetakeError =>
  new RetakeError('no-code', `The content of ${toText(path)} is not in the repository`, {
    hint: 'In a partial clone git fetch --refetch --no-filter gets it.',
  });
