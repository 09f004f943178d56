import { type ByteString, toText } from '../../model/index.ts';

/** One line of a reflog: where a ref pointed to before and after, and why it moved. */
export interface ReflogLine {
  readonly from: string;
  readonly to: string;
  /** `Name <email>` */
  readonly who: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** All that was noted, as it is in the file. */
  readonly note: string;
}

/** The last second that a date can tell. */
const LATEST = 8_640_000_000_000;

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([^>\n]*>) (\d{1,13}) [+-]\d{4}\t?([^\n]*)\n$/i;

/** What git would take for a line, with its newline; undefined for anything else, as git passes over it too. */
export const parseReflogLine = (line: ByteString, idLength: number): ReflogLine | undefined => {
  const found = LINE.exec(line);
  if (found === null) return undefined;
  const [, from = '', to = '', who = '', time = '', note = ''] = found;
  const at = Number(time);
  if (from.length !== idLength || to.length !== idLength || at === 0 || at > LATEST) return undefined;
  return { from: from.toLowerCase(), to: to.toLowerCase(), who: toText(who as ByteString), at, note: toText(note as ByteString) };
};

/** Lines with their newlines; the last may have none. */
export const splitLines = (text: ByteString): ByteString[] => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []) as ByteString[];

/** The id of nothing: before a ref was made, and after it was removed. */
export const isNoObject = (id: string): boolean => /^0+$/.test(id);
