import { type ByteString, fromText } from '../../model/index.ts';
import { isTerminated } from './lines.ts';
import type { Range, Sides } from './merge.ts';

/** What stands behind the markers, for people to know which side is which. */
export type MergeLabels = Sides<string>;

type Lines = readonly ByteString[];

/**
 * A conflict as git's style `zdiff3` writes it: with the base between the sides, because without it nobody can tell what
 * each side did; and without the lines that both sides begin or end with, because those are settled.
 */
export const markConflict = (texts: Sides<Lines>, ranges: Sides<Range>, labels: MergeLabels): ByteString[] => {
  const end = hasCarriageReturns(texts, ranges) ? '\r\n' : '\n';
  const marker = (sign: string, label = ''): ByteString => `${sign.repeat(7)}${onOneLine(label)}${end}` as ByteString;
  const lines = (side: keyof Sides<unknown>): ByteString[] =>
    texts[side].slice(ranges[side].from, ranges[side].to).map((line) => (isTerminated(line) ? line : (`${line}${end}` as ByteString)));
  return [
    marker('<', labels.ours),
    ...lines('ours'),
    marker('|', labels.base),
    ...lines('base'),
    marker('='),
    ...lines('theirs'),
    marker('>', labels.theirs),
  ];
};

const onOneLine = (label: string): string => (label === '' ? '' : ` ${fromText(label.replace(/[\r\n]+/g, ' '))}`);

/** Markers end as the lines around them do; with a plain newline as soon as one of the texts does. */
const hasCarriageReturns = (texts: Sides<Lines>, ranges: Sides<Range>): boolean => {
  const ends = [
    endsInBoth(texts.ours, Math.max(0, ranges.ours.from - 1)),
    endsInBoth(texts.theirs, Math.max(0, ranges.theirs.from - 1)),
    endsInBoth(texts.base, 0),
  ];
  return ends.includes(true) && !ends.includes(false);
};

/** Whether a line ends in `\r\n`; one without an end is as the line before, and undefined when there is none. */
const endsInBoth = (lines: Lines, at: number): boolean | undefined => {
  const line = lines[at];
  if (line !== undefined && isTerminated(line)) return line.endsWith('\r\n');
  return lines[at - 1]?.endsWith('\r\n');
};
