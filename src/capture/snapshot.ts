import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Durability, replaceFile } from '../host/index.ts';
import { type ByteString, type Omission, type OperationId, type RelativePath, ROOT, type WorkspaceState } from '../model/index.ts';
import { PackedRecord } from './record.ts';
import { Records } from './records.ts';

/**
 * Everything known about the workspace since the last capture: one packed record per directory. It is a cache. Losing it
 * costs time; trusting a wrong one would cost data, so it carries a checksum and the operation that holds its objects.
 */
export class Snapshot {
  readonly records: Records;
  readonly header: SnapshotHeader;
  /** The saved file that the records are views of, for other threads to read. */
  readonly shared: SharedArrayBuffer | undefined;

  constructor(header: SnapshotHeader, records: Records, shared?: SharedArrayBuffer) {
    this.header = header;
    this.records = records;
    this.shared = shared;
  }

  record(directory: RelativePath): PackedRecord | undefined {
    const bytes = this.records.get(directory);
    return bytes && new PackedRecord(bytes);
  }

  /** Files and links, directories not counted. */
  countFiles(): number {
    let count = 0;
    for (const [, bytes] of this.records.entries()) count += new PackedRecord(bytes).countFiles();
    return count;
  }

  get state(): WorkspaceState | undefined {
    const root = this.record(ROOT);
    return root && { files: root.tree, meta: root.meta };
  }
}

export interface SnapshotHeader {
  /** One word for the rules from outside any repository, the patterns of the settings and the limits. */
  readonly settings: string;
  /** Paths captured although ignored because somebody named them. */
  readonly named: readonly RelativePath[];
  /** Those that the workspace lies in or holds, by where they begin. */
  readonly repositories: readonly (readonly [RelativePath, RepositoryMark])[];
  /** What could not be captured, by the directory that lists it. */
  readonly omissions: readonly (readonly [RelativePath, readonly Omission[]])[];
  /** `.gitignore` files that are ignored themselves, by directory. */
  readonly hiddenRules: readonly (readonly [RelativePath, ByteString])[];
  /** Directories with files that have other names too. */
  readonly linked: readonly RelativePath[];
}

/** Words that change when what a repository tracks, or the rules it adds, may have changed. */
export interface RepositoryMark {
  readonly tracked: string;
  readonly rules: string;
}

const MAGIC = 'retake-snapshot-2';

interface SavedHeader extends SnapshotHeader {
  readonly magic: string;
  readonly recordedBy: OperationId;
}

/** `recordedBy` keeps alive every object that the snapshot names. */
export const saveSnapshot = (path: string, snapshot: Snapshot, recordedBy: OperationId, durability: Durability): void => {
  const header = Buffer.from(JSON.stringify({ magic: MAGIC, recordedBy, ...snapshot.header } satisfies SavedHeader));
  const bytes = encodeSnapshot(snapshot, header, Buffer.allocUnsafe);
  const end = bytes.length - 4;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  replaceFile(path, bytes, { durability });
};

/** The records in memory that other threads can read. */
export const shareRecords = (snapshot: Snapshot): SharedArrayBuffer => {
  if (snapshot.shared !== undefined) return snapshot.shared;
  const bytes = encodeSnapshot(snapshot, Buffer.alloc(0), (size) => Buffer.from(new SharedArrayBuffer(size)));
  return bytes.buffer as unknown as SharedArrayBuffer;
};

/** All but the checksum at the end. */
const encodeSnapshot = ({ records }: Snapshot, header: Buffer, allocate: (size: number) => Buffer): Buffer => {
  let length = 4 + header.length + 4;
  for (const [directory, record] of records.entries()) length += 8 + directory.length + record.length;
  const bytes = allocate(length);
  let at = bytes.writeUInt32LE(header.length, 0);
  at += header.copy(bytes, at);
  for (const [directory, record] of records.entries()) {
    at = bytes.writeUInt32LE(directory.length, at);
    at += bytes.write(directory, at, 'latin1');
    at = bytes.writeUInt32LE(record.length, at);
    at += record.copy(bytes, at);
  }
  return bytes;
};

export interface LoadedSnapshot {
  readonly snapshot: Snapshot;
  readonly recordedBy: OperationId;
}

/** The saved snapshot, or undefined when there is none that can be trusted. */
export const loadSnapshot = (path: string, isAlive: (operation: OperationId) => boolean): LoadedSnapshot | undefined => {
  const shared = readShared(path);
  if (shared === undefined || shared.byteLength < 8) return undefined;
  const bytes = Buffer.from(shared);
  const end = bytes.length - 4;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return undefined;
  const at = 4 + bytes.readUInt32LE(0);
  const { magic, recordedBy, ...header } = JSON.parse(bytes.toString('utf8', 4, at)) as SavedHeader;
  if (magic !== MAGIC || !isAlive(recordedBy)) return undefined;
  return { snapshot: new Snapshot(header, new Records(new Map(recordsIn(bytes))), shared), recordedBy };
};

/** The records of a saved snapshot, in its order. */
export function* recordsIn(bytes: Buffer): Generator<[RelativePath, Buffer]> {
  const end = bytes.length - 4;
  for (let at = 4 + bytes.readUInt32LE(0); at < end; ) {
    const nameEnd = at + 4 + bytes.readUInt32LE(at);
    const directory = bytes.toString('latin1', at + 4, nameEnd) as RelativePath;
    at = nameEnd + 4 + bytes.readUInt32LE(nameEnd);
    yield [directory, bytes.subarray(nameEnd + 4, at)];
  }
}

const readShared = (path: string): SharedArrayBuffer | undefined => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const fd = openSync(path, 'r');
  try {
    const shared = new SharedArrayBuffer(fstatSync(fd).size);
    const bytes = Buffer.from(shared);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(fd, bytes, done, bytes.length - done, null);
      if (read === 0) return undefined;
      done += read;
    }
    return shared;
  } finally {
    closeSync(fd);
  }
};
