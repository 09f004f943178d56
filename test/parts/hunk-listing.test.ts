import { expect, test } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, scene } from '../support/scene.ts';
import { content, lines, parted } from './parted.ts';

/** The lines of a hunk that are no context. */
const changed = (hunk: { lines: string[] }): string[] => hunk.lines.filter((line) => !line.startsWith(' '));

test('[RST-8] --patch shows people the plan with a number for each hunk, and what has no hunks without', () => {
  const at = parted(scene());
  const { stdout, stderr } = at.retake.run(at.workspace, 'rewind', at.id, '--dry-run', '--patch');
  const ofB = stdout.split(/^(?=diff --git)/m).find((part) => part.startsWith('diff --git a/b.txt')) ?? '';
  expect(ofB.split('\n').filter((line) => /^(b\.txt|@@|[-+][^-+])/.test(line))).toEqual(
    [
      ['b.txt  hunk 1', '@@ -1,6 +1,6 @@', '-changed 3', '+line 3'],
      ['b.txt  hunk 2', '@@ -17,7 +17,7 @@ line 16', '-changed 20', '+line 20'],
      ['b.txt  hunk 3', '@@ -35,6 +35,6 @@ line 34', '-changed 38', '+line 38'],
    ].flat(),
  );
  expect(stdout.match(/^\S+ {2}hunk \d+$/gm)).toEqual(['b.txt', 'src/a.ts'].flatMap((path) => [1, 2, 3].map((n) => `${path}  hunk ${n}`)));
  expect(stdout.indexOf('diff --git')).toBeGreaterThan(stdout.indexOf('restored'));
  expect(stdout).toContain('new file mode 100644');
  expect(stdout).toContain('old mode 100755\nnew mode 100644');
  const { expectedTree } = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run');
  expect(stderr).toContain(`--expect ${expectedTree}`);
});

test('[RST-8] without --patch a plan has no hunks', () => {
  const at = parted(scene());
  for (const operation of at.retake.json(at.workspace, 'rewind', at.id, '--dry-run').operations)
    expect(operation).not.toHaveProperty('hunks');
});

test('[RST-8] programs get hunks by their values, and none where a path is taken as a whole', () => {
  const at = parted(scene());
  const { operations } = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run', '--patch');
  const counts = operations.map(({ path, hunks }: { path: string; hunks: unknown[] }) => `${path} ${hunks.length}`);
  expect(counts).toEqual(['b.txt 3', 'binary 0', 'bits 0', 'gone 0', 'link 0', 'made 0', 'src/a.ts 3']);
  const [b, a] = [operations[0].hunks, operations[6].hunks];
  expect(b[1]).toEqual({
    number: 2,
    oldStart: 17,
    oldLines: 7,
    newStart: 17,
    newLines: 7,
    digest: expect.stringMatching(/^[0-9a-f]{16}$/),
    lines: [' line 17\n', ' line 18\n', ' line 19\n', '-changed 20\n', '+line 20\n', ' line 21\n', ' line 22\n', ' line 23\n'],
  });
  expect(new Set(b.map(({ digest }: { digest: string }) => digest)).size).toBe(3);
  // The same change of another file is told apart by its path alone.
  expect(a).toEqual(b);
});

test('[RST-8] what is shown under a number is what is taken, also in a plan that is limited already', () => {
  const at = parted(scene());
  const [whole] = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run', '--patch').operations;
  const before = observeWorkspace(at.workspace, { mtimes: true });
  const dry = at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:2-3', '--dry-run', '--patch').operations;
  expect(dry).toMatchObject([{ path: 'b.txt', insertions: 2, deletions: 2 }]);
  expect(dry[0].hunks).toEqual(whole.hunks.slice(1));
  const { stdout } = at.retake.run(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:2-3', '--dry-run', '--patch');
  expect(stdout.match(/^(.* hunk .*|[-+]\w.*)$/gm)).toEqual(
    ['b.txt  hunk 2', ...changed(whole.hunks[1]), 'b.txt  hunk 3', ...changed(whole.hunks[2])].map((line) => line.trimEnd()),
  );
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  const done = at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:2-3', '--patch', '--yes').operations;
  expect(done).toEqual(dry);
  expect(content(at, 'b.txt')).toBe(lines([3]));
});

test.each([
  ['b.txt', 'b.txt names no hunks'],
  ['b.txt:', 'names no hunks'],
  [':1', 'names no hunks'],
  ['b.txt:0', 'names no hunks'],
  ['b.txt:2-1', 'names no hunks'],
  ['b.txt:1,', 'names no hunks'],
  ['b.txt:one', 'names no hunks'],
  ['b.txt:-1', 'names no hunks'],
  ['b.txt:1.5', 'names no hunks'],
  ['b.txt:4', 'b.txt has no hunk 4; there are 3 hunks'],
  ['b.txt:1-9007199254740993', 'there are 3 hunks'],
  ['same:1', 'same has no hunks: it would not change'],
  ['src:1', 'src has no hunks: it is a folder'],
  ['binary:1', 'binary has no hunks: it is not text on both sides'],
  ['link:1', 'link has no hunks: it is not text on both sides'],
  ['bits:1', 'bits has no hunks: only its permissions would change'],
  ['gone:1', 'gone has no hunks: it would be created'],
  ['made:1', 'made has no hunks: it would be deleted'],
  ['../outside:1', 'outside the workspace'],
])('[RST-8] %s is refused as wrong usage, with what there is', (argument, message) => {
  const at = parted(scene());
  const before = observeWorkspace(at.workspace, { mtimes: true });
  // Beside one that is right, which must not be taken alone.
  const args = ['rewind', at.id, '--hunk', 'src/a.ts:1', '--hunk', argument, '--yes'];
  const refused = expectRefusal((...all) => at.retake.run(at.workspace, ...all), args, 'usage', 2);
  expect(refused.message).toContain(message);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
});

test('[RST-8] hunks of a file that neither state has are refused as the file is', () => {
  const at = parted(scene());
  const args = ['rewind', at.id, '--hunk', 'src/a.ts:1', '--hunk', 'nowhere:1', '--yes'];
  const refused = expectRefusal((...all) => at.retake.run(at.workspace, ...all), args, 'no-such-file');
  expect(refused.message).toContain('There is no file or directory nowhere');
});

test.each([
  ['the file itself', ['--path', 'src/a.ts']],
  ['a directory above it', ['--path', 'gone', 'src']],
  ['the conversation', ['--scope', 'both']],
  ['the git state', ['--git']],
])('[RST-8] hunks together with %s: wrong usage', (_, flags) => {
  const at = parted(scene());
  const before = observeWorkspace(at.workspace, { mtimes: true });
  expectRefusal(
    (...args) => at.retake.run(at.workspace, ...args),
    ['rewind', at.id, '--hunk', 'src/a.ts:1', ...flags, '--yes'],
    'usage',
    2,
  );
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
});

test('[RST-8] a file of a single hunk is told so', () => {
  const at = parted(scene());
  put(at.workspace, 'b.txt', lines([20]));
  const { message } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['rewind', at.id, '--hunk', 'b.txt:2'], 'usage', 2);
  expect(message).toBe('b.txt has no hunk 2; there is 1 hunk');
});
