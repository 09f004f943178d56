import { describe, expect, test } from 'vitest';
import { countChanges, isBinary, isTerminated, quotePath, splitLines } from '../../src/diff/text/index.ts';
import type { ByteString } from '../../src/model/index.ts';
import fc from '../support/property.ts';

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
/** Mostly newlines and two letters, so that lines repeat and meet at every boundary. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 60 }).map((string) => Buffer.from(string));

describe('splitLines', () => {
  test('joined again, lines are the bytes they came from', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const lines = splitLines(content);
        expect(Buffer.from(lines.join(''), 'latin1').equals(content)).toBe(true);
        for (const line of lines) expect(line.slice(0, -1)).not.toContain('\n');
        for (const line of lines.slice(0, -1)) expect(isTerminated(line)).toBe(true);
      }),
    );
  });

  test('only a last line can lack its newline, and an empty file has no line', () => {
    expect(splitLines(Buffer.from(''))).toEqual([]);
    expect(splitLines(Buffer.from('a\r\n\nb'))).toEqual(['a\r\n', '\n', 'b']);
    expect(splitLines(Buffer.from('\n'))).toEqual(['\n']);
    expect(splitLines(Buffer.from('a\n')).map(isTerminated)).toEqual([true]);
    expect(splitLines(Buffer.from('a')).map(isTerminated)).toEqual([false]);
  });
});

describe('isBinary', () => {
  test('a NUL counts within the first 8000 bytes only, as in git', () => {
    const withNulAt = (at: number) => Buffer.from(`${'x'.repeat(at)}\0${'x'.repeat(100)}`);
    expect(isBinary(withNulAt(7999))).toBe(true);
    expect(isBinary(withNulAt(8000))).toBe(false);
    expect(isBinary(Buffer.from([0xff, 0xfe, 0x80]))).toBe(false);
    expect(isBinary(Buffer.alloc(0))).toBe(false);
  });
});

describe('countChanges', () => {
  const longestCommon = (a: readonly string[], b: readonly string[]): number => {
    let row = new Array<number>(b.length + 1).fill(0);
    for (const line of a) {
      const next = [0];
      for (const [at, other] of b.entries()) {
        next.push(line === other ? (row[at] as number) + 1 : Math.max(row[at + 1] as number, next[at] as number));
      }
      row = next;
    }
    return row.at(-1) as number;
  };

  test('[RST-1] +/- lines are the fewest possible', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [a, b] = [splitLines(before), splitLines(after)];
        const common = longestCommon(a, b);
        expect(countChanges(before, after)).toEqual({ insertions: b.length - common, deletions: a.length - common });
      }),
      { numRuns: 1000 },
    );
  });

  test('[RST-1] +/- lines of long common beginnings and ends', () => {
    const common = 'line\n'.repeat(5000);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const around = (middle: Buffer) => Buffer.from(`${common}<\n${middle.toString()}\n>\n${common}`);
        const within = (middle: Buffer) => Buffer.from(`<\n${middle.toString()}\n>\n`);
        expect(countChanges(around(before), around(after))).toEqual(countChanges(within(before), within(after)));
      }),
      { numRuns: 50 },
    );
  });

  test('[RST-1] a file that appears or goes counts all its lines, a binary one none', () => {
    expect(countChanges(null, Buffer.from('a\nb'))).toEqual({ insertions: 2, deletions: 0 });
    expect(countChanges(Buffer.from('a\nb\n'), null)).toEqual({ insertions: 0, deletions: 2 });
    expect(countChanges(null, Buffer.alloc(0))).toEqual({ insertions: 0, deletions: 0 });
    expect(countChanges(Buffer.from('a\n'), Buffer.from('a'))).toEqual({ insertions: 1, deletions: 1 });
    expect(countChanges(Buffer.from('a\0'), Buffer.from('a'))).toBeNull();
  });
});

describe('quotePath', () => {
  test('leaves plain names alone, spaces included, and escapes every special byte', () => {
    const quoted = (path: string) => quotePath(path as ByteString);
    expect(quoted('src/a b.ts')).toBe('src/a b.ts');
    expect(quoted('tab\there')).toBe('"tab\\there"');
    expect(quoted('say "hi"\\')).toBe('"say \\"hi\\"\\\\"');
    expect(quoted('\x01\x7f\xc3\xa9\n')).toBe('"\\001\\177\\303\\251\\n"');
  });
});
