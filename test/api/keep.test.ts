import { describe, expect, test } from 'vitest';
import { committed, edit, git, gitState, headlines, hook, keepScene, status, write } from '../keep/kept.ts';
import { played, write as writeStep } from '../recover/played.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { post, refused } from './asked.ts';
import { serve } from './served.ts';

/** Two turns of work in a repository with one commit. */
const worked = async () => {
  const { at, session } = await keepScene({ 'a.txt': 'one\n' });
  for (const [prompt, path] of [
    ['Add b', 'b.txt'],
    ['Add c', 'c.txt'],
  ] as const) {
    await session.prompt(prompt);
    await edit(at, session, path, `${path}\n`);
    await session.answer('done');
  }
  return { at, session };
};

describe('keep', () => {
  test('[GIT-3] the commits are told, then made as they were shown, and no file changes', async () => {
    const { at, session } = await worked();
    const served = serve(at);
    const { ask } = served;
    const path = `/api/sessions/${session.id}/keep`;
    const [files, state] = [observeWorkspace(at.workspace), gitState(at)];
    const one = await ask('keepSession', { params: { session: session.id }, body: { dryRun: true } });
    expect(one).toMatchObject({ branch: 'main', head: git(at, 'rev-parse', 'HEAD').trim(), pushTo: null, commits: [{ turns: [1, 2] }] });
    const each = await ask('keepSession', { params: { session: session.id }, body: { dryRun: true, each: true } });
    expect(each.commits.map(({ headline, turns }) => [headline, turns])).toEqual([
      ['Add b', [1]],
      ['Add c', [2]],
    ]);
    expect([observeWorkspace(at.workspace), gitState(at)]).toEqual([files, state]);
    expect(await refused(post(served, path, { each: true, expected: one.expected }))).toBe('409 workspace-moved');
    expect(gitState(at)).toEqual(state);

    const kept = await ask('keepSession', { params: { session: session.id.slice(0, 6) }, body: { each: true, expected: each.expected } });
    expect(headlines(at)).toEqual(['begin', 'Add b', 'Add c']);
    expect(kept.commits.map((commit) => 'id' in commit && commit.id)).toEqual(
      git(at, 'rev-list', '--reverse', '-2', 'HEAD').trim().split('\n'),
    );
    expect(kept).toMatchObject({ pushed: false, safetyCheckpoint: expect.any(String) });
    expect([committed(at, 'c.txt'), status(at)]).toEqual(['c.txt\n', []]);
    expect(observeWorkspace(at.workspace)).toEqual(files);
    expect(await refused(post(served, path, {}))).toBe('409 nothing-to-keep');
    expect(served.faults).toEqual([]);
  });

  test('[API] keep: what is wrong is refused, and nothing of git changes', async () => {
    const { at, session } = await worked();
    const served = serve(at);
    const path = `/api/sessions/${session.id}/keep`;
    const state = gitState(at);
    const bad: [string, unknown, string][] = [
      [path, { each: true, squash: true }, '400 bad-request'],
      [path, { each: 'yes' }, '400 bad-request'],
      [path, { session: 'other' }, '400 bad-request'],
      [path, { __proto__: null, toString: 1 }, '400 bad-request'],
      [path, { expected: 'x' }, '409 workspace-moved'],
      [path, { push: true }, '422 no-remote'],
      ['/api/sessions/nobody/keep', {}, '404 unknown-id'],
      ['/api/sessions/--output=x/keep', {}, '404 unknown-id'],
    ];
    for (const [where, body, answer] of bad) expect(await refused(post(served, where, body)), JSON.stringify(body)).toBe(answer);
    write(at, '.git/MERGE_HEAD', `${git(at, 'rev-parse', 'HEAD').trim()}\n`);
    expect(await refused(post(served, path, {}))).toBe('409 git-under-way');
    git(at, 'merge', '--quit');
    hook(at, 'pre-commit', 'echo spoiled > a.txt; echo no >&2; exit 1');
    const files = observeWorkspace(at.workspace);
    const { expected } = (await post(served, path, { dryRun: true })).json;
    const { status: code, json } = await post(served, path, { expected });
    expect([code, json.error.code, json.error.details.output]).toEqual([422, 'commit-refused', 'no']);
    expect([observeWorkspace(at.workspace), gitState(at)]).toEqual([files, state]);
    expect(served.faults).toEqual([]);
  });

  test('[API] keep: without a repository there is nothing to commit to', async () => {
    const scene = await played({});
    await scene.session.prompt('go');
    await writeStep(scene, 'a.txt', 'a\n');
    const served = serve(scene.at);
    expect(await refused(post(served, `/api/sessions/${scene.session.id}/keep`, { dryRun: true }))).toBe('422 no-repository');
  });
});
