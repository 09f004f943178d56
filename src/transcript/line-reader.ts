import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { RetakeError, systemCode } from '../model/index.ts';

/** Where a line stands in its file, in bytes, without its end. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

export interface SourceLine extends Span {
  readonly text: string;
}

/** Told in the order of the file. */
export interface LineListener {
  /** The file is another one than before: forget what was read. */
  restart(): void;
  line(line: SourceLine): void;
  /** Too long to be held in memory. */
  oversized(span: Span): void;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;
/** So many bytes before the place we read to are compared, to notice a file that was written anew under the same inode. */
const TAIL = 64;

/** Agents write lines of a few megabytes at most (images); longer ones are some accident. */
const LONGEST_LINE = 64 << 20;

/**
 * Reads the lines of a file that grows, each byte once.
 * Invariants: all before `position - pending` was told as lines; `pieces` are the bytes from there to `position`, or none
 * while a line that is too long is being passed over (`passing`).
 */
export class LineReader {
  readonly #path: string;
  readonly #longest: number;
  #file: { readonly dev: number; readonly ino: number } | null = null;
  #position = 0;
  #pieces: Buffer[] = [];
  #pending = 0;
  #passing = false;
  #tail: Buffer = Buffer.alloc(0);

  constructor(path: string, longest = LONGEST_LINE) {
    this.#path = path;
    this.#longest = longest;
  }

  /** A last line that has no end yet. */
  get isTorn(): boolean {
    return this.#pending > 0;
  }

  /** Opens the file for reading spans of it. */
  openSame(): number {
    const fd = openForReading(this.#path);
    if (this.#isContinued(fd, fstatSync(fd))) return fd;
    closeSync(fd);
    throw new RetakeError('transcript-changed', `${this.#path} was replaced while it was read`, { hint: 'Try again.' });
  }

  read(listener: LineListener): void {
    const fd = openForReading(this.#path);
    try {
      const stats = fstatSync(fd);
      if (!this.#isContinued(fd, stats)) {
        this.#forget(stats);
        listener.restart();
      }
      // A file that keeps growing is read up to the size it had: the rest comes next time.
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(stats.size - this.#position, 1)));
      while (this.#position < stats.size) {
        const count = readSync(fd, chunk, 0, Math.min(chunk.length, stats.size - this.#position), this.#position);
        if (count === 0) break;
        this.#take(chunk.subarray(0, count), listener);
      }
    } finally {
      closeSync(fd);
    }
  }

  #isContinued(fd: number, stats: Stats): boolean {
    if (this.#file === null || this.#file.dev !== stats.dev || this.#file.ino !== stats.ino || stats.size < this.#position) return false;
    const now = Buffer.alloc(this.#tail.length);
    return readSync(fd, now, 0, now.length, this.#position - now.length) === now.length && now.equals(this.#tail);
  }

  #forget(stats: Stats): void {
    this.#file = { dev: stats.dev, ino: stats.ino };
    this.#position = 0;
    this.#tail = Buffer.alloc(0);
    this.#beginLine();
  }

  #beginLine(): void {
    this.#pieces = [];
    this.#pending = 0;
    this.#passing = false;
  }

  #take(bytes: Buffer, listener: LineListener): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const span = { start: this.#position - this.#pending + from, length: this.#pending + end - from };
      if (this.#passing || span.length > this.#longest) listener.oversized(span);
      else listener.line({ ...span, text: this.#text(bytes.subarray(from, end)) });
      this.#beginLine();
      from = end + 1;
      // What `pending` counts from here on is in this chunk, and `from` tells of it.
    }
    this.#hold(bytes.subarray(from));
    this.#position += bytes.length;
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-TAIL)]).subarray(-TAIL);
  }

  #text(last: Buffer): string {
    return (this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last])).toString('utf8');
  }

  #hold(rest: Buffer): void {
    this.#pending += rest.length;
    if (this.#pending > this.#longest) this.#passing = true;
    if (this.#passing) this.#pieces = [];
    else if (rest.length > 0) this.#pieces.push(Buffer.from(rest));
  }
}

/** A session file, opened; anything that is no plain file is refused before opening it could hang. */
export const openForReading = (path: string): number => {
  try {
    if (statSync(path).isFile()) return openSync(path, 'r');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM') throw new RetakeError('permission', `Not allowed to read ${path}`, { cause: error });
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  throw new RetakeError('transcript-missing', `There is no session file ${path}`, {
    hint: 'Agents remove their old sessions after a while; its checkpoints can still be restored.',
  });
};

/** One line's bytes, as a string with one character per byte. */
export const readSpan = (fd: number, { start, length }: Span): string => {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(fd, bytes, done, length - done, start + done);
    if (count === 0)
      throw new RetakeError('transcript-changed', 'The session file became shorter while it was read', { hint: 'Try again.' });
    done += count;
  }
  return bytes.toString('latin1');
};
