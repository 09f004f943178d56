import { diffFile, diffFileByHunks, type FileDiff, hunksOfFile, type LeafChange, patchFile } from '../../diff/index.ts';
import type { Hunk } from '../../diff/text/index.ts';
import type { ChangeCounts } from '../../index/index.ts';
import { basename, type OperationId, type RelativePath, type WorkspaceState } from '../../model/index.ts';
import { type ObjectStore, POINTER_NAME } from '../../store/index.ts';
import { yieldEvery } from '../core/yield-every.ts';
import type { CountsBetween } from './counts-between.ts';

/** A state that is compared. */
export interface ComparedState {
  /** Whose record it is; null for the present, and for a commit. */
  readonly id: OperationId | null;
  /** The commit of the user's git that it is of. */
  readonly commit?: string;
  readonly state: WorkspaceState;
}

/** What it is made of. */
export interface DifferenceParts {
  /** Null for the first record, which has none to differ from. */
  readonly from: ComparedState | null;
  readonly to: ComparedState;
  readonly changes: readonly LeafChange[];
  /** What differs and is no file of the workspace; paths from the top of the user's repository. */
  readonly leftOut?: readonly RelativePath[] | undefined;
  /** Where it is known already what all of it comes to. */
  readonly known?: CountsBetween | undefined;
  /** Ends whatever takes long. */
  readonly signal?: AbortSignal | undefined;
}

/** Which files differ between two states. Their contents are read when they are asked for, one file after the other. */
export class Difference {
  readonly from: ComparedState | null;
  readonly to: ComparedState;
  /** In path order. */
  readonly changes: readonly LeafChange[];
  readonly leftOut: readonly RelativePath[];
  readonly signal: AbortSignal | undefined;
  readonly #objects: ObjectStore;
  readonly #known: CountsBetween | undefined;
  readonly #files = new Map<RelativePath, FileDiff>();

  constructor(objects: ObjectStore, { from, to, changes, leftOut = [], known, signal }: DifferenceParts) {
    this.from = from;
    this.to = to;
    this.changes = changes;
    this.leftOut = leftOut;
    this.signal = signal;
    this.#objects = objects;
    this.#known = known;
  }

  /** Only some of it. */
  where(isMeant: (path: RelativePath) => boolean): Difference {
    const { from, to, signal } = this;
    return new Difference(this.#objects, { from, to, signal, changes: this.changes.filter(({ path }) => isMeant(path)) });
  }

  file(change: LeafChange): FileDiff {
    const file = this.#files.get(change.path) ?? diffFile(this.#objects, change);
    this.#files.set(change.path, file);
    return file;
  }

  hunks(change: LeafChange): Hunk[] {
    const hunks = hunksOfFile(this.#objects, change);
    // Of what became a link or no longer is one, the hunks are all of both: that is not how much of it differs.
    if (hunks.length > 0 && change.from?.type === change.to?.type) this.#files.set(change.path, diffFileByHunks(change, hunks));
    return hunks;
  }

  /** What all of it comes to. */
  async count(): Promise<ChangeCounts> {
    const known = this.#known?.recall();
    if (known !== undefined) return known;
    const breathe = yieldEvery(this.signal);
    const counts = { changed: this.changes.length, insertions: 0, deletions: 0 };
    for (const change of this.changes) {
      const { insertions, deletions } = this.file(change);
      counts.insertions += insertions;
      counts.deletions += deletions;
      await breathe();
    }
    this.#known?.remember(counts);
    return counts;
  }

  /** A patch that `git apply` takes, file by file; what points to a repository is not in it. */
  async *patches(): AsyncGenerator<Buffer> {
    const breathe = yieldEvery(this.signal);
    for (const change of this.changes) {
      // Git refuses all of a patch that names one.
      if (basename(change.path) === POINTER_NAME) continue;
      const patch = patchFile(this.#objects, change, { binary: true });
      if (patch.length > 0) yield patch;
      await breathe();
    }
  }
}
