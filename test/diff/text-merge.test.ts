import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Change, mergeText, type Sides, splitLines } from '../../src/diff/text/index.ts';
import { mergeLines } from '../../src/diff/text/merge.ts';
import { hermeticEnvironment } from '../support/git.ts';
import fc from '../support/property.ts';

const LABELS = { ours: 'mine', base: 'before', theirs: 'yours' };

const merge = (base: string, ours: string, theirs: string) => {
  const merged = mergeText(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs), LABELS);
  return merged && { text: merged.bytes.toString(), conflicts: merged.conflicts };
};

/** What one side does at a line of the base. */
const edit = fc.oneof(
  { weight: 6, arbitrary: fc.constant('keep') },
  { weight: 1, arbitrary: fc.constantFrom('delete', 'change', 'insert', 'same change', 'same insert') },
);

type Texts = Sides<string>;

/** Two sides made from one base by small edits, some of them alike; `line` tells what a line says. */
const edited = (line: fc.Arbitrary<(at: number, made: string) => string>): fc.Arbitrary<Texts> =>
  fc
    .record({
      line,
      edits: fc.array(fc.tuple(edit, edit), { maxLength: 24, size: 'max' }),
      end: fc.constantFrom('\n', '\n', '\r\n'),
      terminated: fc.record({ base: fc.boolean(), ours: fc.boolean(), theirs: fc.boolean() }),
    })
    .map(({ line: say, edits, end, terminated }) => {
      const side = (which: 0 | 1, name: string): string[] =>
        edits.flatMap((both, at) => {
          const made = both[which].startsWith('same') ? 'both' : name;
          if (both[which] === 'keep') return [say(at, '')];
          if (both[which] === 'delete') return [];
          return both[which].endsWith('insert') ? [say(at, `${made} new`), say(at, '')] : [say(at, made)];
        });
      const whole = (lines: string[], ended: boolean): string => lines.join(end) + (ended && lines.length > 0 ? end : '');
      return {
        base: whole(
          edits.map((_, at) => say(at, '')),
          terminated.base,
        ),
        ours: whole(side(0, 'ours'), terminated.ours),
        theirs: whole(side(1, 'theirs'), terminated.theirs),
      };
    });

const distinct = edited(fc.constant((at, made) => `${at} ${made}`));
const WORDS = ['', '}', '  }', '  call()'];
/** Drawn by chance, but the same each time it is asked for. */
const repetitive = edited(
  fc.integer().map((seed) => (at, made) => {
    const digest = createHash('sha1').update(`${seed} ${at} ${made}`).digest();
    return WORDS[digest.readUInt32LE() % WORDS.length] as string;
  }),
);

const texts = fc.oneof(distinct, repetitive);

describe('mergeText', () => {
  test('[RST-9] changes of both sides that do not touch are both taken, equal ones once', () => {
    expect(merge('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', 'a\nb\nC\nd\nE\n')).toEqual({ text: 'A\nb\nC\nd\nE\n', conflicts: 0 });
  });

  test('[RST-9] a conflict shows both sides and the base, without the lines that both sides agree on', () => {
    expect(merge('a\nb\nc\n', 'a\nX\nours\nY\nc\n', 'a\nX\ntheirs\nY\nc\n')).toEqual({
      text: 'a\nX\n<<<<<<< mine\nours\n||||||| before\nb\n=======\ntheirs\n>>>>>>> yours\nY\nc\n',
      conflicts: 1,
    });
  });

  test('changes of neighbouring lines are a conflict, with a line between them not', () => {
    expect(merge('a\nb\n', 'A\nb\n', 'a\nB\n')?.conflicts).toBe(1);
    expect(merge('a\n-\nb\n', 'A\n-\nb\n', 'a\n-\nB\n')).toEqual({ text: 'A\n-\nB\n', conflicts: 0 });
  });

  test('markers end as the lines of the file do, also where both sides added it', () => {
    const marked = '<<<<<<< mine\r\no\r\n||||||| before\r\n=======\r\nt\r\n>>>>>>> yours\r\n';
    expect(merge('', 'x\r\no\r\n', 'x\r\nt\r\n')?.text).toBe(`x\r\n${marked}`);
    expect(merge('b\n', 'o\r\n', 't\r\n')?.text).toContain('<<<<<<< mine\n');
  });

  test('a file without a newline at its end stays so', () => {
    expect(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nc\nd')).toEqual({ text: 'A\nb\nc\nd', conflicts: 0 });
  });

  test('a label can not break out of its line', () => {
    const { bytes } = mergeText(Buffer.from('b'), Buffer.from('o'), Buffer.from('t'), { ...LABELS, ours: 'one\ntwo é' }) ?? expect.fail();
    expect(bytes.toString()).toBe('<<<<<<< one two é\no\n||||||| before\nb\n=======\nt\n>>>>>>> yours\n');
  });

  test('binary content that both sides changed is not merged', () => {
    expect(merge('a\0\nb\nc\n', 'A\0\nb\nc\n', 'a\0\nb\nC\n')).toBeNull();
    expect(merge('a\0', 'b\0', 'a\0')).toEqual({ text: 'b\0', conflicts: 0 });
  });

  test('[RST-9] what only one side changed, and what both changed alike, is as it was made', () => {
    fc.assert(
      fc.property(texts, ({ base, ours }) => {
        expect(merge(base, ours, base)).toEqual({ text: ours, conflicts: 0 });
        expect(merge(base, base, ours)).toEqual({ text: ours, conflicts: 0 });
        expect(merge(base, ours, ours)).toEqual({ text: ours, conflicts: 0 });
      }),
      { numRuns: 500 },
    );
  });

  test('[RST-9] the sides may be exchanged', () => {
    fc.assert(
      fc.property(texts, ({ base, ours, theirs }) => {
        const there = mergeText(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs), LABELS);
        const back = mergeText(Buffer.from(base), Buffer.from(theirs), Buffer.from(ours), LABELS);
        expect(back?.conflicts).toBe(there?.conflicts);
        if (there?.conflicts === 0) expect(back).toEqual(there);
      }),
      { numRuns: 500 },
    );
  });
});

describe('compared with git merge-file --zdiff3', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'retake-merge-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: directory, env: hermeticEnvironment('/nonexistent'), stdio: ['ignore', 'pipe', 'pipe'] });

  const put = (sides: Texts): void => {
    for (const [name, text] of Object.entries(sides)) writeFileSync(join(directory, name), text);
  };

  const byGit = (sides: Texts): { text: string; conflicts: number } => {
    put(sides);
    const labels = [LABELS.ours, LABELS.base, LABELS.theirs].flatMap((label) => ['-L', label]);
    const { status, stdout } = git('merge-file', '-p', '--zdiff3', ...labels, 'ours', 'base', 'theirs');
    // What both sides arrived at in different ways git shows as a conflict without lines on either side; here it is none.
    const empty = /^<{7} mine\r?\n\|{7} before\r?\n(?:(?![<|=>]{7}).*\n)*={7}\r?\n>{7} yours\r?\n/gm;
    const text = stdout.toString();
    return { text: text.replace(empty, ''), conflicts: (status ?? 0) - (text.match(empty)?.length ?? 0) };
  };

  /** From a base without a line end git can not tell how lines end there, and takes `\n` whatever the sides say. */
  const comparable = (sides: Texts): boolean => sides.base.includes('\n');

  test('[RST-9] the same bytes where lines do not repeat', () => {
    let conflicts = 0;
    fc.assert(
      fc.property(distinct.filter(comparable), (sides) => {
        const ours = merge(sides.base, sides.ours, sides.theirs);
        expect(ours).toEqual(byGit(sides));
        if (ours?.conflicts !== 0) conflicts++;
      }),
      { numRuns: 250 },
    );
    expect(conflicts).toBeGreaterThan(20);
  });

  test.each(['ours', 'theirs'] as const)('[RST-9] the same bytes with what is in conflict as in %s', (favour) => {
    let conflicts = 0;
    fc.assert(
      fc.property(distinct.filter(comparable), (sides) => {
        put(sides);
        const [base, ours, theirs] = [Buffer.from(sides.base), Buffer.from(sides.ours), Buffer.from(sides.theirs)];
        const merged = mergeText(base, ours, theirs, LABELS, favour);
        if (merged?.conflicts !== 0) conflicts++;
        expect(merged?.bytes.toString()).toBe(git('merge-file', '-p', `--${favour}`, 'ours', 'base', 'theirs').stdout.toString());
      }),
      { numRuns: 150 },
    );
    expect(conflicts).toBeGreaterThan(10);
  });

  /** Which lines git finds changed, as it does when merging: without looking at indentation. */
  const changesByGit = (from: string, to: string): Change[] => {
    const { stdout } = git('diff', '--no-index', '--no-indent-heuristic', '--diff-algorithm=myers', '-U1000', from, to);
    const changes: Change[] = [];
    let [old, now] = [0, 0];
    let open: { oldStart: number; oldCount: number; newStart: number; newCount: number } | undefined;
    for (const line of stdout.toString().split('\n').slice(5)) {
      if (line.startsWith(' ')) [old, now, open] = [old + 1, now + 1, undefined];
      if (!/^[+-]/.test(line)) continue;
      if (open === undefined) {
        open = { oldStart: old, oldCount: 0, newStart: now, newCount: 0 };
        changes.push(open);
      }
      if (line.startsWith('-')) [old, open.oldCount] = [old + 1, open.oldCount + 1];
      else [now, open.newCount] = [now + 1, open.newCount + 1];
    }
    return changes;
  };

  test('[RST-9] where lines repeat, another result comes from another choice of changed lines alone', () => {
    let [all, same] = [0, 0];
    fc.assert(
      fc.property(repetitive.filter(comparable), (sides) => {
        const gits = byGit(sides);
        const ours = merge(sides.base, sides.ours, sides.theirs);
        all++;
        if (ours?.text === gits.text && ours.conflicts === gits.conflicts) same++;
        else {
          const lines = {
            base: splitLines(Buffer.from(sides.base)),
            ours: splitLines(Buffer.from(sides.ours)),
            theirs: splitLines(Buffer.from(sides.theirs)),
          };
          const changes = { ours: changesByGit('base', 'ours'), theirs: changesByGit('base', 'theirs') };
          const { bytes, conflicts } = mergeLines(lines, changes, LABELS);
          expect({ text: bytes.toString(), conflicts }).toEqual(gits);
        }
      }),
      { numRuns: 300 },
    );
    expect(same / all).toBeGreaterThan(0.95);
  });
});
