import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { edit, keepScene, read, write } from '../keep/kept.ts';
import { observeWorkspace } from '../support/oracle.ts';
import type { Scene } from '../support/scene.ts';
import { asShown, HOSTILE, post, refused } from './asked.ts';
import { serve } from './served.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

/** Two turns; in the first a subagent writes a file too. */
const worked = async () => {
  const { at, session } = await keepScene({ 'a.txt': LINES });
  await session.prompt('first');
  await edit(at, session, 'a.txt', LINES.replace('one', 'ONE'));
  const agent = { agent_id: 'sub1', agent_type: 'general-purpose' };
  await session.step('Write', { file_path: join(at.workspace, 'sub.txt') }, () => write(at, 'sub.txt', 'sub\n'), agent);
  await session.step('Read', { file_path: join(at.workspace, 'a.txt') }, () => {});
  await session.answer('done');
  await session.prompt('second');
  await edit(at, session, 'c.txt', 'c\n');
  await session.answer('done');
  return { at, session };
};

const undo = (at: Scene): unknown => at.retake.json(at.workspace, 'undo', '--yes');

describe('steps', () => {
  test('[API] each with who did it, what it changed and what can be done about it; by agent and turn, page by page', async () => {
    const { at, session } = await worked();
    const served = serve(at);
    const { ask, signed, faults } = served;
    const params = { session: session.id.slice(0, 8) };
    const { commits, total } = await ask('listCommits', { params });
    expect(total).toBe(3);
    expect(commits).toMatchObject([
      { description: 'Write c.txt', tool: 'Write', agent: 'claude-code', agentId: null, turn: 2, state: 'on-branch', rolledBack: null },
      { description: 'Write sub.txt', agentId: 'sub1', turn: 1, files: { changed: 1, insertions: 1, deletions: 0 } },
      { description: 'Write a.txt', agentId: null, turn: 1, files: { changed: 1, insertions: 1, deletions: 1 }, expiresAt: null },
    ]);
    const listed = async (query: NonNullable<Parameters<typeof ask<'listCommits'>>[1]['query']>) =>
      (await ask('listCommits', { params, query })).commits.map(({ description }) => description);
    expect(await listed({ agentId: 'sub1' })).toEqual(['Write sub.txt']);
    expect(await listed({ agentId: 'claude-code', turn: 1 })).toEqual(['Write a.txt']);
    expect(await listed({ agentId: '__proto__' })).toEqual([]);
    const first = await ask('listCommits', { params, query: { limit: 2 } });
    expect(await listed({ limit: 2, cursor: first.next ?? '' })).toEqual(['Write a.txt']);
    at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'code', '--yes');
    expect((await ask('listCommits', { params })).commits[0]).toMatchObject({
      state: 'recoverable',
      rolledBack: 'code',
      expiresAt: expect.any(String),
    });
    const path = `/api/sessions/${session.id}/commits`;
    for (const query of ['turn=x', 'turn=0', 'limit=0', 'limit=501', 'agentId=', 'cursor=x', 'toString=1', 'all=yes'])
      expect(await refused(signed(`${path}?${query}`)), query).toBe('400 bad-request');
    expect(await refused(signed(`${path}?branch=nowhere`))).toBe('404 unknown-id');
    for (const name of HOSTILE)
      expect(await refused(signed(`/api/sessions/${encodeURIComponent(name)}/commits`)), name).toMatch(/^40[04] (unknown-id|bad-request)$/);
    expect(faults).toEqual([]);
  });

  test('[RST-9] revert: the plan, then the same carried out in the state it was shown for; undone it is as before', async () => {
    const { at, session } = await worked();
    const served = serve(at);
    const { ask, faults } = served;
    const { commits } = await ask('listCommits', { params: { session: session.id } });
    const commit = commits.at(-1)?.id ?? '';
    const before = observeWorkspace(at.workspace);
    const plan = await ask('revertCommit', { params: { commit }, body: { dryRun: true } });
    expect(plan.operations).toMatchObject([{ type: 'restore', path: 'a.txt' }]);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    write(at, 'new.txt', 'mine\n');
    const moved = observeWorkspace(at.workspace);
    expect(await refused(post(served, `/api/commits/${commit}/revert`, { expectedTree: plan.expectedTree }))).toBe('409 workspace-moved');
    expect(observeWorkspace(at.workspace)).toEqual(moved);
    const done = await asShown(ask, 'revertCommit', { params: { commit }, body: {} });
    expect(done).toMatchObject({ rollbackId: expect.any(String), restored: 1, deleted: 0 });
    const reverted = observeWorkspace(at.workspace);
    expect([...reverted.keys()].filter((path) => reverted.get(path) !== moved.get(path))).toEqual(['a.txt']);
    expect([read(at, 'a.txt'), reverted.size]).toEqual([LINES, moved.size]);
    expect(await refused(post(served, `/api/commits/${commit}/revert`, {}))).toBe('409 nothing-to-revert');
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(moved);
    expect(faults).toEqual([]);
  });

  test('[API] revert: conflicts are told with the choices there are, and nothing changes before one is made', async () => {
    const { at, session } = await worked();
    const served = serve(at);
    const { commits } = await served.ask('listCommits', { params: { session: session.id } });
    const path = `/api/commits/${commits.at(-1)?.id}/revert`;
    write(at, 'a.txt', LINES.replace('one', 'mine'));
    const before = observeWorkspace(at.workspace);
    const { status, json } = await post(served, path, {});
    expect([status, json.error.code]).toEqual([409, 'conflicts']);
    expect(json.error.details).toMatchObject({
      conflicts: [{ path: 'a.txt', reason: 'both-changed', choice: null }],
      choices: ['ours', 'theirs', 'manual', 'skip'],
    });
    const bad: [unknown, string][] = [
      [{ resolve: [{ path: '../a.txt', choice: 'theirs' }] }, '400 usage'],
      [{ resolve: [{ path: '/etc/passwd', choice: 'theirs' }] }, '400 usage'],
      [{ resolve: [{ path: 'other.txt', choice: 'theirs' }] }, '404 unknown-id'],
      [{ resolve: [{ path: 'a.txt', choice: 'toString' }] }, '400 bad-request'],
      [{ onConflict: 'maybe' }, '400 bad-request'],
      [{ dryRun: 'yes' }, '400 bad-request'],
      [{ job: '../x' }, '400 bad-request'],
      [{ nothing: 1 }, '400 bad-request'],
      [[], '400 bad-request'],
    ];
    for (const [body, answer] of bad) expect(await refused(post(served, path, body)), JSON.stringify(body)).toBe(answer);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    const resolve = [{ path: 'a.txt', choice: 'theirs' }];
    const { expectedTree } = (await post(served, path, { resolve, dryRun: true })).json;
    const { json: done } = await post(served, path, { resolve, expectedTree });
    expect(done).toMatchObject({ conflicts: [{ path: 'a.txt', choice: 'theirs' }], rollbackId: expect.any(String) });
    undo(at);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    for (const verb of ['revert', 'recover'])
      for (const name of HOSTILE) {
        const answer = await refused(post(served, `/api/commits/${encodeURIComponent(name)}/${verb}`, { onConflict: 'theirs' }));
        expect(answer, `${verb} ${name}`).toMatch(/^40[04] (unknown-id|bad-request|no-such-route)$/);
      }
    expect(existsSync(join(at.workspace, 'x'))).toBe(false);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(served.faults).toEqual([]);
  });
});
