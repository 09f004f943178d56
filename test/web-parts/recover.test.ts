import { describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/api/errors.ts';
import { ApiError } from '../../src/api/index.ts';
import { abortRecovery, continueRecovery, recoverCommit, recoverSteps, underWayBy, underWayIn } from '../../src/web/recover/requests.ts';
import { saidOf } from '../../src/web/recover/said.ts';
import { canRecover, daysLeft, fits, forecastOf, forecastWords, select } from '../../src/web/recover/steps.ts';
import { type Served, serve } from '../api/served.ts';
import { committed, git, headlines, keepScene, LINES, read, rolledBackScene, write } from '../keep/kept.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll } from '../support/scene.ts';

const UNDECIDED = { onConflict: 'abort', resolve: [] } as const;
const { signal } = new AbortController();

/** Two turns of a session, all rolled back, and what recovers each step. */
const rolledBack = async () => {
  const scene = await rolledBackScene();
  const { at, session } = scene;
  const served = serve(at);
  const { commits } = await served.ask('listCommits', { params: { session: session.id }, query: { all: true } });
  const [c = '', b = '', a = ''] = commits.map(({ id }) => id);
  return { ...scene, served, a, b, c };
};

const underWay = async ({ ask }: Served) => {
  try {
    return underWayIn(await ask('continueRecovery', { body: { dryRun: true } }));
  } catch (error) {
    return underWayBy(error);
  }
};

describe('recovering, as the page asks for it', () => {
  test('[GIT-6] a refusal says what is under way, or that nobody can tell', () => {
    const refused = (status: number, code: ProblemCode): ApiError => new ApiError(status, { error: { code, message: code } });
    expect(underWayBy(refused(409, 'nothing-to-recover'))).toEqual({ is: 'none' });
    expect(underWayBy(refused(401, 'signed-out'))).toEqual({ is: 'none' });
    for (const code of ['git-under-way', 'git-busy', 'conflicts'] as const)
      expect(underWayBy(refused(409, code))).toMatchObject({ is: 'held-up', isSure: true, error: { code } });
    for (const error of [refused(503, 'busy'), new TypeError('nobody answers')])
      expect(underWayBy(error)).toEqual({ is: 'held-up', isSure: false, error });
  });

  test('[GIT-6] what was shown is carried out, and nothing else', async () => {
    const { at, session, served, full, back, a, b, c } = await rolledBack();
    const wanted = { steps: [c, a, b], strategy: 'sequential', commit: false } as const;
    const { preview, apply } = recoverSteps(served, session.id, wanted);
    const plan = await preview(UNDECIDED, signal);
    expect(forecastOf(plan.steps)).toEqual(new Map([a, b, c].map((id) => [id, 'cleanly'])));
    expect(forecastWords(plan)).toBe('3 steps cleanly, 3 files would change');
    expect(observeWorkspace(at.workspace)).toEqual(back);
    write(at, 'meanwhile.txt', 'mine\n');
    const { expectedTree } = plan;
    await expect(apply({ ...UNDECIDED, expectedTree, job: 'one' })).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
    at.retake.json(at.workspace, 'checkpoint');
    expect(read(at, 'c.txt')).toBe(undefined);
    const again = await preview(UNDECIDED, signal);
    const done = await apply({ ...UNDECIDED, expectedTree: again.expectedTree, job: 'two' });
    expect(done).toMatchObject({ rollbackId: expect.any(String), restored: 3 });
    expect(saidOf(done, '3 steps recovered')).toBe('3 steps recovered');
    const after = observeWorkspace(at.workspace);
    expect([...after.keys()].filter((path) => after.get(path) !== full.get(path))).toEqual(['meanwhile.txt']);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect([read(at, 'a.txt'), read(at, 'c.txt'), read(at, 'meanwhile.txt')]).toEqual([LINES, undefined, 'mine\n']);
    expect(served.faults).toEqual([]);
  });

  test('[GIT-6] conflicts are settled as chosen, for all files or for one', async () => {
    const { at, session, served, a, b } = await rolledBack();
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    write(at, 'b.txt', 'mine\n');
    const { preview, apply } = recoverSteps(served, session.id, { steps: [a, b], strategy: 'sequential', commit: false });
    const plan = await preview(UNDECIDED, signal);
    expect(forecastWords(plan)).toBe('2 steps with conflicts, 2 files in conflict');
    const choices = { onConflict: 'theirs', resolve: [{ path: 'b.txt', choice: 'ours' }] } as const;
    const { expectedTree, conflicts } = await preview(choices, signal);
    expect(conflicts.map(({ path, choice }) => [path, choice])).toEqual([
      ['a.txt', 'theirs'],
      ['b.txt', 'ours'],
    ]);
    await apply({ ...choices, expectedTree, job: 'x' });
    expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual([LINES.replace('one', 'ONE'), 'mine\n']);
  });

  test('[GIT-6] one that stopped is known by what is left of it, gone on with, and taken back', async () => {
    const { at, session, served, a, c } = await rolledBack();
    expect(await underWay(served)).toEqual({ is: 'none' });
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    const before = observeWorkspace(at.workspace);
    const manual = { onConflict: 'manual', resolve: [] } as const;
    const start = async () => {
      const { preview, apply } = recoverSteps(served, session.id, { steps: [a, c], strategy: 'sequential', commit: false });
      const { expectedTree, steps } = await preview(manual, signal);
      expect([...forecastOf(steps).values()]).toEqual(['with-conflicts', 'later']);
      return apply({ ...manual, expectedTree, job: 'x' });
    };
    expect(saidOf(await start(), 'done')).toBe('Stopped for you to finish a.txt; 1 step still to come');
    expect(await underWay(served)).toEqual({ is: 'marked', paths: ['a.txt'] });
    const abort = abortRecovery(served);
    const { expectedTree, operations } = await abort.preview(UNDECIDED, signal);
    expect(operations.map(({ path }) => path)).toEqual(['a.txt']);
    const aborted = await abort.apply({ ...UNDECIDED, expectedTree, job: 'x' });
    expect(aborted).toMatchObject({ rollbackId: expect.any(String), restored: 1, deleted: 0 });
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(await underWay(served)).toEqual({ is: 'none' });

    await start();
    write(at, 'a.txt', LINES.replace('one', 'both'));
    expect(await underWay(served)).toEqual({ is: 'rest', steps: 1 });
    const goOn = continueRecovery(served);
    const rest = await goOn.preview(UNDECIDED, signal);
    await goOn.apply({ ...UNDECIDED, expectedTree: rest.expectedTree, job: 'x' });
    expect([read(at, 'a.txt'), read(at, 'c.txt')]).toEqual([LINES.replace('one', 'both'), 'c\n']);
    expect(await underWay(served)).toEqual({ is: 'none' });
    await expect(goOn.preview(UNDECIDED, signal)).rejects.toMatchObject({ code: 'nothing-to-recover' });
    expect(served.faults).toEqual([]);
  });

  test('[GIT-6] one whose rest is there already is finished all the same', async () => {
    const { at, session, served, a, c } = await rolledBack();
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    const manual = { onConflict: 'manual', resolve: [] } as const;
    const { preview, apply } = recoverSteps(served, session.id, { steps: [a, c], strategy: 'sequential', commit: false });
    await apply({ ...manual, expectedTree: (await preview(manual, signal)).expectedTree, job: 'x' });
    write(at, 'a.txt', LINES);
    write(at, 'c.txt', 'c\n');
    const left = await underWay(served);
    expect(left).toEqual({ is: 'ready', commits: [], expectedTree: expect.any(String) });
    await served.ask('continueRecovery', { body: left?.is === 'ready' ? { expectedTree: left.expectedTree } : {} });
    expect(await underWay(served)).toEqual({ is: 'none' });
    expect([read(at, 'a.txt'), read(at, 'c.txt')]).toEqual([LINES, 'c\n']);
  });

  test('[GIT-6] what is left may be commits alone: they are told before they are made', async () => {
    const { at, session, served, a } = await rolledBack();
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    commitAll(at.workspace, 'mine');
    const manual = { onConflict: 'manual', resolve: [] } as const;
    const { preview, apply } = recoverSteps(served, session.id, { steps: [a], strategy: 'sequential', commit: true });
    const { expectedTree } = await preview(manual, signal);
    await apply({ ...manual, expectedTree, job: 'x' });
    write(at, 'a.txt', LINES.replace('one', 'both'));
    const ready = await underWay(served);
    expect(ready).toMatchObject({ is: 'ready', commits: [{ headline: 'Claude Code [Write]: Write a.txt' }] });
    await expect(served.ask('continueRecovery', { body: {} })).rejects.toMatchObject({ status: 409, code: 'needs-confirmation' });
    expect(headlines(at)).toEqual(['begin', 'mine']);
    await served.ask('continueRecovery', { body: { expectedTree: ready.is === 'ready' ? ready.expectedTree : undefined } });
    expect(headlines(at)).toEqual(['begin', 'mine', 'Claude Code [Write]: Write a.txt']);
    expect(committed(at, 'a.txt')).toBe(LINES.replace('one', 'both'));
    expect(await underWay(served)).toEqual({ is: 'none' });
  });

  test("[GIT-6] a commit of the user's that was left behind", async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    write(at, 'lost.txt', 'lost\n');
    commitAll(at.workspace, 'Lost');
    git(at, 'reset', '-q', '--hard', 'HEAD~1');
    const served = serve(at);
    const { entries } = await served.ask('listReflog', { query: { q: 'lost' } });
    const { preview, apply } = recoverCommit(served, entries[0]?.commit ?? '');
    const { expectedTree, operations } = await preview(UNDECIDED, signal);
    expect(operations).toMatchObject([{ type: 'create', path: 'lost.txt' }]);
    expect(read(at, 'lost.txt')).toBe(undefined);
    await apply({ ...UNDECIDED, expectedTree, job: 'x' });
    expect([read(at, 'lost.txt'), headlines(at)]).toEqual(['lost\n', ['begin']]);
    expect(served.faults).toEqual([]);
  });
});

describe('steps of a list', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const chosen = (selected: string[], id: string, anchor?: string): string =>
    [...select({ selected: new Set(selected), ids, id, anchor, isRange: anchor !== undefined })].sort().join('');

  test('are chosen by one, or by a range in either direction, which its end decides', () => {
    expect(chosen([], 'b')).toBe('b');
    expect(chosen(['b'], 'b')).toBe('');
    expect(chosen(['b'], 'd', 'b')).toBe('bcd');
    expect(chosen(['d'], 'b', 'd')).toBe('bcd');
    expect(chosen(['a', 'b', 'c', 'd'], 'd', 'b')).toBe('a');
    expect(chosen([], 'c', 'not there any more')).toBe('c');
  });

  test('are recoverable by their state, also when their time is over', () => {
    const states = ['recoverable', 'expiring', 'expired', 'recovered', 'on-branch', null];
    expect(states.filter((state) => canRecover({ state }))).toEqual(['recoverable', 'expiring', 'expired']);
    expect(states.filter((state) => fits({ state }, 'possible'))).toEqual(['recoverable', 'expiring', 'expired']);
    expect(states.filter((state) => fits({ state }, 'recovered'))).toEqual(['recovered']);
    expect(states.filter((state) => fits({ state }, 'all'))).toEqual(states);
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect([daysLeft('2026-01-11T00:00:00Z', now), daysLeft('2026-01-01T23:00:00Z', now), daysLeft('2025-01-01T00:00:00Z', now)]).toEqual([
      10, 0, 0,
    ]);
  });

  test('that consist of parts go as the worst of them', () => {
    const step = { id: 'a', description: '', state: null, expiresAt: null };
    const worst = forecastOf([
      { ...step, applies: 'cleanly' },
      { ...step, applies: 'with-conflicts' },
      { ...step, applies: 'later' },
    ]);
    expect([...worst]).toEqual([['a', 'with-conflicts']]);
    expect(forecastWords({ steps: [], operations: [], conflicts: [] })).toBe('nothing would change');
  });
});
