import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ByteString, type GitLogEntry, toFs } from '../../model/index.ts';
import { below } from '../paths.ts';
import type { UserRepository } from '../repository.ts';
import { idLength } from './reflog.ts';
import { isNoObject, parseReflogLine, splitLines } from './reflog-line.ts';

/** What is reported at most, the newest; and how far back it is looked for. */
const MOST_MOVES = 20;
const MOST_BYTES = 64 * 1024;

/**
 * How HEAD moved since its reflog was `offset` bytes long, oldest first, and the offset to ask from next time. Nothing for a
 * log that was rewritten and is shorter now, and where there is none: git was told not to keep one, or keeps it in a reftable.
 */
export const lastMoves = (repository: UserRepository, offset: number): { moves: GitLogEntry[]; offset: number } => {
  const { text, start, size } = readFrom(below(repository.gitDirectory, 'logs/HEAD'), offset);
  if (offset > size) return { moves: [], offset: size };
  // A line without its end is still being written.
  const end = text.lastIndexOf('\n') + 1;
  const digits = idLength(repository);
  const moves = splitLines(text.slice(0, end) as ByteString)
    .map((line) => parseReflogLine(line, digits))
    .filter((line) => line !== undefined)
    .map(({ from, to, note }) => ({ from: idOrNull(from), to: idOrNull(to), message: note }));
  return { moves: moves.slice(-MOST_MOVES), offset: start + end };
};

const idOrNull = (id: string): string | null => (isNoObject(id) ? null : id);

const readFrom = (path: ByteString, offset: number): { text: string; start: number; size: number } => {
  let fd: number;
  try {
    fd = openSync(toFs(path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return { text: '', start: offset, size: 0 };
  }
  try {
    const stat = fstatSync(fd);
    const size = stat.isFile() ? stat.size : 0;
    if (offset >= size) return { text: '', start: offset, size };
    const start = Math.max(offset, size - MOST_BYTES);
    const bytes = Buffer.alloc(size - start);
    return { text: bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, start)), start, size };
  } catch {
    return { text: '', start: offset, size: 0 };
  } finally {
    closeSync(fd);
  }
};
