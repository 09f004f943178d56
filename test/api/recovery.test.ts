import { describe, expect, test } from 'vitest';
import { committed, git, gitState, headlines, hook, keepScene, LINES, read, rolledBackScene, status, write } from '../keep/kept.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, type Scene } from '../support/scene.ts';
import { asShown, post, refused } from './asked.ts';
import { serve } from './served.ts';

const undo = (at: Scene): unknown => at.retake.json(at.workspace, 'undo', '--yes');

describe('recovering', () => {
  test('[GIT-6] all that was rolled back of a session, some steps, one: and undone it is as before', async () => {
    const { at, session, full, back } = await rolledBackScene();
    const served = serve(at);
    const { ask, faults } = served;
    const params = { session: session.id };
    const plan = await ask('recoverSession', { params, body: { dryRun: true } });
    expect(plan.steps?.map(({ description, applies }) => [description, applies])).toEqual([
      ['Write a.txt', 'cleanly'],
      ['Write b.txt', 'cleanly'],
      ['Write c.txt', 'cleanly'],
    ]);
    expect(observeWorkspace(at.workspace)).toEqual(back);
    const squashed = { strategy: 'squash', expectedTree: plan.expectedTree };
    expect(await refused(post(served, `/api/sessions/${session.id}/recover`, squashed))).toBe('409 workspace-moved');
    const done = await asShown(ask, 'recoverSession', { params, body: { strategy: 'squash' } });
    expect(done).toMatchObject({ rollbackId: expect.any(String), operations: expect.any(Array) });
    expect(done.commits).toBe(undefined);
    expect(observeWorkspace(at.workspace)).toEqual(full);
    expect(await refused(post(served, `/api/sessions/${session.id}/recover`, {}))).toBe('409 nothing-to-recover');
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(back);
    await asShown(ask, 'recoverSession', { params, body: { steps: ['t2'] } });
    expect([read(at, 'c.txt'), read(at, 'b.txt')]).toEqual(['c\n', 'b\n']);
    const { commits } = await ask('listCommits', { params });
    const b = commits.find(({ description }) => description === 'Write b.txt');
    await asShown(ask, 'recoverCommit', { params: { commit: b?.id ?? '' }, body: {} });
    expect([read(at, 'b.txt'), read(at, 'a.txt')]).toEqual(['agent\n', LINES]);
    const path = `/api/sessions/${session.id}/recover`;
    for (const body of [
      { steps: [] },
      { steps: [1] },
      { steps: 'x' },
      { strategy: 'all' },
      { steps: Array(1001).fill('t1') },
      { commit: 1 },
    ])
      expect(await refused(post(served, path, body)), JSON.stringify(body).slice(0, 60)).toBe('400 bad-request');
    expect(await refused(post(served, path, { steps: ['--output=x'] }))).toBe('404 unknown-id');
    expect(await refused(post(served, '/api/sessions/nobody/recover', {}))).toBe('404 unknown-id');
    expect(faults).toEqual([]);
  });

  test('[GIT-6] by hand: it stops, goes on when the markers are gone, and can be given up', async () => {
    const { at, session } = await rolledBackScene();
    const served = serve(at);
    const { ask } = served;
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    const before = observeWorkspace(at.workspace);
    const path = `/api/sessions/${session.id}/recover`;
    const params = { session: session.id };
    const { status: code, json } = await post(served, path, {});
    expect([code, json.error.code, json.error.details.choices]).toEqual([409, 'conflicts', ['ours', 'theirs', 'manual', 'skip']]);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(await refused(post(served, '/api/recover/continue', {}))).toBe('409 nothing-to-recover');
    expect(await refused(post(served, '/api/recover/abort', {}))).toBe('409 nothing-to-recover');

    const stopped = await asShown(ask, 'recoverSession', { params, body: { onConflict: 'manual' } });
    expect(stopped).toMatchObject({ left: { marked: [{ path: 'a.txt' }] } });
    expect(await refused(post(served, path, {}))).toBe('409 recover-under-way');
    expect(await refused(post(served, '/api/recover/continue', {}))).toBe('409 markers-left');
    const half = observeWorkspace(at.workspace);
    const shown = await ask('abortRecovery', { body: { dryRun: true } });
    expect('operations' in shown && shown.operations.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(observeWorkspace(at.workspace)).toEqual(half);
    expect(await ask('abortRecovery', { body: 'expectedTree' in shown ? { expectedTree: shown.expectedTree } : {} })).toEqual({
      undone: [expect.any(String)],
    });
    expect(observeWorkspace(at.workspace)).toEqual(before);

    await asShown(ask, 'recoverSession', { params, body: { onConflict: 'manual' } });
    write(at, 'a.txt', LINES.replace('one', 'both'));
    const all = observeWorkspace(at.workspace);
    expect(await ask('continueRecovery', { body: { dryRun: true } })).toEqual({ recovery: expect.any(String), left: null });
    expect(await ask('continueRecovery', { body: {} })).toEqual({ recovery: expect.any(String), left: null });
    expect(observeWorkspace(at.workspace)).toEqual(all);
    expect(await refused(post(served, '/api/recover/continue', {}))).toBe('409 nothing-to-recover');
    expect(served.faults).toEqual([]);
  });

  test('[GIT-6] by hand: what was left for later is gone on with, and given up with the rest', async () => {
    const { at, session } = await rolledBackScene();
    const served = serve(at);
    const { ask } = served;
    const params = { session: session.id };
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    const { commits } = await ask('listCommits', { params });
    const steps = [commits.at(-1)?.id ?? '', commits[0]?.id ?? ''];
    const stopped = await asShown(ask, 'recoverSession', { params, body: { steps, onConflict: 'manual' } });
    expect('left' in stopped && stopped.left).toEqual({ steps: [steps[1]], marked: [{ path: 'a.txt' }] });
    write(at, 'a.txt', LINES.replace('one', 'both'));
    write(at, 'c.txt', 'mine\n');
    const conflict = await post(served, '/api/recover/continue', {});
    expect([conflict.status, conflict.json.error.code]).toEqual([409, 'conflicts']);
    const rest = await asShown(ask, 'continueRecovery', { body: { onConflict: 'manual' } });
    expect(rest).toMatchObject({ rollbackId: expect.any(String), left: { steps: [], marked: [{ path: 'c.txt' }] } });
    const newest = await ask('abortRecovery', { body: { dryRun: true } });
    expect('warnings' in newest && newest.warnings.at(-1)).toMatch(/^1 earlier part/);
    expect(await ask('abortRecovery', { body: {} })).toEqual({ undone: [expect.any(String), expect.any(String)] });
    // What the person wrote meanwhile is theirs.
    expect([read(at, 'a.txt'), read(at, 'b.txt'), read(at, 'c.txt')]).toEqual([LINES.replace('one', 'mine'), 'b\n', 'mine\n']);
    expect(await refused(post(served, '/api/recover/continue', {}))).toBe('409 nothing-to-recover');
    expect(served.faults).toEqual([]);
  });

  test('[GIT-6] as commits: told before, made after, and all of it taken back when git refuses one', async () => {
    const { at, session, full, back } = await rolledBackScene();
    const served = serve(at);
    const { ask } = served;
    const params = { session: session.id };
    const plan = await ask('recoverSession', { params, body: { commit: true, dryRun: true } });
    expect(plan.commits?.map(({ headline }) => headline)).toHaveLength(3);
    const state = gitState(at);
    hook(at, 'pre-commit', 'echo no >&2; exit 1');
    const { status: code, json } = await post(served, `/api/sessions/${session.id}/recover`, {
      commit: true,
      expectedTree: 'expectedTree' in plan ? plan.expectedTree : '',
    });
    expect([code, json.error.code, json.error.details.output]).toEqual([422, 'commit-refused', 'no']);
    expect(observeWorkspace(at.workspace)).toEqual(back);
    expect(gitState(at)).toEqual(state);
    hook(at, 'pre-commit', 'exit 0');
    const tree = ('expectedTree' in plan && plan.expectedTree ? plan.expectedTree : '').split('~commits:')[0];
    expect(await refused(post(served, `/api/sessions/${session.id}/recover`, { commit: true, expectedTree: tree }))).toBe(
      '409 needs-confirmation',
    );
    git(at, 'checkout', '-q', '-b', 'elsewhere');
    const elsewhere = { commit: true, expectedTree: plan.expectedTree };
    expect(await refused(post(served, `/api/sessions/${session.id}/recover`, elsewhere))).toBe('409 workspace-moved');
    expect(observeWorkspace(at.workspace)).toEqual(back);
    git(at, 'checkout', '-q', 'main');
    git(at, 'branch', '-q', '-D', 'elsewhere');
    expect(gitState(at)).toEqual(state);
    const done = await asShown(ask, 'recoverSession', { params, body: { commit: true } });
    expect(done.commits.map(({ id }: { id: string }) => id)).toEqual(git(at, 'rev-list', '--reverse', 'HEAD', '-3').trim().split('\n'));
    expect(done.branch).toBe('main');
    expect([status(at), committed(at, 'c.txt')]).toEqual([[], 'c\n']);
    expect(observeWorkspace(at.workspace)).toEqual(full);
    expect(served.faults).toEqual([]);
  });

  test("[GIT-6] a commit of the user's git, by whatever name git has for it", async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    git(at, 'checkout', '-q', '-b', 'feature/other');
    write(at, 'new.txt', 'new\n');
    commitAll(at.workspace, 'Elsewhere');
    git(at, 'checkout', '-q', 'main');
    const before = observeWorkspace(at.workspace);
    const { ask, faults } = serve(at);
    await asShown(ask, 'recoverCommit', { params: { commit: 'feature/other' }, body: {} });
    expect([read(at, 'new.txt'), headlines(at)]).toEqual(['new\n', ['begin']]);
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(faults).toEqual([]);
  });
});
