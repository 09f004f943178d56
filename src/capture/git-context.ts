import type { ByteString, RelativePath } from '../model/index.ts';
import type { RuleFile } from './ignore/rules.ts';

/** What a capture has to know of the user's git, handed in so that this module does not reach into a repository itself. */
export interface GitContext {
  readonly ignoreCase: boolean;
  readonly globalRules: ByteString | null;
  /** The repository that the workspace's root belongs to. */
  readonly containing: RepositoryView | null;
  /** The repository whose top is this directory of the workspace, if its `.git` is a valid one. */
  nested(directory: RelativePath): RepositoryView | null;
}

export interface RepositoryView {
  /** The directory of the workspace at which the repository begins to matter. */
  readonly at: RelativePath;
  /** Where that directory lies below the repository's top. */
  readonly prefix: RelativePath;
  /** Rules from outside the walked tree: info/exclude, `.gitignore` files above the workspace; weakest first. */
  readonly rules: readonly RuleFile[];
  /** Files in the repository's index, by path from its top. */
  readonly tracked: TrackedFiles;
  /** A word that changes whenever `rules` or `tracked` may have. */
  readonly signature: string;
}

export interface TrackedFiles {
  has(path: RelativePath): boolean;
  hasUnder(directory: RelativePath): boolean;
  /** Whether a submodule is tracked here. */
  hasSubmodule(path: RelativePath): boolean;
}
