import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { branchNamed, forked, forkScene, forksOf, text, turn } from '../forks/forked.ts';
import { put } from '../support/scene.ts';
import { serve } from './served.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Any = any;

/** Two sessions, and ways back of every level in the first; one in the second. Newest first what each is. */
const history = async () => {
  const at = forkScene();
  const cli = (...args: string[]): Any => at.retake.json(at.workspace, ...args, '--yes');
  const { session } = await forked(at);
  const other = new PlayedSession(at);
  await other.start();
  await turn(at, other, 'elsewhere', { 'else.txt': 'else\n' });
  cli('rewind', 't1', '--session', other.id, '--scope', 'code');
  cli('undo');
  cli('switch', branchNamed(forksOf(at).tree, 'left').branch);
  cli('rewind', forksOf(at).forks[0].id, '--scope', 'code', '--no-keep-mine');
  cli('undo');
  cli('redo');
  const start = at.retake.json(at.workspace, 'log').operations.findLast(({ kind }: Any) => kind === 'session-start').id;
  cli('rewind', start, '--scope', 'code', '--no-keep-mine');
  cli('undo');
  cli('discard', '--session', session.id);
  const levels = ['session discard', 'session undo', 'session rollback', 'fork redo', 'fork undo', 'fork rollback', 'fork switch'];
  return { at, session, other, levels: [...levels, 'step undo', 'step rollback', 'step rollback'] };
};

const told = ({ level, type }: Any): string => `${level} ${type}`;

test('[RST-7] the history tells what each went back to, and is filtered by session, level and type, in CLI and API alike', async () => {
  const { at, session, other, levels } = await history();
  const { ask, signed, faults } = serve(at);
  const list = async (query: object = {}): Promise<Any[]> => {
    const flags = Object.entries(query).flatMap(([key, value]) => [`--${key}`, value]);
    const { rollbacks, total } = await ask('listRollbacks', { query });
    expect(total).toBe(rollbacks.length);
    expect(at.retake.json(at.workspace, 'rollbacks', ...flags).rollbacks).toEqual(rollbacks);
    return rollbacks;
  };
  const all = await list();
  expect(all.map(told)).toEqual(levels);
  for (const level of ['session', 'fork', 'step'])
    expect((await list({ level })).map(told), level).toEqual(levels.filter((one) => one.startsWith(level)));
  expect((await list({ type: 'undo' })).map(told)).toEqual(levels.filter((one) => one.endsWith(' undo')));
  expect((await list({ level: 'fork', type: 'redo' })).map(told)).toEqual(['fork redo']);
  // What was rolled back before the second session began concerns the first alone.
  const ofOther = await list({ session: other.id.slice(0, 8) });
  expect(ofOther.every(({ sessions }) => sessions.includes(other.id))).toBe(true);
  expect(ofOther.map(({ id }) => id)).not.toContain(all.at(-1).id);
  expect(ofOther.map(({ id }) => id)).toContain(all.at(-2).id);
  const ofFirst = await list({ session: session.id });
  expect(ofFirst.map(({ id }) => id)).toContain(all.at(-1).id);
  expect(ofFirst.map(({ id }) => id)).not.toContain(all.at(-2).id);
  expect(at.retake.run(at.workspace, 'rollbacks', '--level', 'fork', '--session', session.id).stdout).toMatch(/switch +fork /);
  expect(at.retake.run(at.workspace, 'rollbacks', '--level', 'step', '--type', 'merge').stderr).toContain('No rollback fits');
  expect(at.retake.run(at.workspace, 'rollbacks', '--level', 'all', '--json').code).toBe(2);
  for (const [query, status] of [
    ['level=all', 400],
    ['type=none', 400],
    ['session=nobody', 404],
  ] as const)
    expect((await signed(`/api/rollbacks?${query}`)).status, query).toBe(status);
  expect(faults).toEqual([]);
});

test('[FRK-6] rollback-to-fork needs no body where there is one fork, and a name where there are several', async () => {
  const at = forkScene();
  const { session, place } = await forked(at);
  const { ask, signed, faults } = serve(at);
  const path = `/api/sessions/${session.id}/rollback-to-fork`;
  const post = (init: RequestInit = {}) => signed(path, { method: 'POST', headers: { 'content-type': 'application/json' }, ...init });
  // More than one path changes: it is shown first, and done with what was shown.
  const refused = await post();
  expect(refused.status).toBe(409);
  const { error } = (await refused.json()) as Any;
  expect(error.code).toBe('needs-confirmation');
  expect(error.details.plan.target).toBe(forksOf(at).forks[0].checkpoint);
  const done: Any = await ask('rollBackToFork', {
    params: { session: session.id },
    body: { scope: 'code', expectedTree: error.details.plan.expectedTree } as Any,
  });
  expect(done.rollbackId).toMatch(/^[0-9a-f]{40}$/);
  expect([text(at, 'left.txt'), text(at, 'right.txt')]).toEqual([undefined, undefined]);
  expect((await ask('listRollbacks', { query: { level: 'fork' } })).rollbacks.map(({ id }) => id)).toEqual([done.rollbackId]);
  session.rewindTo(place);
  const further = session.last;
  await turn(at, session, 'third', {});
  const end = session.last;
  await turn(at, session, 'third a', {});
  session.rewindTo(end);
  await turn(at, session, 'third b', {});
  expect(further).toBe(place);
  const several = await post();
  expect([several.status, ((await several.json()) as Any).error.code]).toEqual([expect.any(Number), 'ambiguous-id']);
  const both = await post({ body: JSON.stringify({ fork: 'abcd', at: null }) });
  expect(both.status).toBe(400);
  expect(faults).toEqual([]);
});

test('[FRK-6] rollback-to-fork is refused where there is no fork; other bodies are still needed', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'alone', { 'a.txt': 'a\n' });
  const { signed, faults } = serve(at);
  const post = (path: string) => signed(path, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const refused = await post(`/api/sessions/${session.id}/rollback-to-fork`);
  expect([refused.status, ((await refused.json()) as Any).error.message]).toEqual([
    404,
    `The conversation of session ${session.id} has no fork`,
  ]);
  expect((await post('/api/forks/compare')).status).toBe(400);
  expect(faults).toEqual([]);
});

test('[FRK-2] fork points are marked and can be asked for alone: checkpoints, turns, log', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  await turn(at, session, 'right again', { 'more.txt': 'more\n' });
  put(at.workspace, 'own.txt', 'own\n');
  at.retake.json(at.workspace, 'checkpoint');
  const { tree, forks } = forksOf(at);
  const [left, right] = ['left', 'right'].map((title) => branchNamed(tree, title));
  const { ask, signed, faults } = serve(at);
  const params = { session: session.id };
  const mark = { fork: forks[0].id, ways: 2 };
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

  const onRight = await ask('listCheckpoints', { params, query: { forkPoints: true } });
  expect([ids(onRight.checkpoints), onRight.total]).toEqual([[right.begin], 1]);
  expect(onRight.checkpoints[0]?.forkPoint).toEqual(mark);
  expect(ids((await ask('listCheckpoints', { params, query: { forkPoints: true, branch: left.branch } })).checkpoints)).toEqual([
    left.begin,
  ]);
  const all = (await ask('listCheckpoints', { params })).checkpoints;
  expect(ids(all.filter(({ forkPoint }) => forkPoint !== null))).toEqual([right.begin]);
  expect((await ask('getCheckpoint', { params: { ...params, checkpoint: right.begin } })).forkPoint).toEqual(mark);

  const turns = await ask('listTurns', { params });
  expect(turns.turns.map(({ title, forkPoint }) => [title, forkPoint])).toEqual([
    ['right again', null],
    ['right', mark],
    ['begin', null],
  ]);
  const marked = await ask('listTurns', { params, query: { forkPoints: true } });
  expect([marked.turns.map(({ title, number }) => [title, number]), marked.total]).toEqual([[['right', 2]], 1]);

  const log = at.retake.json(at.workspace, 'log', '--forks').operations;
  expect(log.map(({ kind, id }: Any) => [kind, id])).toEqual([
    ['fork-point', forks[0].id],
    ['prompt', right.begin],
    ['prompt', left.begin],
  ]);
  expect(at.retake.json(at.workspace, 'log', '--forks', '--limit', '1').operations).toHaveLength(1);
  expect(at.retake.run(at.workspace, 'log', '--forks').stdout).toMatch(/prompt .* right {2}fork, 2 ways/);
  expect((await signed(`/api/sessions/${session.id}/checkpoints?forkPoints=yes`)).status).toBe(400);
  expect(faults).toEqual([]);
});
