import { describe, expect, test } from 'vitest';
import type { ByteString } from '../../src/model/index.ts';
import { isTrue, parseConfig } from '../../src/usergit/settings/config-file.ts';
import fc from '../support/property.ts';
import { git, newDirectory, write } from './support.ts';

/** What git itself reads from the same file, or undefined where it refuses. */
const theirs = (directory: string): Map<string, string | null> | undefined => {
  try {
    const items = git(directory, ['config', '--file', 'config', '--null', '--list']).toString('latin1').split('\0').slice(0, -1);
    return new Map(
      items.map((item) => (item.includes('\n') ? [item.slice(0, item.indexOf('\n')), item.slice(item.indexOf('\n') + 1)] : [item, null])),
    );
  } catch {
    return undefined;
  }
};

/** No tabs: inside of values, gits before 2.45 turn them into spaces. */
const PIECES = [
  '[core]',
  '[extensions] ',
  '[remote "a \\"b"]',
  'bare',
  'worktreeConfig',
  ' = ',
  '=',
  'true',
  '..',
  ' ',
  '"',
  '\\"',
  '\\\\',
  '\\\n',
  '#',
  ';',
  'x y',
  '\n',
  '\n',
  '\r\n',
];

describe('parseConfig', () => {
  test('[CAP-7] reads what git reads', () => {
    const directory = newDirectory();
    let compared = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
        const text = `[core]\n${pieces.join('')}\n` as ByteString;
        write(directory, { config: text });
        const expected = theirs(directory);
        if (expected === undefined) return;
        compared++;
        expect(parseConfig(text)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(10);
  });

  test('[CAP-7] damage costs the damaged lines, and no time', () => {
    expect(parseConfig('[core\nbare = true\n[core]\n= x\nworktree = a\n' as ByteString).get('core.worktree')).toBe('a');
    expect(parseConfig(`[core]${'\n'.repeat(1_000_000)}!` as ByteString).size).toBe(0);
    expect(parseConfig(`${'['.repeat(1_000_000)}` as ByteString).size).toBe(0);
  });

  test('booleans are git’s', () => {
    for (const value of [null, 'true', 'Yes', 'on', '1', '-3', '10k']) expect(isTrue(value as ByteString | null)).toBe(true);
    for (const value of [undefined, '', 'false', 'no', 'off', '0', 'maybe']) expect(isTrue(value as ByteString | undefined)).toBe(false);
  });
});
