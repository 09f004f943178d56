/** Where words that were searched for are in a text. */

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

export const wordsOf = (query: string): string[] => query.split(/\s+/).filter((word) => word !== '');

/** Big and small letters count the same as they do where it is searched: those from A to Z. As long as before, so that places stay. */
const folded = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

type Range = readonly [from: number, to: number];

const hitsOf = (text: string, words: readonly string[]): Range[] => {
  const inside = folded(text);
  const found: Range[] = [];
  for (const word of words.map(folded))
    for (let at = inside.indexOf(word); word !== '' && at >= 0; at = inside.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  return joined(found);
};

const joined = (ranges: readonly Range[]): Range[] => {
  const all: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
};

/** The text in pieces, those that hold words marked. */
export const marked = (text: string, words: readonly string[]): Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from, to] of hitsOf(text, words)) {
    if (from > at) pieces.push({ text: text.slice(at, from), isHit: false });
    pieces.push({ text: text.slice(from, to), isHit: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isHit: false });
  return pieces;
};

export const holds = (text: string, words: readonly string[]): boolean => hitsOf(text, words).length > 0;

/** What comes before the first word, where only a part of a long text is shown. */
const BEFORE = 60;

/** A part of a long text, from shortly before the first of the words on. */
export const excerpt = (text: string, words: readonly string[], most: number): string => {
  if (text.length <= most) return text;
  const first = hitsOf(text, words)[0]?.[0] ?? 0;
  const from = whole(text, Math.max(0, Math.min(first - BEFORE, text.length - most)));
  const to = whole(text, from + most);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
};

/** No character is cut in two. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
