import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ByteString, RelativePath } from '../model/index.ts';
import { type Dirty, DirtyDirectories, EVERYTHING } from './dirty.ts';
import { compareChunks, FINISHED, type ScanShare } from './scan-share.ts';
import { type Snapshot, shareRecords } from './snapshot.ts';

/** Below this many directories, starting a thread costs more than it saves. */
const WORTH_A_THREAD = 1500;

/** How long the other thread may take for the chunk it is at, before everything is looked at by the walk itself. */
const PATIENCE = 30_000;

/**
 * Finds out which directories differ from the snapshot, on two threads where there are many: asking the system about each
 * file is nearly all the time that an unchanged workspace costs, and it can be done in any order.
 */
export const scan = (root: ByteString, snapshot: Snapshot, worthAThread = WORTH_A_THREAD): Dirty => {
  const share = shareOf(root, snapshot);
  if (snapshot.records.size >= worthAThread) startHelper(share).unref();
  const chunks = compareChunks(share);
  const counters = new Int32Array(share.counters);
  const deadline = performance.now() + PATIENCE;
  for (let finished = Atomics.load(counters, FINISHED); finished < chunks; finished = Atomics.load(counters, FINISHED)) {
    if (performance.now() > deadline) return EVERYTHING;
    Atomics.wait(counters, FINISHED, finished, 1000);
  }
  return new DirtyDirectories(differing(snapshot, share));
};

/** The directories that differ, found out while this thread goes on with other work. */
export const scanAside = async (root: ByteString, snapshot: Snapshot): Promise<Set<RelativePath>> => {
  const share = shareOf(root, snapshot);
  await once(startHelper(share), 'exit');
  // One that failed has not said of every directory that it is the same.
  return differing(snapshot, share);
};

const shareOf = (root: ByteString, snapshot: Snapshot): ScanShare => ({
  root,
  snapshot: shareRecords(snapshot),
  verdicts: new SharedArrayBuffer(snapshot.records.size),
  counters: new SharedArrayBuffer(8),
});

const startHelper = (share: ScanShare): Worker => {
  const worker = new Worker(WORKER, { workerData: share });
  // It has nothing to say that the counters do not tell; without it, this thread does all of the work.
  worker.on('error', () => {});
  return worker;
};

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.js', import.meta.url);

const differing = ({ records }: Snapshot, { verdicts }: ScanShare): Set<RelativePath> => {
  const verdict = new Uint8Array(verdicts);
  return new Set([...records.keys()].filter((_, index) => verdict[index] !== 1));
};
