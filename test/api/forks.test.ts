import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf, PlayedSession, saidIn, sessionFiles } from '../conversation/played-session.ts';
import { drawn, forked, forkScene, forksOf, text, turn } from '../forks/forked.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene } from '../support/scene.ts';
import { asShown, HOSTILE, post, refused } from './asked.ts';
import { serve } from './served.ts';

const undo = (at: Scene): unknown => at.retake.json(at.workspace, 'undo', '--yes');

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const logged = (at: Scene): any[] => at.retake.json(at.workspace, 'log').operations;

const titled = (tree: readonly { title: string; branch: string; children: readonly unknown[] }[], title: string): string =>
  tree.flatMap((one) => [one.title === title ? one.branch : titled(one.children as typeof tree, title)]).find((branch) => branch !== '') ??
  '';

describe('forks', () => {
  test('[FRK-4] the tree of a session, with the way to it: read, and nothing is recorded', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const other = new PlayedSession(at);
    await other.start();
    await turn(at, other, 'alone', { 'alone.txt': 'alone\n' });
    const served = serve(at);
    const { ask, signed, faults } = served;
    const before = logged(at);
    const params = { session: session.id };
    const { tree, forks, breadcrumbs } = await ask('getForkTree', { params });
    expect(drawn(tree)).toBe('begin(left right)');
    expect(breadcrumbs.map(({ title }) => title)).toEqual(['begin', 'right']);
    expect(forks).toMatchObject([{ id: null, checkpoint: expect.any(String), reason: null }]);
    expect(logged(at)).toEqual(before);
    const left = titled(tree, 'left');
    const way = await ask('getForkTree', { params, query: { branch: left } });
    expect(way.breadcrumbs.map(({ title }) => title)).toEqual(['begin', 'left']);
    const all = await ask('getForkTree', { params: { session: other.id }, query: { all: true } });
    expect(drawn(all.tree)).toBe('alone* begin(left right)');
    const alone = await ask('getForkTree', { params: { session: other.id } });
    expect([drawn(alone.tree), alone.forks]).toEqual(['alone*', []]);

    // What the command line records is told the same, but for the record.
    const recorded = forksOf(at);
    expect(recorded.forks).toMatchObject([
      { id: expect.any(String), checkpoint: forks[0]?.checkpoint, at: forks[0]?.at, children: forks[0]?.children },
    ]);
    expect((await ask('getForkTree', { params })).forks).toEqual(recorded.forks);
    const path = `/api/sessions/${session.id}/fork-tree`;
    expect(await refused(signed(`${path}?branch=${other.id}`))).toBe('404 unknown-id');
    expect(await refused(signed(`${path}?branch=nowhere`))).toBe('404 unknown-id');
    expect(await refused(signed(`${path}?branch=`))).toBe('400 bad-request');
    expect(await refused(signed(`${path}?all=1`))).toBe('400 bad-request');
    expect(faults).toEqual([]);
  });

  test('[FRK-3] a fork that got another way is one, also before anybody records that, and when the conversation is gone', async () => {
    const at = forkScene();
    const { session, place } = await forked(at);
    const [recorded] = forksOf(at).forks;
    session.rewindTo(place);
    await turn(at, session, 'third', { 'third.txt': 'third\n' });
    const { ask, faults } = serve(at);
    const params = { session: session.id };
    const { forks } = await ask('getForkTree', { params });
    expect(forks).toMatchObject([{ id: null, at: recorded.at, checkpoint: recorded.checkpoint }]);
    expect(forks[0]?.children).toHaveLength(3);
    const done = await asShown(ask, 'rollBackToFork', { params, body: { fork: recorded.id } });
    expect([done.target, text(at, 'third.txt')]).toEqual([recorded.checkpoint, undefined]);
    rmSync(session.path);
    expect(await ask('getForkTree', { params })).toEqual({ tree: [], forks: [recorded], breadcrumbs: [] });
    expect(faults).toEqual([]);
  });

  test('[FRK-2] back to a fork, recorded or not, with the conversation where that is asked for; undone it is as before', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const served = serve(at);
    const { ask } = served;
    const params = { session: session.id };
    const path = `/api/sessions/${session.id}/rollback-to-fork`;
    const place = (await ask('getForkTree', { params })).forks[0]?.at ?? null;
    const before = observeWorkspace(at.workspace);
    expect(await ask('rollBackToFork', { params, body: { at: place, dryRun: true } })).toMatchObject({ scope: 'both' });
    const plan = await ask('rollBackToFork', { params, body: { at: place, scope: 'code', dryRun: true } });
    expect(plan.scope).toBe('code');
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await ask('rollBackToFork', { params, body: { at: place, scope: 'code', expectedTree: plan.expectedTree } });
    expect([text(at, 'shared.txt'), text(at, 'right.txt'), text(at, 'left.txt')]).toEqual(['one\ntwo\nthree\n', undefined, undefined]);
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);

    const recorded = forksOf(at).forks[0];
    expect(recorded.at).toBe(place);
    const done = await asShown(ask, 'rollBackToFork', { params, body: { fork: recorded.id, scope: 'both' } });
    expect(text(at, 'right.txt')).toBe(undefined);
    expect('sessionId' in done && saidIn(at, done.sessionId ?? '').filter((said) => !said.startsWith('tool'))).toEqual([
      'begin',
      'did: begin',
    ]);
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);

    const bad: [unknown, string][] = [
      [{}, '409 needs-confirmation'],
      [{ fork: recorded.id, at: place }, '400 bad-request'],
      [{ at: 1 }, '400 bad-request'],
      [{ at: place, scope: 'git' }, '400 bad-request'],
      [{ at: null }, '404 unknown-id'],
      [{ at: '__proto__' }, '404 unknown-id'],
      [{ fork: '--output=x' }, '404 unknown-id'],
      [{ fork: recorded.checkpoint }, '404 unknown-id'],
    ];
    for (const [body, answer] of bad) expect(await refused(post(served, path, body)), JSON.stringify(body)).toBe(answer);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(served.faults).toEqual([]);
  });

  test('[FRK-5] [FRK-6] two branches compared, merged, and gone to', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const served = serve(at);
    const { ask } = served;
    const params = { session: session.id };
    const { tree } = await ask('getForkTree', { params });
    const [left, right] = [titled(tree, 'left'), titled(tree, 'right')];
    const comparison = await ask('compareForks', { body: { a: left, b: right } });
    expect(comparison).toMatchObject({
      a: { title: 'left', since: { turns: 1, steps: 2 }, stats: { files: 2 } },
      b: {
        title: 'right',
        files: [
          { path: 'right.txt', status: 'added' },
          { path: 'shared.txt', status: 'modified' },
        ],
      },
      both: [{ path: 'shared.txt', conflict: 'both-changed' }],
    });
    expect(comparison).toEqual(at.retake.json(at.workspace, 'compare', left, right));

    const before = observeWorkspace(at.workspace);
    const { status, json } = await post(served, '/api/forks/merge', { a: left, b: '@' });
    expect([status, json.error.code, json.error.details.conflicts[0].path]).toEqual([409, 'conflicts', 'shared.txt']);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await asShown(ask, 'mergeForks', { body: { a: left, b: '@', resolve: [{ path: 'shared.txt', choice: 'theirs' }] } });
    expect([text(at, 'shared.txt'), text(at, 'left.txt'), text(at, 'right.txt')]).toEqual(['one\nleft\nthree\n', 'left\n', 'right\n']);
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);

    const shown = await ask('switchBranch', { params, body: { branch: left, dryRun: true } });
    expect(shown.conversation).not.toBe(null);
    const gone = await ask('switchBranch', { params, body: { branch: left, expectedTree: shown.expectedTree } });
    expect([text(at, 'shared.txt'), text(at, 'left.txt'), text(at, 'right.txt')]).toEqual(['one\nleft\nthree\n', 'left\n', undefined]);
    expect('resume' in gone && gone.resume).toMatch(/--resume/);
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);

    expect(await refused(post(served, `/api/sessions/${session.id}/switch`, {}))).toBe('422 same-branch');
    expect(await refused(post(served, '/api/forks/compare', { a: left, b: left }))).toBe('422 same-branch');
    expect(await refused(post(served, '/api/forks/compare', { a: left }))).toBe('400 bad-request');
    for (const name of HOSTILE) {
      const answer = /^40[04] (unknown-id|bad-request)$/;
      expect(await refused(post(served, '/api/forks/compare', { a: left, b: name })), name).toMatch(answer);
      expect(await refused(post(served, '/api/forks/merge', { a: name, b: '@' })), name).toMatch(answer);
      expect(await refused(post(served, `/api/sessions/${session.id}/switch`, { branch: name })), name).toMatch(answer);
    }
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(served.faults).toEqual([]);
  });

  test('[CNV-3] a session that goes on from a checkpoint; the code and the conversation stay as they are', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const served = serve(at);
    const before = observeWorkspace(at.workspace);
    const [files, lines] = [sessionFiles(at), linesOf(at, session.id)];
    const path = `/api/sessions/${session.id}/fork`;
    const { status, json } = await post(served, path, { checkpoint: 't2', name: 'another way' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ resume: expect.stringContaining(json.sessionId), prompt: 'right' });
    expect(sessionFiles(at)).toHaveLength(files.length + 1);
    expect(saidIn(at, json.sessionId)).toContain('did: begin');
    expect(saidIn(at, json.sessionId)).not.toContain('right');
    expect(linesOf(at, session.id)).toEqual(lines);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    const bad: [unknown, string][] = [
      [{}, '400 bad-request'],
      [{ checkpoint: 't9' }, '404 unknown-id'],
      [{ checkpoint: '--output=x' }, '404 unknown-id'],
      [{ checkpoint: 't2', name: '' }, '400 bad-request'],
      [{ checkpoint: 't2', name: 'x'.repeat(201) }, '400 bad-request'],
      [{ checkpoint: ['t2'] }, '400 bad-request'],
    ];
    for (const [body, answer] of bad) expect(await refused(post(served, path, body)), JSON.stringify(body).slice(0, 60)).toBe(answer);
    expect(sessionFiles(at)).toHaveLength(files.length + 1);
    expect(served.faults).toEqual([]);
  });

  test('[CNV-4] a session that goes on from a checkpoint with a summary in place of one side', async () => {
    const at = forkScene();
    put(at.retake.home, 'settings.json', JSON.stringify({ 'conversation.summarizer': 'printf "SUMMARY of "; grep -c "did:"' }));
    const { session } = await forked(at);
    const served = serve(at);
    const before = observeWorkspace(at.workspace);
    const lines = linesOf(at, session.id);
    const path = `/api/sessions/${session.id}/fork`;
    const from = await post(served, path, { checkpoint: 't2', summary: 'from', name: 'shorter' });
    expect([from.status, from.json.prompt], 'for editing').toEqual([201, 'right']);
    expect(saidIn(at, from.json.sessionId)).toEqual(expect.arrayContaining(['begin', 'did: begin']));
    expect(JSON.stringify(linesOf(at, from.json.sessionId))).toContain('SUMMARY of 1');
    expect(saidIn(at, from.json.sessionId)).not.toContain('did: right');
    const upto = await post(served, path, { checkpoint: 't2', summary: 'upto' });
    expect([upto.status, upto.json.prompt]).toEqual([201, null]);
    expect(saidIn(at, upto.json.sessionId)).toEqual(expect.arrayContaining(['right', 'did: right']));
    expect(JSON.stringify(linesOf(at, upto.json.sessionId))).toContain('SUMMARY of 1');
    expect(saidIn(at, upto.json.sessionId)).not.toContain('did: begin');
    expect(upto.json.resume).toContain(upto.json.sessionId);
    expect(linesOf(at, session.id)).toEqual(lines);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    const files = sessionFiles(at);
    for (const summary of ['', 'both', 'FROM', null, ['from'], true])
      expect(await refused(post(served, path, { checkpoint: 't2', summary })), JSON.stringify(summary)).toBe('400 bad-request');
    expect(await refused(post(served, path, { checkpoint: 't1', summary: 'upto' })), 'nothing before it').toBe('404 no-conversation');
    expect(sessionFiles(at)).toEqual(files);
    expect(served.faults).toEqual([]);
  });

  test('[CNV-4] a summary that can not be made is told, and no session is', async () => {
    const at = forkScene();
    put(at.retake.home, 'settings.json', JSON.stringify({ 'conversation.summarizer': 'echo no >&2; exit 1' }));
    const { session } = await forked(at);
    const served = serve(at);
    const files = sessionFiles(at);
    for (const summary of ['from', 'upto']) {
      const { status, json } = await post(served, `/api/sessions/${session.id}/fork`, { checkpoint: 't2', summary });
      expect([status, json.error.code]).toEqual([422, 'summarizer-failed']);
      expect(json.error.message).toContain('it ended with 1: no');
    }
    expect(sessionFiles(at)).toEqual(files);
    expect(served.faults).toEqual([]);
  });

  test('[API] steps are those on the branch of the session, of another, or of all', async () => {
    const at = forkScene();
    const { session } = await forked(at);
    const { ask } = serve(at);
    const params = { session: session.id };
    const { tree } = await ask('getForkTree', { params });
    const written = async (query: { branch?: string; all?: boolean }) =>
      (await ask('listCommits', { params, query })).commits.map(({ description, turn }) => `${turn} ${description}`);
    const begin = ['1 Write base.txt', '1 Write shared.txt'];
    const [left, right] = [
      ['2 Write left.txt', '2 Write shared.txt'],
      ['2 Write right.txt', '2 Write shared.txt'],
    ];
    expect(await written({})).toEqual([...right, ...begin]);
    expect(await written({ branch: titled(tree, 'left') })).toEqual([...left, ...begin]);
    expect(await written({ all: true })).toEqual([...right, ...left, ...begin]);
  });
});
