import { expect, test } from 'vitest';
import { withRules } from '../../bench/report.ts';

const HEAD = ['| measure | size | Retake | peer | ratio | bar | holds |', '|---|---|---|---|---|---|---|'];

const result = (...lines: string[]): string => `${['2 cores, load 0.9 → 8.1', '', ...HEAD, ...lines].join('\n')}\n`;

test('[PRF] rows of rules that were measured in a run of their own take the place of the old ones, and how is told under the facts', () => {
  const before = result('| PRF-1 a | 1 |', '| PRF-1 b | 1 |', '| PRF-10 c | 1 |', '| STO-3 d | 1 |');
  const once = withRules(before, ['| PRF-1 new | 2 |'], ['PRF-1'], '0.1 → 0.2');
  expect(once.split('\n')).toEqual([
    '2 cores, load 0.9 → 8.1',
    '',
    'Measured in runs of their own: PRF-1 (load 0.1 → 0.2)',
    '',
    ...HEAD,
    '| PRF-1 new | 2 |',
    '| PRF-10 c | 1 |',
    '| STO-3 d | 1 |',
    '',
  ]);
  // One that is new goes to the end; another run of the same rules tells the newest alone.
  const twice = withRules(once, ['| UI-4 e | 3 |', '| UI-4 f | 3 |', '| PRF-1 newer | 3 |'], ['UI-4', 'PRF-1'], '0.3 → 0.4');
  expect(twice.split('\n').slice(2)).toEqual([
    'Measured in runs of their own: PRF-1 (load 0.3 → 0.4), UI-4 (load 0.3 → 0.4)',
    '',
    ...HEAD,
    '| PRF-1 newer | 3 |',
    '| PRF-10 c | 1 |',
    '| STO-3 d | 1 |',
    '| UI-4 e | 3 |',
    '| UI-4 f | 3 |',
    '',
  ]);
});

test('[PRF] a rule that could not be measured stays as it is', () => {
  const before = result('| PRF-1 a | 1 |', '| UI-4 b | 1 |');
  expect(withRules(before, [], ['UI-4'], '0.1 → 0.2')).toBe(before);
  const with4 = withRules(before, ['| UI-4 new | 2 |'], ['UI-4'], '0.1 → 0.2');
  expect(withRules(with4, ['| PRF-1 new | 2 |'], ['PRF-1', 'UI-4'], '5.0 → 6.0')).toContain(
    'Measured in runs of their own: UI-4 (load 0.1 → 0.2), PRF-1 (load 5.0 → 6.0)\n',
  );
});
