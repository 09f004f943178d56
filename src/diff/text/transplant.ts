import { type ByteString, toBytes } from '../../model/index.ts';
import { diffLines } from './line-diff.ts';
import { isTerminated, splitLines } from './lines.ts';

/**
 * What turns `before` into `after`, done to another text and to nothing of it but the very lines: those that go there go here if they
 * are here, those that come are put beside the same lines. Always possible, and for showing only: nobody has checked that it makes sense.
 */
export const transplant = (before: Buffer, after: Buffer, onto: Buffer): Buffer => {
  const [old, present, target] = [splitLines(before), splitLines(after), splitLines(onto)];
  const places = placesIn(old, target);
  const gone = new Set<number>();
  const added = new Map<number, ByteString[]>();
  let position = 0;
  let seen = 0;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old, present)) {
    for (; seen < oldStart; seen++) position = (places[seen] ?? position - 1) + 1;
    const going = places.slice(oldStart, oldStart + oldCount).filter((place) => place !== undefined);
    for (const place of going) gone.add(place);
    const put = going[0] ?? places[oldStart + oldCount] ?? position;
    added.set(put, [...(added.get(put) ?? []), ...present.slice(newStart, newStart + newCount)]);
  }
  const lines = [...target, '' as ByteString].flatMap((line, at) => [
    ...(added.get(at) ?? []),
    ...(gone.has(at) || line === '' ? [] : [line]),
  ]);
  const whole = lines.map((line, at) => (at === lines.length - 1 || isTerminated(line) ? line : `${line}\n`));
  return toBytes(whole.join('') as ByteString);
};

/** For each line, and for the end, where the other text has it; undefined where it has not. */
const placesIn = (lines: readonly ByteString[], others: readonly ByteString[]): (number | undefined)[] => {
  const places = new Array<number | undefined>(lines.length);
  let [at, other] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(lines, others)) {
    while (at < oldStart) places[at++] = other++;
    at = oldStart + oldCount;
    other = newStart + newCount;
  }
  while (at < lines.length) places[at++] = other++;
  return [...places, others.length];
};
