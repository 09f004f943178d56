import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EntryReader } from '../../src/capture/entry-reader.ts';
import type { ObjectBatch } from '../../src/store/index.ts';

const STARTED = 1_700_000_000_500;

beforeEach(() => void vi.useFakeTimers({ now: STARTED }));
afterEach(() => void vi.useRealTimers());

/** Whether times of so many milliseconds before the start are trusted. */
const isTrusted = (age: { mtime: number; ctime: number }, size = 4): boolean => {
  // It fingerprints only: nothing is read, and nothing stored.
  const reader = new EntryReader(undefined as unknown as ObjectBatch, 1, undefined);
  const print = reader.fingerprint({ size, mtimeMs: STARTED - age.mtime, ctimeMs: STARTED - age.ctime, ino: 1, mode: 0o100644 });
  expect(Number.isNaN(print.mtimeMs)).toBe(Number.isNaN(print.ctimeMs));
  return !Number.isNaN(print.ctimeMs);
};

test('[CAP-6] what changed within a tick of the clock before we looked is not known by its times', () => {
  expect(isTrusted({ mtime: 10, ctime: 10 })).toBe(false);
  expect(isTrusted({ mtime: 120, ctime: 120 })).toBe(true);
  expect(isTrusted({ mtime: -10, ctime: -10 }), 'later than we began').toBe(false);
});

test('[CAP-6] times that were put back do not make it old', () => {
  expect(isTrusted({ mtime: 1e9, ctime: 10 })).toBe(false);
});

test('[CAP-6] where the clock counts whole seconds, two of them have to pass', () => {
  expect(isTrusted({ mtime: 1500, ctime: 1500 })).toBe(false);
  expect(isTrusted({ mtime: 2500, ctime: 2500 })).toBe(true);
});

test('[CAP-6] a write of more than a page may go on after the times it set', () => {
  expect(isTrusted({ mtime: 600, ctime: 600 }, 4097)).toBe(false);
  expect(isTrusted({ mtime: 600, ctime: 600 }, 4096)).toBe(true);
});
