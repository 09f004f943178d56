import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { previewRollback, resolveRewind, rollBack, Workspace } from '../../src/engine/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene, text, turn } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put, type Scene, steps } from '../support/scene.ts';
import { asShown } from './asked.ts';
import { type Served, serve } from './served.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
const lines = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, at) => changes[at + 1] ?? line).join('\n')}\n`;

interface Played extends Served {
  readonly session: PlayedSession;
}

/** Two turns: the first leaves `a.txt`, the second changes two places of it and adds `new.txt`. */
const twoTurns = async (prepare: (at: Scene) => void = () => {}): Promise<Played> => {
  const at = forkScene();
  put(at.workspace, 'mine.txt', 'mine\n');
  prepare(at);
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'begin', { 'a.txt': lines() });
  await turn(at, session, 'go on', { 'a.txt': lines({ 3: 'agent', 25: 'agent too' }), 'new.txt': 'new\n' });
  return { ...serve(at), session };
};

const inRepository = (at: Scene): void => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  commitAll(at.workspace);
};

const beforeSecond = ({ session }: Played) => ({ session: session.id, checkpoint: 't2' });

const preview = (it: Played, query: Record<string, unknown> = {}) => it.ask('previewRollback', { params: beforeSecond(it), query });

/** How many operations there are. */
const recorded = (at: Scene): number => at.retake.json(at.workspace, 'log').operations.length;

/** What is asked for in vain leaves files and log as they are. */
const expectUntouched = async ({ at, faults }: Served, asking: () => Promise<unknown>): Promise<void> => {
  const [files, operations] = [observeWorkspace(at.workspace), recorded(at)];
  await asking();
  expect(observeWorkspace(at.workspace)).toEqual(files);
  expect(recorded(at)).toBe(operations);
  expect(faults).toEqual([]);
};

/** A plan of the command line as it is told over HTTP: what it was made for is more than the state of the files. */
const sealed = <P extends { expectedTree: string }>(plan: P) => ({
  ...plan,
  expectedTree: expect.stringMatching(new RegExp(`^${plan.expectedTree}~[0-9a-f]{16}~([0-9a-f]{16})?$`)),
  undoableUntil: expect.any(String),
  remotes: [],
});

describe('going back to a checkpoint', () => {
  test('[API] [RST-1] a preview is the plan of the command line, by either path, and changes nothing', async () => {
    const it = await twoTurns();
    const { at, ask } = it;
    await expectUntouched(it, async () => {
      const plan = await preview(it);
      expect(steps(plan)).toEqual(['restore a.txt', 'delete new.txt']);
      expect(plan).toEqual(sealed(at.retake.json(at.workspace, 'rewind', 't2', '--dry-run')));
      expect(await ask('previewCheckpoint', { params: { checkpoint: 't2' } })).toEqual({ ...plan, undoableUntil: expect.any(String) });
      expect(await preview(it, { hunks: true })).toEqual(sealed(at.retake.json(at.workspace, 'rewind', 't2', '--dry-run', '--patch')));
      expect(steps(await preview(it, { path: ['new.txt'] }))).toEqual(['delete new.txt']);
    });
  });

  test('[API] [RST-7] a rollback, its undo, and the undo of that; each in the history, with the time until when it can be undone', async () => {
    const it = await twoTurns((at) => put(at.retake.home, 'settings.json', JSON.stringify({ 'retention.rolledBackDays': 7 })));
    const { at, ask, faults } = it;
    const before = observeWorkspace(at.workspace);
    const { expectedTree } = await preview(it);
    const done = await ask('rollBack', { params: beforeSecond(it), body: { expectedTree, scope: 'code', job: 'mine' } });
    expect(done).toMatchObject({ restored: 1, deleted: 1, steps: [], scope: 'code', resume: null });
    expect(done).not.toHaveProperty('recoveryBranch');
    expect([text(at, 'a.txt'), text(at, 'new.txt')]).toEqual([lines(), undefined]);
    const after = observeWorkspace(at.workspace);

    const rollback = done.rollbackId as string;
    const undo = async (rollback: string, body: { dryRun?: boolean; expectedTree?: string } = {}) =>
      (await ask('undoRollback', { params: { rollback }, body })) as typeof done;
    const undone = (await undo(rollback)).rollbackId as string;
    expect(observeWorkspace(at.workspace)).toEqual(before);
    const plan = await undo(undone, { dryRun: true });
    expect(plan).not.toHaveProperty('rollbackId');
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await undo(undone, { expectedTree: plan.expectedTree });
    expect(observeWorkspace(at.workspace)).toEqual(after);

    const { rollbacks, total, next } = await ask('listRollbacks');
    expect({ total, next }).toEqual({ total: 3, next: null });
    expect(rollbacks).toEqual(at.retake.json(at.workspace, 'rollbacks').rollbacks);
    expect(rollbacks.map(({ type }) => type)).toEqual(['redo', 'undo', 'rollback']);
    const first = rollbacks.at(-1);
    expect(first).toMatchObject({ id: rollback, from: done.safetyCheckpoint, undoneBy: null });
    expect(rollbacks[1]).toMatchObject({ id: undone, undoes: rollback, undoneBy: rollbacks[0]?.id });
    expect(Date.parse(done.undoableUntil as string) - Date.parse(first?.createdAt as string)).toBe(7 * 86_400_000);

    const page = await ask('listRollbacks', { query: { limit: 2 } });
    const rest = await ask('listRollbacks', { query: { limit: 2, cursor: page.next as string } });
    expect([...page.rollbacks, ...rest.rollbacks]).toEqual(rollbacks);
    await expect(undo(undone)).rejects.toMatchObject({ status: 409, code: 'nothing-to-undo' });
    expect(faults).toEqual([]);
  });

  test('[API] [CNV-6] code and conversation at once: the answer says how to go on', async () => {
    const it = await twoTurns();
    const { expectedTree } = await preview(it, { scope: 'both' });
    const done = await it.ask('rollBack', { params: beforeSecond(it), body: { scope: 'both', expectedTree } });
    expect(done).toMatchObject({ scope: 'both', conversation: { from: it.session.id, prompt: 'go on' } });
    expect(done.resume).toContain(done.sessionId);
    expect(text(it.at, 'a.txt')).toBe(lines());
  });

  test('[API] [RST-8] chosen hunks only; one that is no longer the same is refused', async () => {
    const it = await twoTurns();
    const plan = await preview(it, { hunks: true });
    const [hunk] = plan.operations.find(({ path }) => path === 'a.txt')?.hunks ?? [];
    const { number: _, lines: __, ...choice } = hunk ?? expect.fail('there are hunks');
    const body = { expectedTree: plan.expectedTree, hunks: [{ path: 'a.txt', ...choice }] };
    const other = { ...body, hunks: [{ path: 'a.txt', ...choice, digest: '0'.repeat(16) }] };
    await expectUntouched(it, () =>
      expect(it.ask('rollBack', { params: beforeSecond(it), body: other })).rejects.toMatchObject({ status: 409, code: 'workspace-moved' }),
    );
    await it.ask('rollBack', { params: beforeSecond(it), body });
    expect([text(it.at, 'a.txt'), text(it.at, 'new.txt')]).toEqual([lines({ 25: 'agent too' }), 'new\n']);
  });

  test('[API] [RST-1] in another state than that of the preview it is refused', async () => {
    const it = await twoTurns();
    const { expectedTree } = await preview(it);
    put(it.at.workspace, 'mine.txt', 'changed meanwhile\n');
    await expectUntouched(it, () =>
      expect(it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree } })).rejects.toMatchObject({
        status: 409,
        code: 'workspace-moved',
        details: { expectedTree },
      }),
    );
  });

  test('[API] [RST-9] [RST-10] conflicts are told with their choices, and settled by one', async () => {
    const it = await twoTurns();
    put(it.at.workspace, 'a.txt', lines({ 3: 'mine now', 25: 'agent too' }));
    const plan = await preview(it, { keepMine: true });
    expect(plan.conflicts).toMatchObject([{ path: 'a.txt', choice: null }]);
    const body = { keepMine: true, expectedTree: plan.expectedTree };
    await expectUntouched(it, () =>
      expect(it.ask('rollBack', { params: beforeSecond(it), body })).rejects.toMatchObject({
        status: 409,
        code: 'conflicts',
        details: { conflicts: [{ path: 'a.txt', choice: null }], choices: ['ours', 'theirs', 'manual', 'skip'] },
      }),
    );
    const resolve = [{ path: 'a.txt', choice: 'ours' as const }];
    await it.ask('rollBack', { params: beforeSecond(it), body: { ...body, resolve } });
    expect([text(it.at, 'a.txt'), text(it.at, 'new.txt')]).toEqual([lines({ 3: 'mine now' }), undefined]);
  });

  test('[API] [RST-1] two at once for the same state: one is carried out, the other refused', async () => {
    const it = await twoTurns();
    const { expectedTree } = await preview(it);
    const asked = () => it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree } });
    const outcomes = await Promise.allSettled([asked(), asked(), asked()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject([
      { status: 409, code: 'workspace-moved' },
      { status: 409, code: 'workspace-moved' },
    ]);
    expect((await it.ask('listRollbacks')).total).toBe(1);
    expect(text(it.at, 'a.txt')).toBe(lines());
  });

  test('[RST-1] the same between two who know nothing of each other', async () => {
    const { at } = await twoTurns();
    const both = await Promise.all([0, 1].map(() => Workspace.open({ directory: at.workspace })));
    const [first] = both;
    const { expectedTree } = await previewRollback(first as Workspace, resolveRewind(first as Workspace, 't2'));
    const outcomes = await Promise.allSettled(
      both.map((workspace) => rollBack(workspace, resolveRewind(workspace, 't2'), { expectedTree })),
    );
    for (const workspace of both) workspace.close();
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'workspace-moved' } });
  });
});

describe('a recovery branch', () => {
  test('[API] [GIT-5] has the state before the rollback', async () => {
    const it = await twoTurns(inRepository);
    const { at } = it;
    const { expectedTree } = await preview(it);
    const body = { expectedTree, createRecoveryBranch: true, recoveryBranchName: 'kept/before' };
    const { recoveryBranch, safetyCheckpoint } = await it.ask('rollBack', { params: beforeSecond(it), body });
    expect(safetyCheckpoint).not.toBeNull();
    expect(recoveryBranch).toMatchObject({ branch: 'kept/before', parent: gitIn(at.workspace, 'rev-parse', 'HEAD').trim(), leftOut: [] });
    expect(gitIn(at.workspace, 'show', 'kept/before:new.txt')).toContain('new');
    expect(text(at, 'new.txt')).toBeUndefined();
  });

  test('[API] where none can be made, nothing is rolled back', async () => {
    const it = await twoTurns(inRepository);
    const { expectedTree } = await preview(it);
    const asked = (recoveryBranchName: string) =>
      it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree, createRecoveryBranch: true, recoveryBranchName } });
    await expectUntouched(it, async () => {
      await expect(asked('main')).rejects.toMatchObject({ status: 409, code: 'branch-exists' });
      for (const name of ['--output=x', '../main', 'a..b', '@{-1}'])
        await expect(asked(name)).rejects.toMatchObject({ status: 422, code: 'bad-branch' });
    });
    const outside = await twoTurns();
    const body = { expectedTree: (await preview(outside)).expectedTree, createRecoveryBranch: true };
    await expectUntouched(outside, () =>
      expect(outside.ask('rollBack', { params: beforeSecond(outside), body })).rejects.toMatchObject({
        status: 422,
        code: 'no-repository',
      }),
    );
  });

  test('[API] [GIT-5] is made by every rewind of code where git.recoveryBranch says so, shown before, and not where that is declined', async () => {
    const it = await twoTurns(inRepository);
    const { at } = it;
    expect(await preview(it)).toMatchObject({ recoveryBranch: null, usualBranch: `recovery/${it.session.id}` });
    at.retake.json(at.workspace, 'settings', 'git.recoveryBranch', 'true', '--workspace');
    const planned = await preview(it);
    expect(planned.recoveryBranch).toEqual({ branch: `recovery/${it.session.id}` });
    expect((await preview(it, { createRecoveryBranch: false })).recoveryBranch).toBeNull();
    const { expectedTree } = planned;
    const declined = await it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree, createRecoveryBranch: false } });
    expect(declined).not.toHaveProperty('recoveryBranch');
    await it.ask('undoRollback', { params: { rollback: declined.rollbackId ?? '' }, body: {} });
    const done = await it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree: (await preview(it)).expectedTree } });
    expect(done.recoveryBranch).toMatchObject({ branch: `recovery/${it.session.id}` });
    expect(gitIn(at.workspace, 'show', `recovery/${it.session.id}:new.txt`)).toContain('new');
    const { rollbackId } = done;
    const undone = await it.ask('undoRollback', { params: { rollback: rollbackId ?? '' }, body: {} });
    expect(undone).not.toHaveProperty('recoveryBranch');
    const { expectedTree: again } = await it.ask('rollBackSession', { params: { session: it.session.id }, body: { dryRun: true } });
    const whole = await it.ask('rollBackSession', { params: { session: it.session.id }, body: { expectedTree: again } });
    expect(whole).toMatchObject({ recoveryBranch: { branch: `recovery/${it.session.id}-2` } });
  });

  test('[API] [GIT-5] every route that goes back makes it, with a name, and pushes it in the same act', async () => {
    const it = await twoTurns(inRepository);
    const { at, session, ask } = it;
    const remote = join(at.retake.home, 'remote.git');
    gitIn(at.workspace, 'init', '-q', '--bare', remote);
    gitIn(at.workspace, 'remote', 'add', 'origin', remote);
    const params = { session: session.id };
    const [step] = at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'after-step');
    const undo = (rollback: string | null) => ask('undoRollback', { params: { rollback: rollback ?? '' }, body: {} });
    const whole = await ask('rollBackSession', { params, body: { dryRun: true } });
    expect(whole).toMatchObject({ recoveryBranch: null, remotes: ['origin'] });
    const branching = (recoveryBranchName: string) => ({ recoveryBranchName, pushRecoveryBranch: 'origin' });
    const back = await ask('rollBackSession', { params, body: { expectedTree: whole.expectedTree, ...branching('of/session') } });
    expect(back).toMatchObject({ recoveryBranch: { branch: 'of/session', pushTo: 'origin', pushed: true } });
    expect(gitIn(remote, 'show', 'of/session:new.txt')).toContain('new');
    const rollback = (back as { rollbackId: string | null }).rollbackId ?? '';
    const undone = await ask('undoRollback', { params: { rollback }, body: branching('of/undo') });
    expect(undone).toMatchObject({ recoveryBranch: { branch: 'of/undo', pushed: true } });
    const discarding = { all: false, ...branching('of/discard') };
    const shown = await ask('discardSession', { params, body: { ...discarding, dryRun: true } });
    expect(shown).toMatchObject({ recoveryBranch: { branch: 'of/discard', pushTo: 'origin' }, usualBranch: 'of/discard' });
    const discarded = await ask('discardSession', { params, body: { ...discarding, expectedTree: shown.expectedTree } });
    expect(discarded).toMatchObject({ recoveryBranch: { branch: 'of/discard', pushed: true } });
    await undo((discarded as { rollbackId: string | null }).rollbackId);
    const reverting = { params: { commit: step.id }, body: branching('of/revert') };
    const { expectedTree } = await ask('revertCommit', { ...reverting, body: { ...reverting.body, dryRun: true } });
    expect(await ask('revertCommit', { ...reverting, body: { ...reverting.body, expectedTree } })).toMatchObject({
      recoveryBranch: { branch: 'of/revert', pushed: true },
    });
    expect(gitIn(remote, 'for-each-ref', '--format=%(refname:short)').trim().split('\n')).toEqual([
      'of/discard',
      'of/revert',
      'of/session',
      'of/undo',
    ]);
    // Refused before anything changes; and told beside what is done where it can be known only then.
    await expectUntouched(it, async () => {
      const body = (pushRecoveryBranch: string, recoveryBranchName = 'free') => ({ dryRun: false, pushRecoveryBranch, recoveryBranchName });
      await expect(ask('discardSession', { params, body: body('nowhere') })).rejects.toMatchObject({ status: 422, code: 'no-remote' });
      await expect(ask('discardSession', { params, body: body('origin', 'of') })).rejects.toMatchObject({
        status: 409,
        code: 'branch-exists',
      });
    });
    put(remote, 'hooks/pre-receive', '#!/bin/sh\nexit 1\n');
    chmodSync(join(remote, 'hooks/pre-receive'), 0o755);
    const { expectedTree: again } = await ask('discardSession', { params, body: { dryRun: true } });
    expect(await ask('discardSession', { params, body: { expectedTree: again, ...branching('of/late') } })).toMatchObject({
      rollbackId: expect.any(String),
      recoveryBranch: { branch: 'of/late', pushTo: 'origin', pushed: false },
      recoveryBranchProblem: { code: 'push-rejected' },
    });
  });

  test('[API] a rewind where there is no repository is not kept from it by git.recoveryBranch', async () => {
    const it = await twoTurns();
    it.at.retake.json(it.at.workspace, 'settings', 'git.recoveryBranch', 'true');
    const { expectedTree, recoveryBranch } = await preview(it);
    expect(recoveryBranch).toBeNull();
    expect(await it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree } })).not.toHaveProperty('recoveryBranch');
  });

  test('[API] one that can be known to fail is refused before where it is asked for, and told in the plan where it is only usual', async () => {
    const it = await twoTurns(inRepository);
    const { at } = it;
    gitIn(at.workspace, 'branch', 'recovery');
    const { expectedTree } = await preview(it);
    await expectUntouched(it, () =>
      expect(it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree, createRecoveryBranch: true } })).rejects.toMatchObject({
        status: 409,
        code: 'branch-exists',
      }),
    );
    await expect(preview(it, { createRecoveryBranch: true })).rejects.toMatchObject({ status: 409, code: 'branch-exists' });
    at.retake.json(at.workspace, 'settings', 'git.recoveryBranch', 'true', '--workspace');
    const told = { recoveryBranch: null, recoveryBranchProblem: { code: 'branch-exists' } };
    expect(await preview(it)).toMatchObject(told);
    expect(await it.ask('rollBackSession', { params: { session: it.session.id }, body: { dryRun: true } })).toMatchObject(told);
    expect(await it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree } })).toMatchObject({ ...told, restored: 1 });
  });

  test('[API] one that fails when the rollback is done is told, and the rollback too', async () => {
    const it = await twoTurns(inRepository);
    const { at } = it;
    // As git leaves it that was killed while it made the branch.
    put(at.workspace, `.git/refs/heads/recovery/${it.session.id}.lock`, '');
    const { expectedTree } = await preview(it);
    const done = await it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree, createRecoveryBranch: true } });
    expect(done).toMatchObject({ recoveryBranch: null, recoveryBranchProblem: { code: 'git-failed' }, restored: 1 });
    expect((await it.ask('listRollbacks')).rollbacks).toMatchObject([{ id: done.rollbackId, outcome: 'complete' }]);
    expect(text(at, 'new.txt')).toBeUndefined();
  });
});

describe('a whole session', () => {
  test('[API] [GIT-4] back to where it began, and discarded with what others did kept', async () => {
    const it = await twoTurns();
    const { at, ask, session } = it;
    put(at.workspace, 'mine.txt', 'more of mine\n');
    const before = observeWorkspace(at.workspace);
    const params = { session: session.id };
    await expectUntouched(it, async () => {
      expect(await ask('rollBackSession', { params, body: { dryRun: true } })).toMatchObject({ scope: 'both', keepMine: true });
      const plan = await ask('rollBackSession', { params, body: { dryRun: true, keepMine: false } });
      expect(steps(plan)).toEqual(['delete a.txt', 'restore mine.txt', 'delete new.txt']);
      expect(await ask('discardSession', { params, body: { dryRun: true } })).toEqual(
        sealed(at.retake.json(at.workspace, 'discard', '--session', session.id, '--dry-run')),
      );
      expect(steps(await ask('discardSession', { params, body: { dryRun: true, all: true } }))).toEqual(steps(plan));
    });
    const back = await asShown(ask, 'rollBackSession', { params, body: { scope: 'both', keepMine: false } });
    expect(back).toMatchObject({ scope: 'both', conversation: { from: session.id } });
    expect([text(at, 'a.txt'), text(at, 'mine.txt')]).toEqual([undefined, 'mine\n']);
    await ask('undoRollback', { params: { rollback: (back as { rollbackId: string }).rollbackId }, body: {} });
    expect(observeWorkspace(at.workspace)).toEqual(before);

    expect(await asShown(ask, 'discardSession', { params, body: {} })).toMatchObject({ deleted: 2, restored: 0 });
    expect([text(at, 'a.txt'), text(at, 'new.txt'), text(at, 'mine.txt')]).toEqual([undefined, undefined, 'more of mine\n']);
    await expect(ask('discardSession', { params, body: {} })).rejects.toMatchObject({ status: 409, code: 'nothing-to-discard' });
  });
});

test('[API] what can not go back together is refused alike by preview, rollback and command line', async () => {
  const it = await twoTurns();
  const { expectedTree } = await preview(it);
  const mixed: [Record<string, unknown>, Record<string, unknown>, string[]][] = [
    [{ scope: 'both', path: ['a.txt'] }, { scope: 'both', paths: ['a.txt'] }, ['--scope', 'both', '--path', 'a.txt']],
    [{ git: true, path: ['a.txt'] }, { git: true, paths: ['a.txt'] }, ['--git', '--path', 'a.txt']],
    [{ git: true, scope: 'conversation' }, { git: true, scope: 'conversation' }, ['--git', '--scope', 'conversation']],
    [{ keepMine: true, scope: 'conversation' }, { keepMine: true, scope: 'conversation' }, ['--keep-mine', '--scope', 'conversation']],
    [{ keepMine: true, by: 't2' }, { keepMine: true, by: 't2' }, ['--keep-mine', '--by', 't2']],
  ];
  await expectUntouched(it, async () => {
    for (const [query, body, flags] of mixed) {
      const refusal = JSON.parse(it.at.retake.run(it.at.workspace, 'rewind', 't2', ...flags, '--yes', '--json').stdout).error;
      const expected = { status: 400, code: 'usage', message: refusal.message };
      await expect(preview(it, query)).rejects.toMatchObject(expected);
      await expect(it.ask('rollBack', { params: beforeSecond(it), body: { expectedTree, ...body } })).rejects.toMatchObject(expected);
    }
  });
});

test('[API] [SEC] what is not understood, or leads elsewhere, is refused', async () => {
  const it = await twoTurns();
  const { signed, session } = it;
  const { expectedTree } = await preview(it);
  const post = async (path: string, body: unknown): Promise<number> =>
    (await signed(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).status;
  const at = `/api/sessions/${session.id}`;
  const back = `${at}/checkpoints/t2/rollback`;
  await expectUntouched(it, async () => {
    for (const body of [
      {},
      { expectedTree: 3 },
      { expectedTree, scope: 'everything' },
      { expectedTree, git: 'yes' },
      { expectedTree, paths: [] },
      { expectedTree, paths: 'a.txt' },
      { expectedTree, paths: ['../mine.txt'] },
      { expectedTree, paths: ['/etc/passwd'] },
      { expectedTree, paths: ['.'] },
      { expectedTree, hunks: [{ path: 'a.txt' }] },
      { expectedTree, resolve: [{ path: '../../x', choice: 'ours' }] },
      { expectedTree, resolve: [{ path: 'a.txt', choice: 'mine' }] },
      { expectedTree, onConflict: '__proto__' },
      { expectedTree, job: '../x' },
      { expectedTree, nobody: 'knows' },
      JSON.parse(`{"expectedTree":"${expectedTree}","__proto__":{"scope":"code"}}`),
      [],
      null,
    ]) {
      expect(await post(back, body), JSON.stringify(body)).toBe(400);
    }
    for (const name of ['--output=x', '__proto__', '..%2f..%2fx', 'ffffffff', 'constructor', '@-9999', 't99']) {
      expect(await post(`${at}/checkpoints/${name}/rollback`, { expectedTree }), name).toBe(404);
      expect((await signed(`${at}/checkpoints/${name}/rollback/preview`)).status, name).toBe(404);
      expect((await signed(`/api/checkpoints/${name}/preview`)).status, name).toBe(404);
      expect(await post(`/api/sessions/${name}/checkpoints/t2/rollback`, { expectedTree }), name).toBe(404);
      expect(await post(`/api/sessions/${name}/rollback`, {}), name).toBe(404);
      expect(await post(`/api/sessions/${name}/discard`, {}), name).toBe(404);
      expect(await post(`/api/rollback/${name}/undo`, {}), name).toBe(404);
    }
    for (const query of ['scope=all', 'git=1', 'hunks=yes', 'path=../x', 'path=', 'limit=3', 'scope=code&scope=code', 'job=a%20b'])
      expect((await signed(`${back}/preview?${query}`)).status, query).toBe(400);
    for (const query of ['limit=0', 'limit=501', 'cursor=x', 'nobody=knows'])
      expect((await signed(`/api/rollbacks?${query}`)).status, query).toBe(400);
    const newest = JSON.parse(await (await signed(`/api/sessions/${session.id}`)).text()).currentCheckpoint;
    expect(await post(`/api/rollback/${newest}/undo`, {}), 'a checkpoint is no rollback').toBe(409);
  });
  expect(readFileSync(join(it.at.workspace, 'mine.txt'), 'utf8')).toBe('mine\n');
});

test('[API] [RST-10] a plan names the steps that run; with wait it is made when none does', async () => {
  const it = await twoTurns();
  const end = await it.session.begin('Bash', { command: 'work' });
  put(it.at.workspace, 'agent.txt', 'agent\n');
  const shown = await preview(it, { keepMine: true });
  expect(shown.running).toMatchObject([{ session: it.session.id, agent: 'claude-code', tool: 'Bash', description: 'Bash: work' }]);
  expect(shown.operations.find(({ path }) => path === 'agent.txt')).toMatchObject({ type: 'delete', by: 'agent' });
  const waited = preview(it, { keepMine: true, wait: true });
  put(it.at.workspace, 'late.txt', 'late\n');
  await end();
  const { running, operations } = await waited;
  expect(running).toEqual([]);
  expect(operations.map(({ path }) => path)).toEqual(expect.arrayContaining(['agent.txt', 'late.txt']));
});
