import type { ByteString, RelativePath } from '../model/index.ts';
import { join } from '../model/index.ts';
import { Disk } from './disk.ts';
import { PackedRecord } from './record.ts';
import { recordsIn } from './snapshot.ts';

/** What the threads of a scan have in common. */
export interface ScanShare {
  readonly root: ByteString;
  /** The saved snapshot. */
  readonly snapshot: SharedArrayBuffer;
  /** A byte for each directory, in the snapshot's order: 1 when nothing in it changed. */
  readonly verdicts: SharedArrayBuffer;
  /** Chunks taken, and chunks finished. */
  readonly counters: SharedArrayBuffer;
}

const CHUNK = 64;
const TAKEN = 0;
export const FINISHED = 1;

/** Takes chunks of directories until none is left; returns how many there are in all. */
export const compareChunks = ({ root, snapshot, verdicts, counters }: ScanShare): number => {
  const disk = new Disk(root);
  const records = [...recordsIn(Buffer.from(snapshot))];
  const verdict = new Uint8Array(verdicts);
  const counter = new Int32Array(counters);
  const chunks = Math.ceil(records.length / CHUNK);
  for (let chunk = Atomics.add(counter, TAKEN, 1); chunk < chunks; chunk = Atomics.add(counter, TAKEN, 1)) {
    for (let index = chunk * CHUNK; index < Math.min((chunk + 1) * CHUNK, records.length); index++) {
      const [directory, bytes] = records[index] as [RelativePath, Buffer];
      verdict[index] = isUnchanged(disk, directory, new PackedRecord(bytes)) ? 1 : 2;
    }
    Atomics.add(counter, FINISHED, 1);
    Atomics.notify(counter, FINISHED);
  }
  return chunks;
};

const isUnchanged = (disk: Disk, directory: RelativePath, record: PackedRecord): boolean => {
  const own = disk.lstat(directory);
  if (typeof own === 'string' || !disk.listingsTrusted || !record.sameListing(own)) return false;
  for (const at of record.offsets()) {
    const stat = disk.lstat(join(directory, record.name(at)));
    if (typeof stat === 'string') return false;
    if (record.isDirectory(at) ? stat.mode !== record.mode(at) : !record.matches(at, stat)) return false;
  }
  return true;
};
