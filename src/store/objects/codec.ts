import { createHash, hash } from 'node:crypto';
import { type ByteString, compareBytes, isObjectId, type ObjectId, type TreeId } from '../../model/index.ts';
import { Damage } from './damage.ts';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface StoredObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

export interface TreeEntry {
  /** As git writes it: 0o100644, 0o100755, 0o120000, 0o40000. */
  readonly mode: number;
  readonly name: ByteString;
  readonly id: ObjectId;
}

export interface CommitFields {
  readonly tree: TreeId;
  readonly parents?: readonly ObjectId[];
  /** To the second; for people who look with plain git. */
  readonly time: Date;
  readonly message: Buffer;
}

/** The longest header is `commit ` and the digits of the largest safe integer. */
const HEADER_ROOM = 32;

/** Small objects are put behind their header here: one call of the hash function costs half of two. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

const header = (type: ObjectType, size: number): string => `${type} ${size}\0`;

export const objectId = (type: ObjectType, bytes: Uint8Array): ObjectId => {
  if (bytes.length > scratch.length - HEADER_ROOM) {
    return createHash('sha1').update(header(type, bytes.length)).update(bytes).digest('hex') as ObjectId;
  }
  const start = scratch.write(header(type, bytes.length), 0, 'latin1');
  scratch.set(bytes, start);
  return hash('sha1', scratch.subarray(0, start + bytes.length), 'hex') as ObjectId;
};

/** The object as a loose file has it before compression. */
export const frame = (type: ObjectType, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(header(type, bytes.length), 'latin1'), bytes]);

const HEADER = /^(blob|tree|commit|tag) (0|[1-9][0-9]{0,15})\0/;

/** Reads the header of a loose object from its first bytes. */
export const decodeHeader = (start: Buffer): { type: ObjectType; size: number; length: number } => {
  const found = HEADER.exec(start.toString('latin1', 0, HEADER_ROOM));
  if (found === null) throw new Damage('it has no valid header');
  return { type: found[1] as ObjectType, size: Number(found[2]), length: found[0].length };
};

const DIRECTORY = 0o40000;

const sortKey = (entry: TreeEntry): string => (entry.mode === DIRECTORY ? `${entry.name}/` : entry.name);

const compareEntries = (a: TreeEntry, b: TreeEntry): number => compareBytes(sortKey(a), sortKey(b));

const isSorted = (entries: readonly TreeEntry[]): boolean => {
  let previous = '';
  for (const entry of entries) {
    const key = sortKey(entry);
    if (key < previous) return false;
    previous = key;
  }
  return true;
};

const ID_BYTES = 20;

/** Entries in the order in which git keeps them. */
export const inTreeOrder = (entries: readonly TreeEntry[]): readonly TreeEntry[] =>
  isSorted(entries) ? entries : entries.toSorted(compareEntries);

export const encodeTree = (entries: readonly TreeEntry[]): Buffer => {
  const sorted = inTreeOrder(entries);
  const prefixes = sorted.map((entry) => `${entry.mode.toString(8)} ${entry.name}\0`);
  const bytes = Buffer.allocUnsafe(prefixes.reduce((sum, prefix) => sum + prefix.length + ID_BYTES, 0));
  let at = 0;
  for (const [position, prefix] of prefixes.entries()) {
    at += bytes.write(prefix, at, 'latin1');
    at += bytes.write(sorted[position]?.id ?? '', at, 'hex');
  }
  if (at !== bytes.length) throw new Error('a tree entry has no valid id');
  return bytes;
};

const SPACE = 0x20;
const ZERO = 0x30;

export const decodeTree = (bytes: Buffer): TreeEntry[] => {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    let mode = 0;
    let next = at;
    for (let digit = bytes[next]; digit !== SPACE; digit = bytes[++next]) {
      if (digit === undefined || digit < ZERO || digit > ZERO + 7 || next - at > 6) throw new Damage('it is not a valid tree');
      mode = mode * 8 + digit - ZERO;
    }
    const end = bytes.indexOf(0, next + 1);
    if (next === at || end <= next + 1 || end + ID_BYTES >= bytes.length) throw new Damage('it is not a valid tree');
    at = end + 1 + ID_BYTES;
    entries.push({
      mode,
      name: bytes.toString('latin1', next + 1, end) as ByteString,
      id: bytes.toString('hex', end + 1, at) as ObjectId,
    });
  }
  return entries;
};

/** Whoever made the change, it is Retake that recorded it: no name of a user enters the store. */
const SIGNATURE = 'Retake <retake@localhost>';

export const encodeCommit = ({ tree, parents = [], time, message }: CommitFields): Buffer => {
  // git knows no time before 1970.
  const seconds = Math.max(0, Math.floor(time.getTime() / 1000));
  if (Number.isNaN(seconds)) throw new Error('a commit needs a valid time');
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${SIGNATURE} ${seconds} +0000`,
    `committer ${SIGNATURE} ${seconds} +0000`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`, 'latin1'), message]);
};

/** Reads commits by anyone; headers that Retake has no use for, such as signatures, are skipped. */
export const decodeCommit = (bytes: Buffer): Required<CommitFields> => {
  const blank = bytes.indexOf('\n\n');
  const lines = bytes.toString('latin1', 0, blank < 0 ? bytes.length : blank).split('\n');
  const values = (name: string): string[] => lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const tree = values('tree')[0];
  const parents = values('parent');
  if (tree === undefined || ![tree, ...parents].every(isObjectId)) throw new Damage('it is not a valid commit');
  const seconds = /> (\d+) [+-]\d+$/.exec(values('committer')[0] ?? '')?.[1] ?? 0;
  return {
    tree: tree as TreeId,
    parents: parents as ObjectId[],
    time: new Date(Number(seconds) * 1000),
    message: blank < 0 ? Buffer.alloc(0) : bytes.subarray(blank + 2),
  };
};
