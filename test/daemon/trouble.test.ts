import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { noteTrouble, readTrouble } from '../../src/daemon/trouble.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** What another process sees that looked before the file was taken away. */
const seen = vi.hoisted(() => ({ stale: false }));

vi.mock('../../src/host/append.ts', async (original) => {
  const real = await original<typeof import('../../src/host/append.ts')>();
  const sizeOf = (path: string): number => {
    const isStale = seen.stale;
    seen.stale = false;
    return isStale ? 1_000_000 : real.sizeOf(path);
  };
  return { ...real, sizeOf };
});

let home = '';

beforeEach(() => {
  home = join(temporaryDirectory(), 'retake');
  mkdirSync(home, { recursive: true });
  vi.stubEnv('RETAKE_HOME', home);
  return () => vi.unstubAllEnvs();
});

const note = (problem: string): void => noteTrouble({ agent: 'agent', problem });

const told = (): string[] => readTrouble().map(({ problem }) => problem.slice(0, 10));

test('[AGT-1] of two that find the notes full at once, the later one loses neither what was told before nor what the other told', () => {
  writeFileSync(join(home, 'trouble.jsonl.earlier'), `${JSON.stringify({ at: '', agent: '', problem: 'before' })}\n`);
  note('the other');
  seen.stale = true;
  note('own');
  expect(told()).toEqual(['before', 'the other', 'own']);
  expect(readdirSync(home).sort()).toEqual(['trouble.jsonl', 'trouble.jsonl.earlier']);
});

test('[AGT-1] where the other has just taken the notes away, one is noted all the same', () => {
  seen.stale = true;
  note('own');
  expect(told()).toEqual(['own']);
});
