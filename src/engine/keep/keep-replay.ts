import { applyChanges, diffStates, entryAt, leafChanges, replaySteps, type StateChange } from '../../diff/index.ts';
import {
  type BlobId,
  type Node,
  parent,
  pathFields,
  type RelativePath,
  RetakeError,
  ROOT,
  sameNode,
  sameState,
  toText,
  type WorkspaceState,
} from '../../model/index.ts';
import type { ObjectBatch, ObjectStore } from '../../store/index.ts';
import type { Draft, GitEntries, RawFiles } from '../../usergit/index.ts';
import type { RepositoryAround } from '../git/user-repository.ts';
import type { KeepUnit } from './keep-units.ts';
import { asGitKnows, fileNode, type GitFile, nodeOf, rawFileOf } from './raw-file.ts';

/** Some paths of a state, with no more of them than git knows; null where nothing is. */
export type Files = ReadonlyMap<RelativePath, GitFile | null>;

/** A unit done again on top of what is committed. */
export interface ReplayedUnit {
  readonly unit: KeepUnit;
  /** What it changes there. */
  readonly changes: readonly StateChange[];
  /** The paths concerned afterwards. */
  readonly files: Files;
}

/** Does units again, one after the other, on top of what is committed. All that is looked at are the paths concerned. */
export class KeepReplay {
  readonly #store: ObjectStore;
  readonly #batch: ObjectBatch;
  readonly #concerned: ReadonlySet<RelativePath>;

  constructor(store: ObjectStore, batch: ObjectBatch, units: readonly KeepUnit[], isMeant: (path: RelativePath) => boolean) {
    this.#store = store;
    this.#batch = batch;
    this.#concerned = new Set(
      units
        .flatMap(({ changes }) => changes)
        .flatMap(({ before, after }) => leafChanges(diffStates(store, before, after)))
        .flatMap(({ path, from, to }) => (from?.type === 'pointer' || to?.type === 'pointer' ? [] : [path]))
        .filter(isMeant),
    );
  }

  /** The paths concerned, as they were before the first unit. */
  before([first]: readonly KeepUnit[]): Files {
    const state = first?.changes[0]?.before;
    return state === undefined ? new Map() : this.#filesAt(state);
  }

  /** What a checkout of a commit has at these paths: as known where that comes to the same. */
  async committed(draft: Draft, around: RepositoryAround, commit: string | null, entries: GitEntries, known: Files): Promise<Files> {
    const raw: RawFiles = new Map(
      [...known].map(([path, file]) => [around.fromTop(path), () => (file === null ? null : rawFileOf(this.#store, file))]),
    );
    const found = await draft.checkedOut(commit, entries, raw);
    const files = new Map<RelativePath, GitFile | null>();
    for (const path of known.keys()) {
      const file = found.get(around.fromTop(path)) ?? null;
      files.set(path, file === null ? null : nodeOf(this.#batch, file));
    }
    this.#batch.flush();
    return files;
  }

  replay(units: readonly KeepUnit[], onto: Files): ReplayedUnit[] {
    let files = onto;
    return units.map((unit) => {
      const steps = this.#stretches(unit).map(({ before, after }) => ({ before: this.#state(before), after: this.#state(after) }));
      const start = this.#state(files);
      this.#batch.flush();
      const { state, changes, conflicts } = replaySteps(this.#store, this.#batch, start, steps);
      if (conflicts.length > 0) throw keepConflicts(conflicts);
      files = this.#filesAt(state);
      return { unit, changes: leafChanges(changes), files };
    });
  }

  /** A unit's changes of the paths concerned, joined where nobody else changed one of them in between. */
  #stretches({ changes }: KeepUnit): { before: Files; after: Files }[] {
    const stretches: { before: Files; after: Files; state: WorkspaceState }[] = [];
    for (const { before, after } of changes) {
      const last = stretches.at(-1);
      const between = last === undefined || sameState(last.state, before) ? [] : this.#changes(last.state, before);
      const begin = last === undefined ? this.#filesAt(before) : having(last.after, between);
      const end = { after: having(begin, this.#changes(before, after)), state: after };
      if (last === undefined || between.length > 0) stretches.push({ before: begin, ...end });
      else stretches[stretches.length - 1] = { ...last, ...end };
    }
    return stretches;
  }

  #changes(from: WorkspaceState, to: WorkspaceState): (readonly [RelativePath, GitFile | null])[] {
    return leafChanges(diffStates(this.#store, from, to))
      .filter(({ path, from, to }) => this.#concerned.has(path) && !sameNode(known(from), known(to)))
      .map(({ path, to }) => [path, known(to)]);
  }

  #filesAt(state: WorkspaceState): Files {
    return new Map(
      [...this.#concerned].map((path) => {
        const entry = entryAt(this.#store, state, path);
        if (entry === undefined) return [path, null];
        return [path, fileNode(entry.mode === 0o120000 ? 'link' : 'file', entry.id as BlobId, entry.mode === 0o100755)];
      }),
    );
  }

  #state(files: Files): WorkspaceState {
    const empty: WorkspaceState = { files: this.#batch.tree([]), meta: null };
    this.#batch.flush();
    const there = [...files].flatMap(([path, to]) => (to === null ? [] : [{ path, from: null, to }]));
    return applyChanges(this.#store, this.#batch, empty, there);
  }
}

const known = (node: Node | null): GitFile | null => (node?.type === 'file' || node?.type === 'link' ? asGitKnows(node) : null);

const having = (files: Files, changes: readonly (readonly [RelativePath, GitFile | null])[]): Files =>
  changes.length === 0 ? files : new Map([...files, ...changes]);

/** What is to be kept can not be done on top of what is committed. */
export const keepConflicts = (conflicts: readonly { readonly path: RelativePath; readonly reason: string }[]): RetakeError => {
  const paths = [...new Map(conflicts.map((conflict) => [conflict.path, conflict])).values()];
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  const [first] = paths.map(({ path }) => toText(path));
  return new RetakeError('conflicts', `The work on ${first}${more} builds on changes that are not committed; nothing was changed`, {
    hint: '--all takes along what you changed there during the session; what you changed before it, commit first.',
    details: { conflicts: paths.map(({ path, reason }) => ({ ...pathFields(path), reason })) },
  });
};

/** A path that is to be made where a commit has a directory, or below a file of it, although those do not go. */
export const blockedPaths = (
  changes: readonly StateChange[],
  committed: GitEntries,
  around: RepositoryAround,
): { path: RelativePath; reason: string }[] => {
  const made = changes.filter(({ from, to }) => from === null && to !== null).map(({ path }) => path);
  if (made.length === 0) return [];
  const gone = new Set(changes.filter(({ to }) => to === null).map(({ path }) => around.fromTop(path)));
  const directories = new Set<RelativePath>();
  for (const path of committed.keys()) {
    if (!gone.has(path)) for (let up = parent(path); up !== ROOT && !directories.has(up); up = parent(up)) directories.add(up);
  }
  const isBelowFile = (path: RelativePath): boolean => {
    for (let up = parent(path); up !== ROOT; up = parent(up)) if (committed.has(up) && !gone.has(up)) return true;
    return false;
  };
  return made
    .filter((path) => directories.has(around.fromTop(path)) || isBelowFile(around.fromTop(path)))
    .map((path) => ({ path, reason: 'directory-in-the-way' }));
};
