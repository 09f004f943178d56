import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene } from '../daemon/support.ts';
import { branchNamed, forked, forkScene, forksOf, turn } from '../forks/forked.ts';
import { put, scene } from '../support/scene.ts';
import { type Served, serve } from './served.ts';

const NOBODY = '0'.repeat(40);

const paths = ({ files }: { files: readonly { status: string; path: string }[] }): string[] =>
  files.map(({ status, path }) => `${status} ${path}`);

/** What a route answers, as status and code. */
const refusal = async (asked: Promise<unknown>): Promise<unknown> => {
  const error = await asked.then(
    () => undefined,
    (error) => error,
  );
  return [error?.status, error?.code];
};

const UNKNOWN = [404, 'unknown-id'];

test('[API] a checkpoint of a session with the present and with another one, by id and by turn', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'one', { 'a.txt': 'a\n' });
  await turn(at, session, 'two', { 'a.txt': 'a\nb\n', 'b.txt': 'b\n' });
  put(at.workspace, 'mine.txt', 'mine\n');
  const { ask, faults } = serve(at);
  const inSession = { session: session.id };
  expect(paths(await ask('diffWithPresent', { params: { ...inSession, checkpoint: 't2' } }))).toEqual([
    'modified a.txt',
    'added b.txt',
    'added mine.txt',
  ]);
  expect(paths(await ask('diffCheckpoints', { params: { ...inSession, checkpoint: 't1', other: 't2' } }))).toEqual(['added a.txt']);
  expect(paths(await ask('diffCheckpoints', { params: { ...inSession, checkpoint: 't2', other: 't1' } }))).toEqual(['deleted a.txt']);
  expect(await ask('diffSession', { params: { session: session.id.slice(0, 8) } })).toMatchObject({
    to: { id: null },
    stats: { files: 3, insertions: 4, deletions: 0 },
  });
  for (const checkpoint of ['t9', NOBODY, 'nothing', '--output=x', '__proto__', '@-999', '../..']) {
    expect(await refusal(ask('diffWithPresent', { params: { ...inSession, checkpoint } })), checkpoint).toEqual(UNKNOWN);
  }
  for (const unknown of ['nobody', '__proto__', '--output=x', '../..']) {
    expect(await refusal(ask('diffSession', { params: { session: unknown } })), unknown).toEqual(UNKNOWN);
  }
  expect(faults).toEqual([]);
});

test("[API] a checkpoint of another session is none of this one's", async () => {
  const at = forkScene();
  const [one, other] = [new PlayedSession(at), new PlayedSession(at)];
  for (const session of [one, other]) {
    await session.start();
    await turn(at, session, 'write', { [`${session.id}.txt`]: 'x\n' });
  }
  const own = at.retake.json(at.workspace, 'checkpoint', '--name', 'mine').id;
  const { ask } = serve(at);
  const [newest] = at.retake.json(at.workspace, 'log', '--session', other.id).operations;
  const asOf = (session: string, checkpoint: string) => ask('diffWithPresent', { params: { session, checkpoint } });
  expect(paths(await asOf(other.id, newest.id))).toEqual([]);
  expect(await refusal(asOf(one.id, newest.id))).toEqual(UNKNOWN);
  expect(await refusal(asOf(one.id, own))).toEqual(UNKNOWN);
  expect(paths(await asOf('local', 'mine'))).toEqual([]);
});

test('[API] a session that was gone on with elsewhere still knows the checkpoints that it came from', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'one', { 'a.txt': 'a\n' });
  await turn(at, session, 'two', { 'b.txt': 'b\n' });
  const { sessionId } = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'conversation', '--yes');
  const resumed = new PlayedSession(at, sessionId);
  await turn(at, resumed, 'other two', { 'c.txt': 'c\n' });
  const { ask } = serve(at);
  const diff = await ask('diffCheckpoints', { params: { session: sessionId, checkpoint: 't1', other: 't2' } });
  expect(paths(diff)).toEqual(['added a.txt', 'added b.txt']);
});

test('[API] what a step changed is what show tells of it; a rollback too', async () => {
  const at = forkScene();
  await forked(at);
  const served = serve(at);
  const { operations } = at.retake.json(at.workspace, 'log');
  for (const { id, kind, files } of operations) {
    if (kind === 'fork-point') {
      expect(await refusal(served.ask('diffStep', { params: { commit: id } }))).toEqual([422, 'not-a-checkpoint']);
      continue;
    }
    const { changes } = at.retake.json(at.workspace, 'show', id);
    const diff = await served.ask('diffStep', { params: { commit: id } });
    expect(paths(diff), kind).toEqual(paths({ files: changes }));
    expect(diff.stats, kind).toEqual({ files: files.changed, insertions: files.insertions, deletions: files.deletions });
    expect(diff.to.id).toBe(id);
  }
  const rewind = operations.find(({ kind }: { kind: string }) => kind === 'rollback');
  expect((await served.ask('diffStep', { params: { commit: rewind.id } })).files.length).toBeGreaterThan(0);
  const first = operations.at(-1).id;
  expect(await served.ask('diffStep', { params: { commit: first.slice(0, 10) } })).toMatchObject({ from: null, files: [], total: 0 });
  expect(await refusal(served.ask('diffStep', { params: { commit: NOBODY } }))).toEqual(UNKNOWN);
  expect(served.faults).toEqual([]);
});

test('[API] [FRK-2] from the fork that a branch begins at to its newest code', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { tree } = forksOf(at);
  const [root, left] = ['begin', 'left'].map((title) => branchNamed(tree, title).branch);
  const alone = new PlayedSession(at);
  await alone.start();
  await turn(at, alone, 'alone', { 'alone.txt': 'alone\n' });
  const { ask } = serve(at);
  const ofBranch = (branch?: string) => ask('diffForkPoint', { params: { session: session.id }, query: { branch, hunks: true } });
  const right = await ofBranch();
  expect(paths(right)).toEqual(['added right.txt', 'modified shared.txt']);
  expect(right.files[1]?.hunks?.[0]?.lines.filter(({ kind }) => kind !== 'context')).toEqual([
    { kind: 'remove', text: 'two' },
    { kind: 'add', text: 'right' },
  ]);
  const other = await ofBranch(left);
  expect(paths(other)).toEqual(['added left.txt', 'modified shared.txt']);
  expect(other.from).toEqual(right.from);
  expect(await refusal(ofBranch(root))).toEqual([404, 'no-code']);
  expect(await refusal(ofBranch('nothing'))).toEqual(UNKNOWN);
  expect(await refusal(ofBranch(alone.id))).toEqual(UNKNOWN);
});

const askPresent = async ({ ask, at }: Served, checkpoint: string): Promise<[string[], string[]]> => {
  const here = paths(await ask('diffWithPresent', { params: { session: 'local', checkpoint } }));
  return [here, paths(at.retake.json(at.workspace, 'diff', checkpoint))];
};

test('[API] [CLI] diff: the daemon tells the present, with the same outcome', async () => {
  const at = daemonScene();
  const { workspace, retake } = at;
  put(workspace, 'a.txt', 'a\n');
  const { id } = retake.json(workspace, 'checkpoint');
  retake.json(workspace, 'daemon', 'start');
  const known = () => retake.json(workspace, 'daemon', 'status').workspaces.map(({ root }: { root: string }) => root);
  expect(known()).toEqual([]);
  const served = serve(at);
  put(workspace, 'b.txt', 'b\n');
  expect(await askPresent(served, id)).toEqual([['added b.txt'], ['added b.txt']]);
  expect(known()).toEqual([workspace]);
  for (const name of ['c.txt', 'd.txt']) put(workspace, name, name);
  put(workspace, 'a.txt', 'other\n');
  const changed = ['modified a.txt', 'added b.txt', 'added c.txt', 'added d.txt'];
  expect(await askPresent(served, id)).toEqual([changed, changed]);
  expect(retake.json(workspace, 'log').operations).toHaveLength(1);
});

test('[API] where nothing is recorded yet, nothing is made by asking', async () => {
  const at = scene();
  put(at.workspace, 'a.txt', 'a\n');
  const { ask } = serve(at);
  expect(await refusal(ask('diffSession', { params: { session: 'local' } }))).toEqual(UNKNOWN);
  expect(await refusal(ask('diffStep', { params: { commit: '@-1' } }))).toEqual(UNKNOWN);
  const { workspaces } = await ask('listWorkspaces');
  expect(workspaces).toMatchObject([{ isProtected: false }]);
});
