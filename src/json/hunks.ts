import { beginningOf, type ShownFile } from '../engine/index.ts';
import { type ByteString, isUtf8, toText } from '../model/index.ts';

type Seen = NonNullable<ShownFile['seen']>;
type Part = Seen['hunks'][number];

/** A hunk, or some of its lines, as text. */
export const hunkJson = (hunk: Part, { longest }: Seen['window']) => {
  const { oldStart, oldLines, newStart, newLines, section, skipped, oldLine, newLine, lines } = hunk;
  return {
    oldStart,
    oldLines,
    newStart,
    newLines,
    section: toText(section),
    ...(skipped === 0 ? {} : { part: { skipped, oldLine, newLine } }),
    lines: lines.map((line) => lineJson(line, longest)),
  };
};

/** What is missing; nothing where nothing is. */
export const cutJson = ({ window: { skip }, lines, total }: Seen) => (lines === total ? {} : { cut: { line: skip + 1, lines, total } });

const lineJson = ({ kind, text }: Part['lines'][number], longest = Number.POSITIVE_INFINITY) => {
  const isEnded = text.endsWith('\n');
  const whole = (isEnded ? text.slice(0, -1) : text) as ByteString;
  const shown = beginningOf(whole, longest);
  return {
    kind,
    text: toText(shown),
    ...(isEnded ? {} : { noNewline: true as const }),
    ...(isUtf8(shown) ? {} : { isExact: false as const }),
    ...(shown.length === whole.length ? {} : { bytes: whole.length }),
  };
};
