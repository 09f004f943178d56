import { expect, test } from 'vitest';
import { yieldEvery } from '../../src/engine/core/yield-every.ts';

/** Many more than there is time for in one turn. */
const PIECES = 10_000_000;

const workUntil = async (isEnough: () => boolean, breathe: () => Promise<void>): Promise<boolean> => {
  for (let piece = 0; piece < PIECES; piece++) {
    if (isEnough()) return true;
    await breathe();
  }
  return false;
};

test('[PRF-9] long work lets others have their turn', async () => {
  let isTheirs = false;
  setImmediate(() => {
    isTheirs = true;
  });
  expect(await workUntil(() => isTheirs, yieldEvery())).toBe(true);
});

test('[PRF-9] long work ends when nobody wants it any more', async () => {
  const gone = new AbortController();
  setImmediate(() => gone.abort());
  await expect(workUntil(() => false, yieldEvery(gone.signal))).rejects.toMatchObject({ code: 'interrupted' });
});
