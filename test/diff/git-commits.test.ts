import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refused } from '../api/asked.ts';
import { serve } from '../api/served.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, gitState, put, repositoryScene, type Scene } from '../support/scene.ts';

/** Two commits and a checkpoint of the second, with changes since; the user's git is set to run commands for differences. */
const twoCommits = () => {
  const at = repositoryScene();
  const { workspace, retake } = at;
  put(workspace, 'a.txt', 'one\ntwo\n');
  put(workspace, 'd/x.txt', 'x\n');
  commitAll(workspace, 'first');
  put(workspace, 'a.txt', 'ONE\ntwo\n');
  put(workspace, 'run.sh', '#!/bin/sh\n', 0o755);
  rmSync(join(workspace, 'd'), { recursive: true });
  commitAll(workspace, 'second\n\nMore of it.');
  retake.json(workspace, 'checkpoint', '--name', 'here');
  put(workspace, 'a.txt', 'ONE\ntwo\nthree\n');
  const ran = join(workspace, '.git/ran');
  gitIn(workspace, 'config', 'diff.external', `touch '${ran}'; true`);
  gitIn(workspace, 'config', 'diff.odd.textconv', `touch '${ran}'; cat`);
  put(workspace, '.git/info/attributes', '*.txt diff=odd\n');
  const id = (commit: string): string => gitIn(workspace, 'rev-parse', commit).trim();
  return { at, ran, first: id('HEAD~1'), second: id('HEAD') };
};

const changed = (files: readonly { status: string; path: string }[]): string[] => files.map(({ status, path }) => `${status} ${path}`);

const run = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, ...args);

test('[GIT-7] show tells of a commit by its hash what it changed, line by line, and runs no command of the user', () => {
  const { at, ran, first, second } = twoCommits();
  const before = gitState(join(at.workspace, '.git'));
  const shown = run(at, 'show', second.slice(0, 12), '--patch');
  expect(shown).toMatchObject({ commit: second, parents: [first], message: 'second\n\nMore of it.\n', onlyHeld: false, leftOut: [] });
  expect(changed(shown.files)).toEqual(['modified a.txt', 'deleted d/x.txt', 'added run.sh']);
  expect(shown.patch).toContain('-one\n+ONE\n');
  expect(shown.patch).toContain('new file mode 100755');
  expect(changed(run(at, 'show', first).files)).toEqual(['added a.txt', 'added d/x.txt']);
  const text = at.retake.run(at.workspace, 'show', second).stdout;
  expect(text).toContain('More of it.');
  expect(text).toMatch(/modified +\+1 -1 +a\.txt/);
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);
  expect(existsSync(ran)).toBe(false);
});

test('[GIT-7] diff compares commits with each other, with a checkpoint and with the present', () => {
  const { at, first, second } = twoCommits();
  expect(changed(run(at, 'diff', first, second).files)).toEqual(['modified a.txt', 'deleted d/x.txt', 'added run.sh']);
  expect(run(at, 'diff', second, 'here').files).toEqual([]);
  expect(changed(run(at, 'diff', 'here', first).files)).toEqual(['modified a.txt', 'added d/x.txt', 'deleted run.sh']);
  expect(run(at, 'diff', second).stats).toEqual({ files: 1, insertions: 1, deletions: 0 });
  expect(run(at, 'diff', first, second, '--path', 'a.txt', '--patch').patch).toContain('-one\n+ONE\n');
});

test('[GIT-7] a commit that only the store still holds is shown, and the repository stays without it', () => {
  const { at, second } = twoCommits();
  gitIn(at.workspace, 'checkout', '-q', '--', '.');
  gitIn(at.workspace, 'reset', '-q', '--hard', 'HEAD~1');
  gitIn(at.workspace, 'reflog', 'expire', '--expire=now', '--all');
  gitIn(at.workspace, 'gc', '-q', '--prune=now');
  const shown = run(at, 'show', second.slice(0, 10));
  expect([shown.onlyHeld, changed(shown.files)]).toEqual([true, ['modified a.txt', 'deleted d/x.txt', 'added run.sh']]);
  expect(run(at, 'diff', second, 'here').files).toEqual([]);
  expect(() => gitIn(at.workspace, 'cat-file', '-e', second)).toThrow();
});

test('[CKP-6] a name that may mean a checkpoint or a commit is refused with both meanings; what is neither is unknown', () => {
  const { at, second } = twoCommits();
  run(at, 'checkpoint', '--name', second.slice(0, 8));
  const { error } = at.retake.run(at.workspace, 'show', second.slice(0, 8), '--json').json;
  expect(error).toMatchObject({ code: 'ambiguous-id', message: expect.stringContaining('(commit: second)') });
  expect(error.message).toContain('manual');
  expect(run(at, 'show', second).commit).toBe(second);
  for (const unknown of ['deadbeefdead', 'HEAD', 'main'])
    expect(at.retake.run(at.workspace, 'show', unknown, '--json').json.error.code, unknown).toBe('unknown-id');
});

test('[API] the same over HTTP: a commit, what it changed, and two of them', async () => {
  const { at, first, second } = twoCommits();
  const served = serve(at);
  const before = gitState(join(at.workspace, '.git'));
  expect(await served.ask('getGitCommit', { params: { commit: second } })).toMatchObject({
    commit: second,
    message: 'second\n\nMore of it.\n',
  });
  const diff = await served.ask('diffStep', { params: { commit: second }, query: { hunks: true } });
  expect(changed(diff.files)).toEqual(['modified a.txt', 'deleted d/x.txt', 'added run.sh']);
  expect([diff.from, diff.to]).toMatchObject([
    { id: null, commit: first },
    { id: null, commit: second },
  ]);
  expect(diff.files[0]?.hunks?.[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['remove one', 'add ONE', 'context two']);
  const other = await served.ask('diffCommits', { params: { commit: second, other: 'here' } });
  expect([other.total, other.to.id]).toEqual([0, expect.any(String)]);
  expect((await served.ask('diffCommits', { params: { commit: second, other: '@' } })).stats.insertions).toBe(1);
  expect(await refused(served.signed('/api/git/commits/deadbeef'))).toBe('404 unknown-id');
  expect(await refused(served.signed('/api/git/commits/HEAD'))).toBe('400 bad-request');
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);
  expect(served.faults).toEqual([]);
});
