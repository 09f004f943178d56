import { toText } from '../../model/index.ts';
import { isBinary, splitLines } from './lines.ts';

const BEGIN = /^<{7}(?: |\r?\n?$)/;
const END = /^>{7}(?: |\r?\n?$)/;

/** Whether something is left between markers. */
export const hasMarkers = (bytes: Buffer): boolean => markedLines(bytes, 1) !== null;

/** The lines between markers, markers included, as text and at most so many; null when there are none. */
export const markedLines = (bytes: Buffer, most: number): string | null => {
  let marked = '';
  let count = 0;
  let isInside = false;
  for (const line of isBinary(bytes) ? [] : splitLines(bytes)) {
    isInside ||= BEGIN.test(line);
    if (isInside && ++count <= most) marked += toText(line);
    if (END.test(line)) isInside = false;
  }
  if (count === 0) return null;
  return count > most ? `${marked}…\n` : marked;
};
