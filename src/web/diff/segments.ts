import type { Range } from './word-diff.ts';

/** What a word of a program is; each has a colour of the theme. */
export type Colour = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'meta';

/** A coloured part of a line. */
export interface Token extends Range {
  readonly colour: Colour;
}

/** A part of a line that looks the same all through. */
export interface Segment {
  readonly text: string;
  readonly colour: Colour | null;
  readonly isChanged: boolean;
  /** A character that is not seen as it is, by its name. */
  readonly isUnseen: boolean;
}

/** Invisible, or able to turn the line around. Tabs are seen. */
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const CONTROLS = 'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
  ' ',
);

const nameOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return CONTROLS[code] ?? (code === 127 ? 'DEL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
};

/** A line cut where its look changes: by colours, by what changed in it, and by what can not be seen. */
export const segmentsOf = (text: string, tokens: readonly Token[], changed: readonly Range[]): Segment[] => {
  const unseen = [...text.matchAll(UNSEEN)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  const cuts = new Set<number>([0, text.length]);
  for (const { from, to } of [...tokens, ...changed, ...unseen]) cuts.add(from).add(to);
  const places = [...cuts].filter((at) => at <= text.length).sort((a, b) => a - b);
  const isUnseen = new Set(unseen.map(({ from }) => from));
  const colourAt = follow(tokens);
  const changeAt = follow(changed);
  return places.slice(0, -1).map((from, order) => {
    const piece = text.slice(from, places[order + 1]);
    const colour = colourAt(from)?.colour ?? null;
    const isChanged = changeAt(from) !== undefined;
    return isUnseen.has(from)
      ? { text: nameOf(piece), colour, isChanged, isUnseen: true }
      : { text: piece, colour, isChanged, isUnseen: false };
  });
};

/** The range that a place is in, of ranges in order, for places that only go up. */
const follow = <T extends Range>(ranges: readonly T[]): ((at: number) => T | undefined) => {
  let next = 0;
  return (at) => {
    while (next < ranges.length && (ranges[next] as T).to <= at) next++;
    const range = ranges[next];
    return range !== undefined && range.from <= at ? range : undefined;
  };
};
