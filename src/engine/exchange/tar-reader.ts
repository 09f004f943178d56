import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { RetakeError, systemCode } from '../../model/index.ts';
import { badExport } from './bad-export.ts';
import { isMember } from './member-names.ts';
import { BLOCK, decodeTarHeader, isZero, paddingAfter, type TarHeader } from './tar-header.ts';

interface Member {
  readonly at: number;
  readonly size: number;
}

const MOST_MEMBERS = 10_000;
const CHUNK = 256 << 10;

/** An archive whose members are known to lie in it, each once and under a name that an export has. */
export class TarReader {
  readonly #fd: number;
  readonly #members: ReadonlyMap<string, Member>;

  private constructor(fd: number, members: ReadonlyMap<string, Member>) {
    this.#fd = fd;
    this.#members = members;
  }

  static open(path: string): TarReader {
    const fd = openFile(path);
    try {
      return new TarReader(fd, readMembers(fd));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  size(name: string): number {
    return this.#member(name).size;
  }

  /** A member that is read as a whole; a larger one is refused. */
  read(name: string, most: number): Buffer {
    const { at, size } = this.#member(name);
    if (size > most) throw badExport(`${name} is too large`);
    return readExactly(this.#fd, at, size);
  }

  *chunks(name: string, from = 0): Generator<Buffer> {
    const { at, size } = this.#member(name);
    for (let done = from; done < size; done += CHUNK) yield readExactly(this.#fd, at + done, Math.min(CHUNK, size - done));
  }

  stream(name: string, from: number): Readable {
    const { at, size } = this.#member(name);
    return createReadStream('', { fd: this.#fd, autoClose: false, start: at + from, end: at + size - 1 });
  }

  digest(name: string): string {
    const hash = createHash('sha256');
    for (const chunk of this.chunks(name)) hash.update(chunk);
    return hash.digest('hex');
  }

  #member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw badExport(`it has no ${name}`);
    return member;
  }
}

const openFile = (path: string): number => {
  try {
    const fd = openSync(path, 'r');
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'There is no file' : 'Not allowed to read';
    throw new RetakeError('no-such-file', `${why} ${path}`, { hint: 'retake export makes one.', cause: error });
  }
  throw new RetakeError('no-such-file', `${path} is not a plain file`, { hint: 'retake export makes one.' });
};

const readMembers = (fd: number): ReadonlyMap<string, Member> => {
  const { size: total } = fstatSync(fd);
  const members = new Map<string, Member>();
  for (let at = 0; ; ) {
    if (at + BLOCK > total) throw badExport('it is cut short');
    const block = readExactly(fd, at, BLOCK);
    if (isZero(block)) return members;
    const { name, size } = understood(block);
    if (!isMember(name) || members.has(name)) throw badExport(`it holds ${JSON.stringify(name.slice(0, 100))}, which no export does`);
    if (members.size >= MOST_MEMBERS) throw badExport('it holds too many files');
    const next = at + BLOCK + size + paddingAfter(size);
    if (next > total) throw badExport('it is cut short');
    members.set(name, { at: at + BLOCK, size });
    at = next;
  }
};

const understood = (block: Buffer): TarHeader => {
  const header = decodeTarHeader(block);
  if (typeof header === 'string') throw badExport(`it ${header}`);
  return header;
};

const readExactly = (fd: number, at: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) throw badExport('it is cut short');
    done += read;
  }
  return bytes;
};
