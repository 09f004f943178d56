import { hash } from 'node:crypto';
import { type RelativePath, ROOT } from '../model/index.ts';
import type { GitContext, RepositoryView } from './git-context.ts';
import type { RepositoryMark, Snapshot } from './snapshot.ts';

/** The repositories met on a walk, and what changed about them since the last one. */
export class Repositories {
  readonly #gitContext: GitContext;
  readonly #before: ReadonlyMap<RelativePath, RepositoryMark>;
  readonly #met = new Map<RelativePath, RepositoryView>();

  constructor(gitContext: GitContext, previous: Snapshot | undefined) {
    this.#gitContext = gitContext;
    this.#before = new Map(previous?.header.repositories);
  }

  /** The repository that begins at a directory, which counts as met from now on. */
  meet(directory: RelativePath): RepositoryView | null {
    const view = directory === ROOT ? this.#gitContext.containing : this.#gitContext.nested(directory);
    if (view !== null) this.#met.set(directory, view);
    return view;
  }

  /** Whether a repository began there at the last walk. */
  knew(directory: RelativePath): boolean {
    return this.#before.has(directory);
  }

  changesAt(directory: RelativePath, view: RepositoryView | null): { rules: boolean; tracked: boolean } {
    const before = this.#before.get(directory);
    const now = view === null ? undefined : markOf(view);
    return { rules: before?.rules !== now?.rules, tracked: before?.tracked !== now?.tracked };
  }

  /** Whether anything changed about a repository known from the last walk, also where nobody will look. */
  someChanged(): boolean {
    return [...this.#before.keys()].some((at) => {
      const view = at === ROOT ? this.#gitContext.containing : this.#gitContext.nested(at);
      const { rules, tracked } = this.changesAt(at, view);
      return rules || tracked;
    });
  }

  /** Those in parts that were not looked at belong to the record of this walk all the same. */
  keepUnvisited(isKnown: (directory: RelativePath) => boolean): void {
    for (const at of this.#before.keys()) if (!this.#met.has(at) && isKnown(at)) this.meet(at);
  }

  get all(): readonly RepositoryView[] {
    return [...this.#met.values()];
  }

  get marks(): [RelativePath, RepositoryMark][] {
    return [...this.#met].map(([at, view]) => [at, markOf(view)]);
  }
}

const markOf = (view: RepositoryView): RepositoryMark => ({
  tracked: view.signature,
  rules: hash('sha1', JSON.stringify([view.prefix, view.rules])),
});
