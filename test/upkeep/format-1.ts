import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FIXTURE = join(import.meta.dirname, '../fixtures/store-format-1');

/** What `log --json` said of the store when it was written. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const LOG_OF_FORMAT_1: any[] = JSON.parse(readFileSync(join(FIXTURE, 'log.json'), 'utf8')).operations;

/** Puts a store that a version of format 1 wrote in the place of another one. */
export const placeFormat1 = (store: string): void => {
  rmSync(dirname(store), { recursive: true });
  cpSync(join(FIXTURE, 'store.git'), store, { recursive: true });
};
