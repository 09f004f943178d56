import { type ByteString, parent, type RelativePath } from '../../model/index.ts';
import { parsePatterns } from './pattern.ts';
import { type Question, RuleTable } from './table.ts';
import { foldCase } from './wildmatch.ts';

/** One file of rules: where it applies (`base`, relative to the top of the git repository the rules are about) and its bytes. */
export interface RuleFile {
  readonly base: RelativePath;
  readonly text: ByteString;
}

/**
 * The ignore rules in force in one directory, with the meaning that git 2.39 gives them.
 *
 * Invariant: a chain from the strongest file to the weakest, never changed. The rules of a directory are those of its
 * parent with one link in front, so a walk shares all but its own.
 */
export class IgnoreRules {
  readonly #table: RuleTable | undefined;
  readonly #weaker: IgnoreRules | undefined;
  readonly #ignoreCase: boolean;

  private constructor(table: RuleTable | undefined, weaker: IgnoreRules | undefined, ignoreCase: boolean) {
    this.#table = table;
    this.#weaker = weaker;
    this.#ignoreCase = ignoreCase;
  }

  /** `files` weakest first: the user's global excludes, then `info/exclude`, then `.gitignore` files from the top down. */
  static of(files: readonly RuleFile[], options: { ignoreCase: boolean }): IgnoreRules {
    return files.reduce((rules, file) => rules.with(file), new IgnoreRules(undefined, undefined, options.ignoreCase));
  }

  /** These rules with one more, stronger file: the `.gitignore` of a directory being entered. */
  with(file: RuleFile): IgnoreRules {
    const patterns = parsePatterns(file.text);
    if (patterns.length === 0) return this;
    const table = new RuleTable(file.base, patterns, { ignoreCase: this.#ignoreCase });
    return new IgnoreRules(table, this, this.#ignoreCase);
  }

  /** Whether an entry of the directory these rules are for, or of one below without rules of its own, is ignored, given that its parent is not. */
  ignores(path: RelativePath, isDirectory: boolean): boolean {
    const text = this.#ignoreCase ? foldCase(path) : path;
    const question: Question = { path: text, name: text.slice(text.lastIndexOf('/') + 1), isDirectory };
    let rules: IgnoreRules | undefined = this;
    while (rules !== undefined) {
      const verdict = rules.#table?.verdict(question);
      if (verdict !== undefined) return verdict;
      rules = rules.#weaker;
    }
    return false;
  }
}

/** The rules in force for the entries of a directory: those of its parent, with its own `.gitignore` if it has one. */
export type RulesIn = (directory: RelativePath) => IgnoreRules;

/**
 * Whether a path anywhere is ignored, itself or with a directory above it. `rulesIn` is asked from the top down and only
 * about directories that are not ignored: what is inside an ignored directory cannot be brought back, not even by rules
 * of its own.
 */
export const ignoresWithin = (rulesIn: RulesIn, path: RelativePath, isDirectory: boolean): boolean => {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const directory = path.slice(0, slash) as RelativePath;
    if (rulesIn(parent(directory)).ignores(directory, true)) return true;
  }
  return rulesIn(parent(path)).ignores(path, isDirectory);
};
