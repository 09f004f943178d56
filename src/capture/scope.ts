import { type ByteString, join, type RelativePath, ROOT } from '../model/index.ts';
import { IgnoreRules } from './ignore/rules.ts';
import type { RepositoryView, Surroundings } from './surroundings.ts';

/**
 * The ignore rules in force in one directory. Rule files are read only when a question makes it necessary: a directory
 * that did not change asks none.
 */
export class Scope {
  readonly repository: RepositoryView | null;
  readonly #surroundings: Pick<Surroundings, 'ignoreCase' | 'globalRules'>;
  readonly #load: () => IgnoreRules;
  #rules: IgnoreRules | undefined;

  private constructor(
    surroundings: Pick<Surroundings, 'ignoreCase' | 'globalRules'>,
    repository: RepositoryView | null,
    load: () => IgnoreRules,
  ) {
    this.#surroundings = surroundings;
    this.repository = repository;
    this.#load = load;
  }

  /** Where a repository begins: outer rules end there, as they do for git. `repository` is null outside of any. */
  static begin(surroundings: Pick<Surroundings, 'ignoreCase' | 'globalRules'>, repository: RepositoryView | null): Scope {
    return new Scope(surroundings, repository, () => {
      const global = surroundings.globalRules === null ? [] : [{ base: ROOT, text: surroundings.globalRules }];
      return IgnoreRules.of([...global, ...(repository?.rules ?? [])], { ignoreCase: surroundings.ignoreCase });
    });
  }

  /** The scope inside a directory with a `.gitignore` of its own. */
  with(directory: RelativePath, text: () => ByteString | null): Scope {
    return new Scope(this.#surroundings, this.repository, () => {
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
