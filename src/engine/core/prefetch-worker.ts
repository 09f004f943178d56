import { lstatSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { type ByteString, toFs } from '../../model/index.ts';
import { UserIndex } from '../../usergit/index.ts';
import { FETCHED, type PrefetchShare, STAT_NUMBERS } from './prefetch.ts';

/** The second thread of a first checkpoint. */
const { repository, stats, states } = workerData as PrefetchShare;
const index = UserIndex.read(repository);
const values = new Float64Array(stats);
const state = new Uint8Array(states);

// The index may have been written anew since the walk read it: then its places mean other files.
if (index.size === state.length) {
  for (let place = index.size - 1; place >= 0 && Atomics.load(state, place) === 0; place--) {
    const stat = lstatSync(toFs(`${repository.top}/${index.pathAt(place)}` as ByteString), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    values.set([stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino, stat.mode, stat.nlink], place * STAT_NUMBERS);
    Atomics.store(state, place, FETCHED);
  }
}
