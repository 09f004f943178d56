import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PlayedSession, saidIn, sessionFiles } from '../conversation/played-session.ts';
import { runHook } from '../daemon/support.ts';
import { retakeIn } from '../support/cli.ts';
import { put, type Scene } from '../support/scene.ts';
import { branchNamed, drawn, forked, forkScene, forksOf, text, turn } from './forked.ts';

const idOf = (at: Scene, title: string): string => branchNamed(forksOf(at).tree, title).branch;

const files = (at: Scene, ...paths: string[]) => paths.map((path) => text(at, path));

/** A turn of two steps, and the place between them. */
const leftInTheMiddle = async (at: Scene) => {
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('begin');
  await session.step('Write', { file_path: `${at.workspace}/a.txt` }, () => put(at.workspace, 'a.txt', 'a\n'));
  const place = session.last;
  await session.step('Write', { file_path: `${at.workspace}/b.txt` }, () => put(at.workspace, 'b.txt', 'b\n'));
  await session.answer('did: begin');
  return { session, place };
};

test('[FRK-1] a tree of two branches without a fork says why there is none', async () => {
  const at = forkScene();
  const { session, place } = await leftInTheMiddle(at);
  const shown = () => at.retake.run(at.workspace, 'forks');
  expect(shown().stdout).toContain('No conversation was continued in several ways yet');
  session.rewindTo(place);
  await turn(at, session, 'aside', { 'aside.txt': 'aside\n' });
  expect(drawn(forksOf(at).tree)).toBe('begin(aside*)');
  expect(forksOf(at).forks).toEqual([]);
  const { stdout, stderr } = shown();
  expect(stdout).toContain('No fork, but 1 branch that leaves a turn before its end');
  expect(stdout).not.toContain('No conversation was continued');
  expect(stderr).toContain('retake compare @ BRANCH');
  const left = session.last;
  await turn(at, session, 'one', {});
  session.rewindTo(left);
  await turn(at, session, 'other', {});
  expect(shown().stdout).toContain('1 fork, and 1 branch that leaves a turn before its end');
});

const ALL = ['shared.txt', 'base.txt', 'left.txt', 'right.txt', 'own.txt'] as const;
const LEFT = ['one\nleft\nthree\n', 'base\n', 'left\n', undefined, undefined];
const RIGHT = ['one\nright\nthree\n', 'base\n', undefined, 'right\n', undefined];

test('[CKP-6] a turn is counted along the branch that is named, and else along the one that the session is on', async () => {
  const at = forkScene();
  await forked(at);
  const [left, right] = ['left', 'right'].map((title) => branchNamed(forksOf(at).tree, title));
  const shown = (...args: string[]): string => at.retake.json(at.workspace, 'show', 't2', ...args).id;
  expect(left.begin).not.toBe(right.begin);
  expect([shown('--branch', left.branch.slice(0, 8)), shown('--branch', right.branch), shown()]).toEqual([
    left.begin,
    right.begin,
    right.begin,
  ]);
  expect(at.retake.json(at.workspace, 'rewind', 't2', '--branch', left.branch, '--dry-run').target).toBe(left.begin);
  const changed = at.retake.json(at.workspace, 'diff', 't2', left.tip, '--branch', left.branch).files;
  expect(changed.map(({ path }: { path: string }) => path)).toEqual(['left.txt', 'shared.txt']);
  expect(at.retake.run(at.workspace, 'show', 't3', '--branch', left.branch, '--json').json.error.message).toContain('it has 2');
  expect(at.retake.run(at.workspace, 'show', 't2', '--branch', 'nosuch', '--json')).toMatchObject({ code: 1 });
});

describe('compare', () => {
  test('[FRK-5] tells the ancestor, both sides, what both changed, and how far they went from each other', async () => {
    const at = forkScene();
    await forked(at);
    const [left, right] = [idOf(at, 'left'), idOf(at, 'right')];
    const comparison = at.retake.json(at.workspace, 'compare', left.slice(0, 8), '@');
    expect(comparison.ancestor).toEqual({ at: forksOf(at).forks[0].at, checkpoint: forksOf(at).forks[0].checkpoint });
    expect(comparison.a).toMatchObject({ branch: left, since: { turns: 1, steps: 2 }, stats: { files: 2, insertions: 2, deletions: 1 } });
    expect(comparison.b).toMatchObject({ branch: right, current: true, stats: { files: 2, insertions: 2, deletions: 1 } });
    expect(comparison.both).toEqual([{ path: 'shared.txt', conflict: 'both-changed' }]);
    // Each side changed three lines; that `two` went is what they have in common.
    expect(comparison.lines).toEqual({ a: 3, b: 3, common: 1 });
    expect(comparison.divergence).toBeCloseTo(1 - 2 / 6);
    const shown = at.retake.run(at.workspace, 'compare', left, right).stdout;
    for (const words of ['left.txt', 'right.txt', 'conflict', 'shared.txt', 'Divergence 0.67']) expect(shown).toContain(words);
  });

  test('[FRK-5] a branch and the one it goes out from do not diverge, also where a person changed something in between', async () => {
    const at = forkScene();
    const session = new PlayedSession(at);
    await session.start();
    await turn(at, session, 'begin', { 'a.txt': 'a\n' });
    const place = session.last;
    put(at.workspace, 'own.txt', 'mine\n');
    await turn(at, session, 'left', { 'left.txt': 'left\n' });
    session.rewindTo(place);
    await turn(at, session, 'right', { 'right.txt': 'right\n' });
    const told = at.retake.json(at.workspace, 'compare', idOf(at, 'begin'), idOf(at, 'left'));
    expect(told).toMatchObject({ divergence: 0, lines: { a: 0, b: 1, common: 0 }, both: [] });
    expect([told.a.since, told.a.files, told.b.since]).toMatchObject([{ turns: 0, steps: 0 }, [], { turns: 1, steps: 1 }]);
    expect(told.b.files).toMatchObject([{ path: 'left.txt' }]);
    expect(at.retake.json(at.workspace, 'compare', idOf(at, 'left'), idOf(at, 'begin'))).toMatchObject({
      divergence: 0,
      lines: { a: 1, b: 0 },
    });
    const shown = at.retake.run(at.workspace, 'compare', idOf(at, 'begin'), idOf(at, 'left')).stdout;
    expect(shown).toContain('Divergence 0.00 (B alone changed the code since)');
  });

  test('[FRK-5] one that leaves a turn in the middle: what the other did afterwards counts for it', async () => {
    const at = forkScene();
    const { session, place } = await leftInTheMiddle(at);
    await turn(at, session, 'later', { 'later.txt': 'later\n' });
    session.rewindTo(place);
    await turn(at, session, 'aside', { 'aside.txt': 'aside\n' });
    const told = at.retake.json(at.workspace, 'compare', idOf(at, 'begin'), idOf(at, 'aside'));
    expect([told.a.since, told.b.since]).toMatchObject([
      { turns: 1, steps: 1 },
      { turns: 1, steps: 1 },
    ]);
  });

  test('[FRK-5] refuses what can not be compared', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const other = new PlayedSession(at);
    await other.start();
    await turn(at, other, 'elsewhere', { 'else.txt': 'else\n' });
    const code = (...args: string[]): string => at.retake.run(at.workspace, ...args, '--json').json.error.code;
    expect(code('compare', idOf(at, 'left'), idOf(at, 'elsewhere'))).toBe('no-common-ancestor');
    expect(code('compare', idOf(at, 'left'), idOf(at, 'left'))).toBe('same-branch');
    expect(code('compare', 'nonsense', '@')).toBe('unknown-id');
    // The session's own branch, by its id.
    expect(at.retake.json(at.workspace, 'compare', idOf(at, 'left'), session.id).b.title).toBe('right');
  });
});

describe('switch', () => {
  test.each([['false'], ['true']])('[FRK-6] goes to the branch that was left and back, both exact (daemon %s)', async (enabled) => {
    const at = forkScene({ RETAKE_DAEMON_ENABLED: enabled });
    const { session } = await forked(at);
    const before = readFileSync(session.path);
    // Not recorded by anybody when the branch is left: it is part of it all the same.
    put(at.workspace, 'own.txt', 'own\n');
    const preview = at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--dry-run');
    expect(preview.operations.map(({ type, path }: { type: string; path: string }) => `${type} ${path}`)).toEqual([
      'create left.txt',
      'delete own.txt',
      'delete right.txt',
      'restore shared.txt',
    ]);
    expect(sessionFiles(at)).toHaveLength(1);
    const there = at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes');
    expect(files(at, ...ALL)).toEqual(LEFT);
    expect(saidIn(at, there.sessionId).filter((said) => !said.startsWith('tool_'))).toEqual(['begin', 'did: begin', 'left', 'did: left']);
    expect(there.resume).toContain(`--resume ${there.sessionId}`);
    expect(drawn(forksOf(at).tree)).toBe('begin(left* right)');
    expect(at.retake.json(at.workspace, 'log', '--limit', '1').operations[0]).toMatchObject({ kind: 'switch', rolledBack: null });

    const again = at.retake.run(at.workspace, 'switch', idOf(at, 'left'), '--json');
    expect([again.code, again.json.error.code]).toEqual([1, 'same-branch']);

    const back = at.retake.json(at.workspace, 'switch', idOf(at, 'right'), '--yes');
    expect(files(at, ...ALL)).toEqual([...RIGHT.slice(0, 4), 'own\n']);
    expect(back.sessionId).toBe(session.id);
    expect(readFileSync(session.path)).toEqual(before);
    expect(drawn(forksOf(at).tree)).toBe('begin(left right*)');
    // Once more: the session that was made for it is used again.
    expect(at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes').sessionId).toBe(there.sessionId);
    expect(files(at, ...ALL)).toEqual(LEFT);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(files(at, ...ALL)).toEqual([...RIGHT.slice(0, 4), 'own\n']);
    expect(drawn(forksOf(at).tree)).toBe('begin(left right*)');
  });

  test('[FRK-6] [GIT-4] before anybody goes on there, what can be kept or discarded is the work of the session that the branch is from', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes');
    const { operations } = at.retake.json(at.workspace, 'discard', '--dry-run');
    expect(operations.map(({ type, path }: { type: string; path: string }) => `${type} ${path}`).sort()).toEqual([
      'delete base.txt',
      'delete left.txt',
      'delete shared.txt',
    ]);
    expect(at.retake.json(at.workspace, 'discard', '--dry-run', '--session', session.id).operations).toEqual(operations);
  });

  test('[FRK-6] work that goes on there is on that branch', async () => {
    const at = forkScene();
    await forked(at);
    const { sessionId } = at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes');
    const resumed = new PlayedSession(at, sessionId);
    await turn(at, resumed, 'more on the left', { 'more.txt': 'more\n' });
    const { tree } = forksOf(at);
    expect(drawn(tree)).toBe('begin(left* right)');
    expect(branchNamed(tree, 'left')).toMatchObject({ turns: 2, steps: 3, files: 3 });
    at.retake.json(at.workspace, 'switch', idOf(at, 'right'), '--yes');
    expect(files(at, ...ALL, 'more.txt')).toEqual([...RIGHT, undefined]);
    at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes');
    expect(files(at, ...ALL, 'more.txt')).toEqual([...LEFT, 'more\n']);
  });
});

describe('merge', () => {
  test('[FRK-6] [RST-9] nothing is written until every conflict is chosen; then as chosen, and undo takes it back', async () => {
    const at = forkScene();
    await forked(at);
    const [left, right] = [idOf(at, 'left'), idOf(at, 'right')];
    const preview = at.retake.json(at.workspace, 'merge', right, left, '--dry-run');
    const refused = at.retake.run(at.workspace, 'merge', right, left, '--yes', '--json');
    expect([refused.code, refused.json.error.code]).toEqual([1, 'conflicts']);
    const conflict = {
      path: 'shared.txt',
      reason: 'both-changed',
      choice: null,
      steps: [preview.target],
      ours: { type: 'file', size: 16 },
      theirs: { type: 'file', size: 15 },
      marked: '<<<<<<< right\nright\n||||||| where they parted\ntwo\n=======\nleft\n>>>>>>> left\n',
    };
    expect(refused.json.error.details.conflicts).toEqual([conflict]);
    expect(files(at, ...ALL)).toEqual(RIGHT);
    expect(preview.conflicts).toEqual([conflict]);

    const results = {
      ours: 'one\nright\nthree\n',
      theirs: 'one\nleft\nthree\n',
      skip: 'one\nright\nthree\n',
      manual: 'one\n<<<<<<< right\nright\n||||||| where they parted\ntwo\n=======\nleft\n>>>>>>> left\nthree\n',
    };
    for (const [choice, content] of Object.entries(results)) {
      const done = at.retake.json(at.workspace, 'merge', left, right, '--resolve', `shared.txt=${choice}`, '--yes');
      expect(files(at, ...ALL)).toEqual([content, 'base\n', 'left\n', 'right\n', undefined]);
      expect(done.conflicts).toEqual([{ ...conflict, choice }]);
      at.retake.json(at.workspace, 'undo', done.rollbackId, '--yes');
      expect(files(at, ...ALL)).toEqual(RIGHT);
    }
    at.retake.json(at.workspace, 'merge', left, right, '--on-conflict', 'theirs', '--yes');
    expect(files(at, ...ALL)).toEqual([results.theirs, 'base\n', 'left\n', 'right\n', undefined]);
  });

  test('[FRK-6] what both changed in different lines fits together, the present with what nobody recorded', async () => {
    const at = forkScene();
    const session = new PlayedSession(at);
    await session.start();
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const content = (changed: Record<string, string> = {}): string => lines.map((line) => `${changed[line] ?? line}\n`).join('');
    await turn(at, session, 'begin', { f: content() });
    const place = session.last;
    await turn(at, session, 'left', { f: content({ a: 'A' }) });
    session.rewindTo(place);
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    await turn(at, session, 'right', { f: content({ d: 'D' }) });
    put(at.workspace, 'f', content({ d: 'D', g: 'G' }));
    at.retake.json(at.workspace, 'merge', idOf(at, 'left'), '@', '--yes');
    expect(text(at, 'f')).toBe(content({ a: 'A', d: 'D', g: 'G' }));
  });

  test('[CLI] wrong choices and branches are refused', async () => {
    const at = forkScene();
    await forked(at);
    expect(at.retake.run(at.workspace, 'merge', '@', idOf(at, 'left'), '--resolve', 'shared.txt=maybe').code).toBe(2);
    expect(at.retake.run(at.workspace, 'merge', '@', idOf(at, 'left'), '--on-conflict', 'maybe').code).toBe(2);
    expect(at.retake.run(at.workspace, 'merge', '@').code).toBe(2);
    const needless = at.retake.run(at.workspace, 'merge', '@', idOf(at, 'left'), '--resolve', 'base.txt=ours', '--yes', '--json');
    expect([needless.code, needless.json.error.message]).toEqual([1, expect.stringContaining('base.txt is not in conflict')]);
    expect(files(at, ...ALL)).toEqual(RIGHT);
    const neither = at.retake.run(at.workspace, 'merge', idOf(at, 'left'), idOf(at, 'begin'), '--json');
    expect([neither.code, neither.json.error.code]).toEqual([1, 'other-branch']);
  });
});

describe('what the agent is told', () => {
  const TOLD = { RETAKE_DAEMON_ENABLED: 'true', RETAKE_HOOK_DEADLINE_MS: '60000' };
  const said = async (at: Scene, session: string): Promise<string> => {
    const event = { session_id: session, cwd: at.workspace, hook_event_name: 'UserPromptSubmit', prompt: 'x', prompt_id: randomUUID() };
    const { stdout } = await runHook(at, JSON.stringify(event));
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };

  test('[AGT-1] a merge, by the files it changed; going to another branch and back is no news', async () => {
    const quiet = forkScene();
    const { session } = await forked(quiet);
    const at: Scene = { ...quiet, retake: retakeIn(quiet.retake.env.HOME ?? '', TOLD) };
    at.retake.json(at.workspace, 'switch', idOf(at, 'left'), '--yes');
    at.retake.json(at.workspace, 'switch', idOf(at, 'right'), '--yes');
    expect(await said(at, session.id)).toBe('');
    at.retake.json(at.workspace, 'merge', '@', idOf(at, 'left'), '--on-conflict', 'ours', '--yes');
    expect(await said(at, session.id)).toMatch(
      /^Retake: the user took in the changes of another branch \(checkpoint \w+\)\. Changed on disk since you last looked: "left.txt"\./,
    );
  });
});
