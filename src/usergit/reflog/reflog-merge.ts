import type { ByteString } from '../../model/index.ts';
import { splitLines } from './reflog-line.ts';

/**
 * What an older copy of a log has and the log itself lacks. Lines are told apart by all but where the ref came from, which git
 * rewrites when it drops the line before.
 */
export const missingLines = (log: ByteString, copy: ByteString, idLength: number): ByteString[] => {
  const known = new Set(splitLines(log).map((line) => line.slice(idLength)));
  return splitLines(copy).filter((line) => !known.has(line.slice(idLength)));
};

/**
 * The log with missing lines back in their places, as `pick` gives them; every byte that is there stays. Each goes before the
 * line that followed it in the copy. None goes to the end, which tells where the ref is now.
 */
export const insertMissing = (
  log: ByteString,
  copy: ByteString,
  idLength: number,
  pick: (line: ByteString) => ByteString | undefined,
): ByteString => {
  const lines = splitLines(log);
  const places = new Map(lines.map((line, at) => [line.slice(idLength), at]));
  /** By the line that they go before, last ones first. */
  const inserted = new Map<number, ByteString[]>();
  let place = afterLast(splitLines(copy), places, idLength, lines.length);
  for (const line of splitLines(copy).reverse()) {
    const known = places.get(line.slice(idLength));
    const picked = known === undefined ? pick(line) : undefined;
    if (known !== undefined) place = known;
    if (picked === undefined) continue;
    const list = inserted.get(place);
    if (list === undefined) inserted.set(place, [picked]);
    else list.push(picked);
  }
  const before = (at: number): string => inserted.get(at)?.reverse().join('') ?? '';
  return `${lines.map((line, at) => before(at) + line).join('')}${lines.length === 0 ? before(0) : ''}` as ByteString;
};

/** Where lines belong that come after all that both have. */
const afterLast = (copy: readonly ByteString[], places: ReadonlyMap<string, number>, idLength: number, length: number): number => {
  const last = copy.findLast((line) => places.has(line.slice(idLength)));
  const after = last === undefined ? 0 : (places.get(last.slice(idLength)) ?? 0) + 1;
  return Math.max(0, Math.min(after, length - 1));
};
