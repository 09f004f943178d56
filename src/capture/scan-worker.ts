import { workerData } from 'node:worker_threads';
import { compareChunks } from './scan-share.ts';

/** The second thread of a scan. */
compareChunks(workerData);
