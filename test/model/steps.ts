import fc from '../support/property.ts';
import type { Action } from './world.ts';

const DIRECTORIES = ['a', 'a/b', 'c', 'ign', 'a/ign'];
const NAMES = ['f', 'g.ign', '.env', 'new\nline', 'bad\xff\xfe', '-dash', '*', '.GIT', 'keep.ign'];
const POOL = [
  ...DIRECTORIES,
  ...['', ...DIRECTORIES].flatMap((directory) => NAMES.map((name) => (directory === '' ? name : `${directory}/${name}`))),
];
const RULES = ['*.ign\n', 'ign/\n', '*.ign\n!keep.ign\n', '/a/\n', '.env\n*.ign\n', '# nothing\n', 'f\n', '.gitignore\n*.ign\n'];

/** What is there when a history begins. */
export const BEGINNING: readonly Action[] = [
  ...DIRECTORIES.map((directory) => ({ do: 'mkdir' as const, path: directory })),
  ...['f', 'a/f', 'a/b/f', 'c/g.ign', 'ign/f', '.env'].map((file) => ({ do: 'write' as const, path: file, text: 'begin\n', mode: 0o644 })),
];

export type Step =
  | Action
  | { do: 'checkpoint' }
  | { do: 'rewind'; back: number; afterwards: readonly ('undo' | 'redo')[] }
  | { do: 'undo' }
  | { do: 'redo' };

const path = fc.constantFrom(...POOL);
const text = fc.constantFrom('', 'x', 'one\n', 'one\ntwo\n', 'y'.repeat(5000), '\0binary', 'same-size-1', 'same-size-2');
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o664, 0o444);
const edit: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), path, text, mode }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append' as const), path, text, mode }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('truncate' as const, 'delete' as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mkdir' as const), path: fc.constantFrom(...DIRECTORIES, 'f', 'a/f') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('chmod' as const), path, mode }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('link' as const), path, target: fc.constantFrom('f', '../c', '/etc', 'a', 'nowhere\xff') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('git-init' as const), path: fc.constantFrom('a', 'c', 'a/b', 'ign') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('track' as const), path }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ directory: fc.constantFrom('', 'a', 'a/b', 'c'), rules: fc.constantFrom(...RULES) })
      .map(({ directory, rules }) => ({
        do: 'write' as const,
        path: directory === '' ? '.gitignore' : `${directory}/.gitignore`,
        text: rules,
        mode: 0o644,
      })),
  },
);
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: edit },
  { weight: 3, arbitrary: fc.constant({ do: 'checkpoint' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rewind' as const),
      back: fc.nat({ max: 3 }),
      afterwards: fc.array(fc.constantFrom('undo' as const, 'redo' as const), { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'undo' as const }, { do: 'redo' as const }) },
);
