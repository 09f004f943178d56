import { type ByteString, join, type RelativePath, ROOT } from '../model/index.ts';
import type { GitContext, RepositoryView } from './git-context.ts';
import { IgnoreRules } from './ignore/rules.ts';

/**
 * The ignore rules in force in one directory. Rule files are read only when a question makes it necessary: a directory
 * that did not change asks none.
 */
export class Scope {
  readonly repository: RepositoryView | null;
  readonly #gitContext: Pick<GitContext, 'ignoreCase' | 'globalRules'>;
  readonly #load: () => IgnoreRules;
  #rules: IgnoreRules | undefined;

  private constructor(
    gitContext: Pick<GitContext, 'ignoreCase' | 'globalRules'>,
    repository: RepositoryView | null,
    load: () => IgnoreRules,
  ) {
    this.#gitContext = gitContext;
    this.repository = repository;
    this.#load = load;
  }

  /** Where a repository begins: outer rules end there, as they do for git. `repository` is null outside of any. */
  static begin(gitContext: Pick<GitContext, 'ignoreCase' | 'globalRules'>, repository: RepositoryView | null): Scope {
    return new Scope(gitContext, repository, () => {
      const global = gitContext.globalRules === null ? [] : [{ base: ROOT, text: gitContext.globalRules }];
      return IgnoreRules.of([...global, ...(repository?.rules ?? [])], { ignoreCase: gitContext.ignoreCase });
    });
  }

  /** The scope inside a directory with a `.gitignore` of its own. */
  with(directory: RelativePath, text: () => ByteString | null): Scope {
    return new Scope(this.#gitContext, this.repository, () => {
      const own = text();
      return own === null ? this.rules : this.rules.with({ base: this.#inRepository(directory), text: own });
    });
  }

  get rules(): IgnoreRules {
    this.#rules ??= this.#load();
    return this.#rules;
  }

  ignores(path: RelativePath, isDirectory: boolean): boolean {
    return this.rules.ignores(this.#inRepository(path), isDirectory);
  }

  tracks(path: RelativePath): boolean {
    return this.repository?.tracked.has(this.#inRepository(path)) ?? false;
  }

  tracksUnder(directory: RelativePath): boolean {
    return this.repository?.tracked.hasUnder(this.#inRepository(directory)) ?? false;
  }

  tracksSubmodule(path: RelativePath): boolean {
    return this.repository?.tracked.hasSubmodule(this.#inRepository(path)) ?? false;
  }

  #inRepository(path: RelativePath): RelativePath {
    if (this.repository === null) return path;
    const { at, prefix } = this.repository;
    const below = (at === '' ? path : path.slice(at.length + 1)) as RelativePath;
    return below === '' ? prefix : join(prefix, below);
  }
}
