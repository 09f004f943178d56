import type { ByteString } from '../../model/index.ts';

/**
 * The files below an attributes file that may go through a conversion which can keep their size: a filter, an encoding,
 * or `ident` (checking out writes the blob's id over an older one of the same length). End-of-line conversion is not
 * among them: it adds or removes bytes, or does nothing.
 *
 * The rules may name too many files, never too few. So what only takes a conversion back (`-filter`, `!ident`) counts for
 * nothing, case never matters, and a pattern that is not plain stands for everything.
 */
export interface AttributeRules {
  readonly everything: boolean;
  /** Of patterns like `*.psd`, in lower case. */
  readonly endings: readonly string[];
  readonly names: ReadonlySet<string>;
}

export const EVERYTHING: AttributeRules = { everything: true, endings: [], names: new Set() };

const CONVERSION = /^(?:filter|working-tree-encoding|ident)(?:=|$)/;
const ANYWHERE = /filter|working-tree-encoding|ident/;

/** The rules of an attributes file, or null when none matter. */
export const parseAttributes = (text: ByteString): AttributeRules | null => {
  const endings: string[] = [];
  const names = new Set<string>();
  for (const line of text.replace(/^\xef\xbb\xbf/, '').split('\n')) {
    const [pattern = '', ...attributes] = line.split(/[ \t\r]+/).filter((word) => word !== '');
    if (pattern.startsWith('#')) continue;
    // A quoted pattern ends who knows where, and `[attr]` gives attributes a name by which any file may have them.
    if (/^(?:"|\[attr\])/.test(pattern) && ANYWHERE.test(line)) return EVERYTHING;
    if (!attributes.some((attribute) => CONVERSION.test(attribute))) continue;
    if (!/^\*?[^*?[\\/]*$/.test(pattern)) return EVERYTHING;
    if (pattern.startsWith('*')) endings.push(pattern.slice(1).toLowerCase());
    else names.add(pattern.toLowerCase());
  }
  return endings.length === 0 && names.size === 0 ? null : { everything: false, endings, names };
};

export const mayApply = (rules: AttributeRules, name: ByteString): boolean => {
  const folded = name.toLowerCase();
  return rules.everything || rules.names.has(folded) || rules.endings.some((ending) => folded.endsWith(ending));
};
