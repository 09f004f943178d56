import { join, type RelativePath } from '../../model/index.ts';
import type { Pattern } from './pattern.ts';
import { foldCase, Wildmatch } from './wildmatch.ts';

/** What a pattern says, and its place among those of its file: of two that match, the one of higher `order` decides. */
interface Rule {
  readonly order: number;
  readonly ignores: boolean;
  readonly directoryOnly: boolean;
}

/** The strongest of the rules for one literal text, by what they are asked about. */
interface Strongest {
  readonly file: Rule | undefined;
  readonly directory: Rule;
}

interface SuffixRule extends Rule {
  readonly suffix: string;
}

interface GlobRule extends Rule {
  /** What the whole path must begin with, the glob being about the rest; undefined when it is about the last part. */
  readonly prefix: string | undefined;
  readonly glob: Wildmatch;
}

/** What is asked of a table, worked out once for all the tables of a chain. */
export interface Question {
  /** Case-folded when the tables ignore case, as is `name`. */
  readonly path: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

/**
 * The compiled rules of one file, sorted by how they can be found: most patterns in the wild are literal names and
 * `*.ext`, and a file's name rules nearly all of those out with one look-up each. The few that remain are tried from the
 * strongest down, and only while they could still overrule what was found.
 */
export class RuleTable {
  readonly #names = new Map<string, Strongest>();
  readonly #paths = new Map<string, Strongest>();
  readonly #suffixesByLastByte = new Map<number, SuffixRule[]>();
  readonly #globs: GlobRule[] = [];

  constructor(base: RelativePath, patterns: readonly Pattern[], options: { ignoreCase: boolean }) {
    const fold = (text: string): string => (options.ignoreCase ? foldCase(text) : text);
    for (let order = patterns.length - 1; order >= 0; order--) {
      const { negated, directoryOnly, shape } = patterns[order] as Pattern;
      const rule: Rule = { order, ignores: !negated, directoryOnly };
      switch (shape.kind) {
        case 'name':
          addWeaker(this.#names, fold(shape.name), rule);
          break;
        case 'path':
          addWeaker(this.#paths, fold(join(base, shape.path)), rule);
          break;
        case 'suffix': {
          const suffix = fold(shape.suffix);
          const lastByte = suffix.charCodeAt(suffix.length - 1);
          const siblings = this.#suffixesByLastByte.get(lastByte);
          if (siblings === undefined) this.#suffixesByLastByte.set(lastByte, [{ ...rule, suffix }]);
          else siblings.push({ ...rule, suffix });
          break;
        }
        case 'name-glob':
        case 'path-glob': {
          const glob = Wildmatch.compile(shape.glob, options);
          const prefix = shape.kind === 'path-glob' ? fold(join(base, shape.prefix)) : undefined;
          if (glob !== undefined) this.#globs.push({ ...rule, prefix, glob });
          break;
        }
      }
    }
  }

  /** Whether the strongest rule that matches says ignored; undefined when none matches. */
  verdict(question: Question): boolean | undefined {
    const { path, name, isDirectory } = question;
    let decisive = stronger(lookUp(this.#names, name, isDirectory), lookUp(this.#paths, path, isDirectory));

    const suffixes = this.#suffixesByLastByte.get(name.charCodeAt(name.length - 1));
    if (suffixes !== undefined) {
      for (const rule of suffixes) {
        if (decisive !== undefined && decisive.order > rule.order) break;
        if (rule.directoryOnly && !isDirectory) continue;
        if (name.endsWith(rule.suffix)) decisive = rule;
      }
    }

    for (const rule of this.#globs) {
      if (decisive !== undefined && decisive.order > rule.order) break;
      if (rule.directoryOnly && !isDirectory) continue;
      const { prefix, glob } = rule;
      if (prefix === undefined ? glob.matches(name) : path.startsWith(prefix) && glob.matches(path, prefix.length)) decisive = rule;
    }
    return decisive?.ignores;
  }
}

/** Rules come strongest first, so what is there already stays; a rule for directories only leaves files undecided. */
const addWeaker = (rules: Map<string, Strongest>, text: string, rule: Rule): void => {
  const { file, directory = rule } = rules.get(text) ?? {};
  rules.set(text, { file: file ?? (rule.directoryOnly ? undefined : rule), directory });
};

const lookUp = (rules: ReadonlyMap<string, Strongest>, text: string, isDirectory: boolean): Rule | undefined => {
  const found = rules.get(text);
  return isDirectory ? found?.directory : found?.file;
};

const stronger = (a: Rule | undefined, b: Rule | undefined): Rule | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return a.order > b.order ? a : b;
};
