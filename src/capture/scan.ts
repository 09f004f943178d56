import { Worker } from 'node:worker_threads';
import type { ByteString, RelativePath } from '../model/index.ts';
import { ancestors, type Dirty, EVERYTHING } from './dirty.ts';
import { compareChunks, FINISHED, type ScanShare } from './scan-share.ts';
import type { Snapshot } from './snapshot.ts';

/** Below this many directories, starting a thread costs more than it saves. */
const WORTH_A_THREAD = 1500;

/** How long the other thread may take for the chunk it is at, before everything is looked at by the walk itself. */
const PATIENCE = 30_000;

/**
 * Finds out which directories differ from the snapshot, on two threads where there are many: asking the system about each
 * file is nearly all the time that an unchanged workspace costs, and it can be done in any order.
 */
export const scan = (root: ByteString, snapshot: Snapshot, worthAThread = WORTH_A_THREAD): Dirty => {
  const { shared, records } = snapshot;
  if (shared === undefined) return EVERYTHING;
  const share: ScanShare = {
    root,
    snapshot: shared,
    verdicts: new SharedArrayBuffer(records.size),
    counters: new SharedArrayBuffer(8),
  };
  if (records.size >= worthAThread) startHelper(share);
  const chunks = compareChunks(share);
  const counters = new Int32Array(share.counters);
  const deadline = performance.now() + PATIENCE;
  for (let finished = Atomics.load(counters, FINISHED); finished < chunks; finished = Atomics.load(counters, FINISHED)) {
    if (performance.now() > deadline) return EVERYTHING;
    Atomics.wait(counters, FINISHED, finished, 1000);
  }
  return dirtyByVerdict([...records.keys()], new Uint8Array(share.verdicts));
};

const startHelper = (share: ScanShare): void => {
  const worker = new Worker(WORKER, { workerData: share });
  worker.unref();
  // It has nothing to say that the counters do not tell; without it, this thread does all of the work.
  worker.on('error', () => {});
};

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.js', import.meta.url);

const dirtyByVerdict = (directories: readonly RelativePath[], verdicts: Uint8Array): Dirty => {
  const selves = new Set(directories.filter((_, index) => verdicts[index] !== 1));
  const above = ancestors(selves);
  return { at: (directory) => (selves.has(directory) ? 'self' : above.has(directory) ? 'below' : 'no') };
};
