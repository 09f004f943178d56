import type { DiffHunk } from '../client/types.ts';
import { type NumberedLine, numberLines } from './hunks.ts';
import type { Colour, Token } from './segments.ts';

/** What of lowlight's answer is used. */
interface Highlighted {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Highlighted[];
}

/** Colours a text of a language; loaded apart from the page, since most of it is grammars. */
export type Highlight = (language: string, text: string) => Highlighted;

const COLOURS: Readonly<Record<string, Colour>> = {
  keyword: 'keyword',
  literal: 'number',
  'selector-tag': 'keyword',
  'selector-pseudo': 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  symbol: 'string',
  code: 'string',
  number: 'number',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  title: 'title',
  section: 'title',
  name: 'title',
  'selector-class': 'title',
  'selector-id': 'title',
  type: 'type',
  built_in: 'type',
  class: 'type',
  attr: 'meta',
  attribute: 'meta',
  'selector-attr': 'meta',
  meta: 'meta',
  variable: 'meta',
  'template-variable': 'meta',
  property: 'meta',
  bullet: 'meta',
};

/** What is inside of something coloured and is no part of it, such as the expression in a template string. */
const PLAIN = new Set(['subst', 'params', 'tag', 'punctuation', 'operator']);

const colourOf = ({ properties }: Highlighted, outer: Colour | null): Colour | null => {
  const names: unknown[] = Array.isArray(properties?.className) ? properties.className : [];
  if (names.includes('class_')) return 'type';
  const scope = String(names[0] ?? '').replace(/^hljs-/, '');
  return PLAIN.has(scope) ? null : (COLOURS[scope] ?? outer);
};

/** The tokens of each line of a text. */
export const tokensByLine = (root: Highlighted): Token[][] => {
  const lines: Token[][] = [[]];
  let column = 0;
  const visit = (node: Highlighted, colour: Colour | null): void => {
    if (node.value === undefined) {
      const own = node.type === 'element' ? colourOf(node, colour) : colour;
      for (const child of node.children ?? []) visit(child, own);
      return;
    }
    node.value.split('\n').forEach((piece, order) => {
      if (order > 0) {
        lines.push([]);
        column = 0;
      }
      if (colour !== null && piece !== '') lines.at(-1)?.push({ from: column, to: column + piece.length, colour });
      column += piece.length;
    });
  };
  visit(root, null);
  return lines;
};

/** Coloured at once, when the first of them is looked at: few enough for nobody to wait. */
const AT_ONCE = 400;
/** Files with longer lines are made by programs. */
const LONGEST_LINE = 1500;
const MOST_LINES = 60_000;

const NONE: readonly Token[] = [];

/** The lines of one side of a hunk in their order. */
interface Side {
  readonly first: number;
  readonly texts: readonly string[];
}

/**
 * The colours of a file's lines, made as they are looked at. The lines of either side of a hunk are coloured together, so that what goes over
 * several lines is known for what it is.
 */
export class Colours {
  readonly #highlight: Highlight;
  readonly #language: string;
  readonly #sides = new Map<string, Side>();
  readonly #made = new Map<string, readonly (readonly Token[])[]>();
  readonly #hunks: readonly DiffHunk[];
  readonly #isOff: boolean;

  constructor(highlight: Highlight, language: string, hunks: readonly DiffHunk[]) {
    this.#highlight = highlight;
    this.#language = language;
    this.#hunks = hunks;
    const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    this.#isOff = lines > MOST_LINES || hunks.some((hunk) => hunk.lines.some(({ text }) => text.length > LONGEST_LINE));
  }

  of(hunk: number, { old, new: fresh }: NumberedLine): readonly Token[] {
    const number = fresh ?? old;
    if (this.#isOff || number === null) return NONE;
    const name = fresh === null ? 'old' : 'new';
    const { first, texts } = this.#side(hunk, name);
    const at = number - first;
    const piece = Math.floor(at / AT_ONCE);
    const key = `${hunk} ${name} ${piece}`;
    const made =
      this.#made.get(key) ?? tokensByLine(this.#highlight(this.#language, texts.slice(piece * AT_ONCE, (piece + 1) * AT_ONCE).join('\n')));
    this.#made.set(key, made);
    return made[at % AT_ONCE] ?? NONE;
  }

  #side(hunk: number, name: 'old' | 'new'): Side {
    const key = `${hunk} ${name}`;
    const known = this.#sides.get(key);
    if (known !== undefined) return known;
    const own = numberLines(this.#hunks[hunk] as DiffHunk).filter((line) => line[name] !== null);
    // A carriage return is shown by itself, and is no part of what a grammar knows.
    const side = { first: own[0]?.[name] ?? 0, texts: own.map(({ line }) => line.text.replaceAll('\r', ' ')) };
    this.#sides.set(key, side);
    return side;
  }
}
