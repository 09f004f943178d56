import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Change, countsOf, diffLines } from '../../src/diff/text/index.ts';
import { match } from '../../src/diff/text/matching.ts';
import { PATIENCE } from '../../src/diff/text/myers.ts';
import type { ByteString } from '../../src/model/index.ts';
import fc from '../support/property.ts';

type Lines = readonly ByteString[];
type Pair = readonly [before: Lines, after: Lines];

const asLines = (texts: readonly (string | number)[]): Lines => texts.map((text) => `${text}\n` as ByteString);

/** Two texts with a common past: each line is in both, or only in one. */
const similar = (words: readonly string[], maxLength: number): fc.Arbitrary<Pair> =>
  fc
    .array(fc.tuple(fc.constantFrom('both', 'both', 'both', 'both', 'old', 'new'), fc.constantFrom(...words)), { maxLength })
    .map((lines) => [
      asLines(lines.filter(([side]) => side !== 'new').map(([, word]) => word)),
      asLines(lines.filter(([side]) => side !== 'old').map(([, word]) => word)),
    ]);

const LETTERS = [...'abcdefgh'];
const CODE = ['', '}', '  }', '{', 'if (x) {', '  return', '    call()', '\treturn', 'function f() {'];
const pair = fc.oneof(similar(LETTERS.slice(0, 2), 40), similar(LETTERS, 60), similar(CODE, 80));

const applied = (changes: readonly Change[], [before, after]: Pair): ByteString[] => {
  const result: ByteString[] = [];
  let at = 0;
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    result.push(...before.slice(at, oldStart));
    expect(newStart).toBe(result.length);
    result.push(...after.slice(newStart, newStart + newCount));
    at = oldStart + oldCount;
  }
  return [...result, ...before.slice(at)];
};

const expectValid = (changes: readonly Change[], texts: Pair): void => {
  expect(applied(changes, texts)).toEqual(texts[1]);
  let end = -1;
  for (const { oldStart, oldCount, newCount } of changes) {
    expect(oldCount + newCount).toBeGreaterThan(0);
    expect(oldStart).toBeGreaterThan(end);
    end = oldStart + oldCount;
  }
};

/** The same numbers each time, so that a figure in a failure can be looked at again. */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const shuffled = (count: number): Lines => {
  const next = numbersFrom(count);
  const numbers = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = next(at + 1);
    [numbers[at], numbers[other]] = [numbers[other] as number, numbers[at] as number];
  }
  return asLines(numbers);
};

const ordered = (count: number): Lines => asLines(Array.from({ length: count }, (_, at) => at));
const drawn = (count: number, from: number, seed: number): Lines => {
  const next = numbersFrom(seed);
  return asLines(Array.from({ length: count }, () => next(from)));
};

const HARD: Record<string, (count: number) => Pair> = {
  'nothing in common': (count) => [ordered(count), asLines(ordered(count).map((line) => `other ${line.trim()}`))],
  shuffled: (count) => [ordered(count), shuffled(count)],
  reversed: (count) => [ordered(count), ordered(count).toReversed()],
  'two lines at random': (count) => [drawn(count, 2, 1), drawn(count, 2, 2)],
  'thirty lines at random': (count) => [drawn(count, 30, 1), drawn(count, 30, 2)],
  'periods that drift': (count) => [
    asLines(ordered(count).map((_, at) => Number(at % 50 === 0))),
    asLines(ordered(count).map((_, at) => Number(at % 53 === 0))),
  ],
};

describe('diffLines', () => {
  test('[RST-1] changes applied to the one text give the other, with common lines between them', () => {
    fc.assert(
      fc.property(pair, (texts) => expectValid(diffLines(...texts), texts)),
      { numRuns: 2000 },
    );
  });

  test('the same text has no changes, an empty one is one change', () => {
    const lines = asLines(LETTERS);
    expect(diffLines(lines, lines)).toEqual([]);
    expect(diffLines([], lines)).toEqual([{ oldStart: 0, oldCount: 0, newStart: 0, newCount: 8 }]);
    expect(diffLines(lines, [])).toEqual([{ oldStart: 0, oldCount: 8, newStart: 0, newCount: 0 }]);
    expect(diffLines([], [])).toEqual([]);
  });

  test('a matching found without patience is valid too', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 4 }), ([before, after], rounds) => {
        const found = match(before, after, { rounds, steps: 0 });
        expect(found.new.length).toBe(found.old.length);
        for (let at = 0; at < found.old.length; at++) {
          const [old, present] = [found.old[at] as number, found.new[at] as number];
          expect(before[old]).toBe(after[present]);
          if (at > 0) expect(old > (found.old[at - 1] as number) && present > (found.new[at - 1] as number)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('cost', () => {
  test.each(Object.entries(HARD))('%s: beyond patience it grows with the lines, not with their square', (_, texts) => {
    const patience = { rounds: 16, steps: 0 };
    const cost = (count: number) => match(...texts(count), patience).steps;
    expect(cost(16_000)).toBeLessThanOrEqual(cost(4_000) * 4 * 1.3 + 1000);
    expect(cost(16_000)).toBeLessThanOrEqual(4 * patience.rounds * 2 * 16_000);
  });

  test.each(Object.entries(HARD))('%s: as configured it stays within its bound, and the diff valid', (_, texts) => {
    const count = 30_000;
    const [before, after] = texts(count);
    const { steps } = match(before, after);
    expect(steps).toBeLessThanOrEqual(PATIENCE.steps + 4 * PATIENCE.rounds * 2 * count);
    const changes = diffLines(before, after);
    // Joined, because comparing so many lines one by one is what would take time here.
    expect(applied(changes, [before, after]).join('') === after.join('')).toBe(true);
  });
});

describe('compared with git', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'retake-line-diff-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** `git diff --numstat` of many pairs at once, the pairs that git finds equal included. */
  const countsOfGit = (pairs: readonly Pair[]): { insertions: number; deletions: number }[] => {
    const root = mkdtempSync(join(directory, 'pairs-'));
    for (const side of [0, 1] as const) {
      mkdirSync(join(root, `${side}`));
      for (const [at, texts] of pairs.entries()) writeFileSync(join(root, `${side}`, `${at}`), texts[side].join(''));
    }
    const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-renames', '--numstat', '--minimal', '-z', '0', '1'], {
      cwd: root,
      env,
    });
    const counts = pairs.map(() => ({ insertions: 0, deletions: 0 }));
    for (const [, insertions, deletions, at] of stdout.toString().matchAll(/(\d+)\t(\d+)\t\0[^\0]*\0[^\0]*?(\d+)\0/g)) {
      counts[Number(at)] = { insertions: Number(insertions), deletions: Number(deletions) };
    }
    return counts;
  };

  const expectCompared = (one: fc.Arbitrary<Pair>, compare: (ours: number, gits: number) => void) =>
    fc.assert(
      fc.property(fc.array(one, { minLength: 150, maxLength: 150, size: 'max' }), (pairs) => {
        const gits = countsOfGit(pairs);
        expect(gits.some(({ insertions }) => insertions > 0)).toBe(true);
        for (const [at, texts] of pairs.entries()) {
          const ours = countsOf(diffLines(...texts));
          const git = gits[at] as typeof ours;
          expect(ours.insertions - ours.deletions).toBe(git.insertions - git.deletions);
          compare(ours.insertions, git.insertions);
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );

  test('[RST-1] +/- lines are never more than those of git diff --minimal', () => {
    const longer = fc.oneof(pair, similar([...LETTERS, ...CODE], 400));
    expectCompared(longer, (ours, gits) => expect(ours).toBeLessThanOrEqual(gits));
  });

  test('[RST-1] +/- lines equal those of git diff --minimal where no line repeats', () => {
    // Lines that repeat often are dropped by some versions of git before it looks for the minimum.
    const moved = fc.integer({ min: 0, max: 40 }).chain((count) => {
      const lines = asLines(Array.from({ length: count }, (_, at) => at));
      return fc.tuple(fc.subarray([...lines]), fc.oneof(fc.shuffledSubarray([...lines]), fc.subarray([...lines])));
    });
    expectCompared(moved, (ours, gits) => expect(ours).toBe(gits));
  });
});
