import { constants } from 'node:buffer';
import { type ByteString, fromBytes } from '../../model/index.ts';

const NEWLINE = 0x0a;
const LOOKED_AT = 8000;

/**
 * Git's rule, so that both call the same files binary: a NUL near the beginning. What no string can hold counts too;
 * that is about where git gives up on text itself (`core.bigFileThreshold`, 512 MiB).
 */
export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.length > constants.MAX_STRING_LENGTH || bytes.subarray(0, LOOKED_AT).includes(0);

/** Each line with its `\n`, so that joining gives the bytes back and a last line without one differs from one with it. */
export const splitLines = (bytes: Uint8Array): ByteString[] => {
  const text = fromBytes(bytes);
  const lines: ByteString[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline + 1;
    lines.push(text.slice(from, to) as ByteString);
    from = to;
  }
  return lines;
};

/** False only for a last line with no newline at the end of the file. */
export const isTerminated = (line: ByteString): boolean => line.endsWith('\n');

export const countLines = (bytes: Uint8Array): number => {
  let count = 0;
  let from = 0;
  for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, from)) {
    count++;
    from = newline + 1;
  }
  return from < bytes.length ? count + 1 : count;
};

/** Both without the whole lines that they begin and end with in common. */
export const trimCommonLines = (before: Buffer, after: Buffer): [Buffer, Buffer] => {
  const start = before.subarray(0, commonPrefix(before, after)).lastIndexOf(NEWLINE) + 1;
  const restBefore = before.subarray(start);
  const restAfter = after.subarray(start);
  const tail = commonSuffix(restBefore, restAfter);
  // The suffix may begin inside a line; only what follows its first newline is whole in both.
  const newline = restBefore.indexOf(NEWLINE, restBefore.length - tail);
  const kept = newline < 0 || tail === 0 ? 0 : restBefore.length - newline - 1;
  return [restBefore.subarray(0, restBefore.length - kept), restAfter.subarray(0, restAfter.length - kept)];
};

const BLOCK = 4096;

const commonPrefix = (a: Buffer, b: Buffer): number => {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= most && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK;
  while (at < most && a[at] === b[at]) at++;
  return at;
};

const commonSuffix = (a: Buffer, b: Buffer): number => {
  const most = Math.min(a.length, b.length);
  const block = (length: number) =>
    a.compare(b, b.length - length - BLOCK, b.length - length, a.length - length - BLOCK, a.length - length) === 0;
  let length = 0;
  while (length + BLOCK <= most && block(length)) length += BLOCK;
  while (length < most && a[a.length - length - 1] === b[b.length - length - 1]) length++;
  return length;
};
