import type { ByteString } from '../../model/index.ts';

/**
 * How good a place between two lines is for a change to begin or end, judged by indentation and blank lines. The
 * weights are those of git's "indent heuristic", found there by fitting to what people chose.
 */
export interface Score {
  /** Of the line that follows; the less indented, the more likely a block begins there. */
  readonly indent: number;
  readonly penalty: number;
}

export const add = (a: Score, b: Score): Score => ({ indent: a.indent + b.indent, penalty: a.penalty + b.penalty });

const INDENT_WEIGHT = 60;

export const isBetter = (a: Score, b: Score): boolean => INDENT_WEIGHT * Math.sign(a.indent - b.indent) + a.penalty - b.penalty < 0;

const BLANK = -1;
const MOST_BLANKS = 20;
const MOST_INDENT = 200;

/** The gap before line `at`. */
export const scoreOfGap = (lines: readonly ByteString[], at: number): Score => {
  const atEnd = at >= lines.length;
  const own = atEnd ? BLANK : indentOf(lines[at] as ByteString);
  const above = nearest(lines, at - 1, -1);
  const below = nearest(lines, at + 1, 1);
  const blanksBelow = own === BLANK ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksBelow;
  const indent = own === BLANK ? below.indent : own;
  const penalty =
    (above.indent === BLANK && above.blanks === 0 ? 1 : 0) +
    (atEnd ? 21 : 0) -
    30 * blanks +
    6 * blanksBelow +
    penaltyOfStep(indent, above.indent, below.indent, blanks > 0);
  return { indent, penalty };
};

const penaltyOfStep = (indent: number, above: number, below: number, blanks: boolean): number => {
  if (indent === BLANK || above === BLANK || indent === above) return 0;
  if (indent > above) return blanks ? 10 : -4;
  if (blanks) return 17;
  return below > indent ? 24 : 23;
};

/** The indent of the first line that isn't blank from `at` on, and how many blank ones come before it. */
const nearest = (lines: readonly ByteString[], at: number, step: 1 | -1): { indent: number; blanks: number } => {
  let blanks = 0;
  for (let index = at; index >= 0 && index < lines.length; index += step) {
    const indent = indentOf(lines[index] as ByteString);
    if (indent !== BLANK) return { indent, blanks };
    blanks++;
    if (blanks === MOST_BLANKS) return { indent: 0, blanks };
  }
  return { indent: BLANK, blanks };
};

const indentOf = (line: ByteString): number => {
  let indent = 0;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === ' ') indent++;
    else if (character === '\t') indent += 8 - (indent % 8);
    else if (character !== '\n' && character !== '\r') return indent;
    if (indent >= MOST_INDENT) return MOST_INDENT;
  }
  return BLANK;
};
