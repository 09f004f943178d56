import { Worker } from 'node:worker_threads';
import type { FileStat, Prefetch } from '../../capture/index.ts';
import type { RelativePath } from '../../model/index.ts';
import type { UserIndex, UserRepository } from '../../usergit/index.ts';

/** Below this many tracked files, starting a thread costs more than it saves. */
const WORTH_A_THREAD = 20_000;

/** What the threads have in common: stat data of tracked files by their place in the index, and who has got to which. */
export interface PrefetchShare {
  readonly repository: UserRepository;
  /** `STAT_NUMBERS` for each file. */
  readonly stats: SharedArrayBuffer;
  /** A byte a file: 0 nobody, 1 fetched by the helper, 2 reached by the walk. */
  readonly states: SharedArrayBuffer;
}

export const STAT_NUMBERS = 6;
export const FETCHED = 1;
const REACHED = 2;

/**
 * A first checkpoint asks the system about every tracked file. A second thread does so from the end of the index while the
 * walk comes from its beginning; where they meet, it stops. Nobody ever waits for the other.
 */
export const startPrefetch = (repository: UserRepository, index: UserIndex, worthAThread = WORTH_A_THREAD): Prefetch | undefined => {
  if (index.size < worthAThread) return undefined;
  const share: PrefetchShare = {
    repository,
    stats: new SharedArrayBuffer(index.size * STAT_NUMBERS * Float64Array.BYTES_PER_ELEMENT),
    states: new SharedArrayBuffer(index.size),
  };
  const worker = new Worker(WORKER, { workerData: share });
  worker.unref();
  // Without it the walk asks for itself.
  worker.on('error', () => {});
  const stats = new Float64Array(share.stats);
  const states = new Uint8Array(share.states);
  return {
    stat(path: RelativePath): FileStat | undefined {
      const place = index.placeOf(path);
      if (place < 0) return undefined;
      if (Atomics.load(states, place) !== FETCHED) {
        Atomics.store(states, place, REACHED);
        return undefined;
      }
      const at = place * STAT_NUMBERS;
      const [size = 0, mtimeMs = 0, ctimeMs = 0, ino = 0, mode = 0, nlink = 0] = stats.subarray(at, at + STAT_NUMBERS);
      return { size, mtimeMs, ctimeMs, ino, mode, nlink };
    },
  };
};

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './prefetch-worker.ts' : './prefetch-worker.js', import.meta.url);
