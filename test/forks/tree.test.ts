import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PlayedSession, projectOf } from '../conversation/played-session.ts';
import { readLog, until } from '../daemon/support.ts';
import { put, type Scene } from '../support/scene.ts';
import { branchNamed, drawn, forked, forkScene, forksOf, text, turn } from './forked.ts';

const recordedForks = (at: Scene) =>
  at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'fork-point');

describe('the tree of a forked conversation', () => {
  test('[FRK-1] [FRK-4] tells the branches with their code, and which is gone on with', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const { tree, forks, breadcrumbs } = forksOf(at);
    expect(drawn(tree)).toBe('begin(left right*)');
    const [begin, left, right] = ['begin', 'left', 'right'].map((title) => branchNamed(tree, title));
    expect(begin).toMatchObject({ sessionId: session.id, depth: 0, turns: 1, steps: 2, files: 2, insertions: 4, deletions: 0 });
    expect(left).toMatchObject({ depth: 1, turns: 1, steps: 2, files: 2, insertions: 2, deletions: 1, from: forks[0].at });
    expect(right).toMatchObject({ depth: 1, turns: 1, steps: 2, files: 2, insertions: 2, deletions: 1 });
    expect(forks).toMatchObject([{ children: [left.branch, right.branch], sessions: [session.id], reason: null }]);
    expect(breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(['begin', 'right']);
    // The code at the fork is that of the moment, not of the detection: before the turn that was rewound.
    const { description, kind } = at.retake.json(at.workspace, 'show', forks[0].checkpoint);
    expect([kind, description]).toEqual(['prompt', 'left']);
    expect([left.checkpoint, right.checkpoint]).toEqual([forks[0].checkpoint, forks[0].checkpoint]);
    // Turns are counted along their branch.
    const steps = at.retake.json(at.workspace, 'log').operations.filter((one: { kind: string }) => one.kind === 'prompt');
    expect(
      steps.map(({ description, turn, branch, messageId }: Record<string, unknown>) => [description, turn, branch, messageId]),
    ).toEqual([
      ['right', 2, right.branch, right.branch],
      ['left', 2, left.branch, left.branch],
      ['begin', 1, begin.branch, begin.branch],
    ]);
    const shown = at.retake.run(at.workspace, 'forks').stdout;
    expect(shown).toMatch(/○ \w{8} {2}begin .*\n├─ ○ \w{8} {2}left .*\n└─ ● \w{8} {2}right .*← you are here/);
    expect(shown).toContain('You are here: begin › right');
  });

  test('[FRK-3] processes that find it at the same time record it once, and once more when it gets another way', async () => {
    const at = forkScene();
    const { session, place } = await forked(at);
    await Promise.all(Array.from({ length: 6 }, () => at.retake.start(at.workspace, 'forks', '--json')));
    expect(recordedForks(at)).toHaveLength(1);
    const [before] = forksOf(at).forks;
    session.rewindTo(place);
    await turn(at, session, 'third', { 'third.txt': 'third\n' });
    const { forks, tree } = forksOf(at);
    expect(forks).toHaveLength(1);
    expect(forks[0]).toMatchObject({
      at: before.at,
      checkpoint: before.checkpoint,
      children: [...before.children, branchNamed(tree, 'third').branch],
    });
    expect(recordedForks(at)).toHaveLength(2);
    expect(drawn(tree)).toBe('begin(left right third*)');
  });

  test('[FRK-1] it is the same after the index is thrown away, and when the session files are gone the forks stay', async () => {
    const at = forkScene();
    await forked(at);
    const before = forksOf(at);
    at.retake.run(at.workspace, 'rebuild');
    expect(forksOf(at)).toEqual(before);
    at.retake.json(at.workspace, 'checkpoint', '--name', 'kept');
    rmSync(projectOf(at), { recursive: true });
    const after = forksOf(at);
    expect(after.tree).toEqual([]);
    expect(after.forks).toEqual(before.forks);
  });

  test('[FRK-1] [CNV-3] a fork and a rewind made by Retake are in the same tree', async () => {
    const at = forkScene();
    const session = new PlayedSession(at);
    await session.start();
    await turn(at, session, 'first', { a: '1\n' });
    await turn(at, session, 'second', { a: '2\n' });
    const made = at.retake.json(at.workspace, 'fork', 't2', '--name', 'aside');
    const aside = new PlayedSession(at, made.sessionId);
    await turn(at, aside, 'beside', { b: 'b\n' });
    const gone = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--session', session.id, '--yes');
    const back = new PlayedSession(at, gone.sessionId);
    await turn(at, back, 'again', { a: 'again\n' });
    const { tree, forks } = forksOf(at);
    expect(drawn(tree)).toBe('first(second beside again*)');
    expect(forks).toHaveLength(1);
    expect(forks[0].sessions).toEqual([session.id, aside.id, back.id]);
  });

  test('[FRK-4] [RST-7] a conversation that went back and forth again leaves the code of its branch as it was', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    await turn(at, session, 'more', { 'more.txt': 'more\n' });
    const codeOf = ({ files, insertions, deletions, steps }: Record<string, number>) => ({ files, insertions, deletions, steps });
    const before = codeOf(branchNamed(forksOf(at).tree, 'right'));
    expect(before).toMatchObject({ files: 3 });
    at.retake.json(at.workspace, 'rewind', 't3', '--scope', 'both', '--yes');
    expect(text(at, 'more.txt')).toBeUndefined();
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(text(at, 'more.txt')).toBe('more\n');
    expect(codeOf(branchNamed(forksOf(at).tree, 'right'))).toEqual(before);
  });

  test('[FRK-2] a fork from before Retake has no code, and rolling back to it is refused with the reason', async () => {
    const { session } = await forked(forkScene());
    const at = forkScene();
    mkdirSync(projectOf(at), { recursive: true });
    copyFileSync(session.path, `${projectOf(at)}/${session.id}.jsonl`);
    expect(forksOf(at).forks).toMatchObject([{ id: null, checkpoint: null }]);
    put(at.workspace, 'file', 'now\n');
    at.retake.json(at.workspace, 'checkpoint');
    const { forks, tree } = forksOf(at);
    expect(forks).toMatchObject([{ checkpoint: null, reason: 'Retake did not record the turn that was rewound' }]);
    expect(branchNamed(tree, 'left')).toMatchObject({ turns: 1, steps: 0, toolCalls: 2, files: null, tip: null });
    const refused = at.retake.run(at.workspace, 'rewind', forks[0].id, '--json');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: 'no-code' });
    expect(JSON.parse(refused.stdout).error.message).toContain('did not record the turn that was rewound');
  });

  test('[FRK-6] rolling back to the fork point brings back the code there', async () => {
    const at = forkScene();
    await forked(at);
    const [{ id }] = forksOf(at).forks;
    at.retake.json(at.workspace, 'rewind', id, '--yes');
    expect([text(at, 'shared.txt'), text(at, 'left.txt'), text(at, 'right.txt')]).toEqual(['one\ntwo\nthree\n', undefined, undefined]);
  });

  test('[FRK-1] the daemon records a fork without being asked', async () => {
    const at = forkScene({ RETAKE_DAEMON_ENABLED: 'true' });
    await forked(at);
    await until(() => recordedForks(at).length > 0);
    expect(recordedForks(at)).toHaveLength(1);
    expect(readLog(at)).not.toContain('looking for forks');
  });

  test('[REL-6] session files with anything in them do not keep the others from being shown', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const lines = readFileSync(session.path, 'utf8').split('\n');
    for (const [name, content] of Object.entries({
      'garbage.jsonl': '{"uuid":1}\nnot json\n\u0000\n',
      'torn.jsonl': lines[1]?.slice(0, 40) ?? '',
      'circle.jsonl': ['a', 'b']
        .map((id, i) => JSON.stringify({ type: 'user', uuid: id, parentUuid: ['b', 'a'][i], message: { role: 'user', content: id } }))
        .join('\n'),
      'proto.jsonl': `${JSON.stringify({ type: 'user', uuid: '__proto__', parentUuid: 'constructor', message: { role: 'user', content: 'x' } })}\n`,
    }))
      put(projectOf(at), name, content);
    expect(drawn(forksOf(at).tree.filter(({ title }: { title: string }) => title === 'begin'))).toBe('begin(left right*)');
    expect(forksOf(at).forks).toHaveLength(1);
  });
});
