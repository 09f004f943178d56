import { excludedBy } from '../../capture/index.ts';
import { isWithin, type RelativePath, ROOT } from '../../model/index.ts';
import type { Content } from '../../store/index.ts';
import { type GitEntries, submodulesIn } from '../../usergit/index.ts';
import { ignoredIn } from '../core/left-out.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RepositoryAround } from '../git/user-repository.ts';

/** Why something that Retake records does not go into a commit. */
export type Uncommittable =
  /** Recorded in spite of the ignore rules: it may be a secret. */
  | 'ignored'
  | 'nested-repository'
  /** Not recorded at all: what is in git stays what it is. */
  | 'excluded'
  /** git takes no such name. */
  | 'name';

/** Something that a commit leaves out; a nested repository stands for all that is in it. */
export interface LeftOutOfCommit {
  readonly path: RelativePath;
  readonly reason: Uncommittable;
}

/** Names that git takes for its own directory, on one file system or another. */
const GITS_OWN = /^(?:\.git|git~1)[ .]*(?::.*)?$/i;

/**
 * Tells what of a state goes into a commit: what git tracks, and what the rules in force do not ignore. What was left out is collected.
 */
export class Committable {
  readonly #left = new Map<RelativePath, LeftOutOfCommit>();
  readonly #around: RepositoryAround;
  readonly #isTracked: (path: RelativePath) => boolean;
  readonly #isIgnored: (path: RelativePath, isDirectory: boolean) => boolean;
  readonly #isInSubmodule: (path: RelativePath) => boolean;
  readonly #excluded: (path: RelativePath, isDirectory: boolean) => RelativePath | null;
  readonly #nested: readonly RelativePath[];

  constructor(workspace: Workspace, content: Content, around: RepositoryAround, tracked: readonly GitEntries[]) {
    const inSubmodules = tracked.map(submodulesIn);
    this.#around = around;
    this.#isTracked = (path) => tracked.some((entries) => entries.has(path));
    this.#isIgnored = ignoredIn(workspace, content);
    this.#excluded = excludedBy(content.manifest);
    this.#isInSubmodule = (path) => inSubmodules.some((isIn) => isIn(path));
    this.#nested = content.manifest.repositories.map(({ at }) => at).filter((at) => at !== ROOT);
  }

  has(path: RelativePath): boolean {
    if (this.#isInSubmodule(this.#around.fromTop(path))) return false;
    const nested = this.#nested.find((root) => isWithin(path, root));
    if (nested !== undefined) return this.#leave(nested, 'nested-repository');
    const excluded = this.#excluded(path, false);
    if (excluded !== null) return this.#leave(excluded, 'excluded');
    if (path.split('/').some((name) => GITS_OWN.test(name))) return this.#leave(path, 'name');
    if (this.#isTracked(this.#around.fromTop(path)) || !this.#isIgnored(path, false)) return true;
    return this.#leave(path, 'ignored');
  }

  get leftOut(): LeftOutOfCommit[] {
    return [...this.#left.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #leave(path: RelativePath, reason: Uncommittable): false {
    this.#left.set(path, { path, reason });
    return false;
  }
}
