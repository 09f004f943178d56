import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession, type Subagent } from '../conversation/played-session.ts';
import { branchNamed, forked, forkScene, forksOf, text, turn } from '../forks/forked.ts';
import { fsck } from '../support/private-store.ts';
import { put, storeOf } from '../support/scene.ts';
import { type Served, serve } from './served.ts';

/** All pages of a session's checkpoints, as small as can be. */
const everyPage = async ({ ask }: Served, session: string, limit: number, query: { branch?: string } = {}) => {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await ask('listCheckpoints', {
      params: { session },
      query: { ...query, limit, ...(cursor === undefined ? {} : { cursor }) },
    });
    pages.push(page);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return pages;
};

const SOMEBODY = 'an-id-of-nothing';

test('[API] checkpoints of a session: those on the way to the end of its branch, newest first, with the prompt of each', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { tree } = forksOf(at);
  const served = serve(at);
  const { checkpoints, total, next } = await served.ask('listCheckpoints', { params: { session: session.id } });
  expect({ total, next }).toEqual({ total: checkpoints.length, next: null });
  const log = at.retake.json(at.workspace, 'log', '--session', session.id).operations;
  const ids = log.map(({ id }: { id: string }) => id);
  expect(checkpoints.map(({ id }) => ids.indexOf(id))).toEqual(checkpoints.map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b));
  const previews = new Set(checkpoints.map(({ messagePreview }) => messagePreview));
  expect(previews).toEqual(new Set(['right', 'begin', null]));
  const right = branchNamed(tree, 'right');
  const prompt = checkpoints.find(({ kind, messagePreview }) => kind === 'prompt' && messagePreview === 'right');
  expect(prompt).toMatchObject({ messageUuid: right.branch, messageId: right.branch, branch: right.branch, turn: 2, session: session.id });
  expect(prompt?.messageTimestamp).toBe(right.startedAt);
  // As the log tells them, without what came of a branch that was left.
  const left = branchNamed(tree, 'left');
  const told = checkpoints.map(({ messageUuid: _, messageTimestamp: __, messagePreview: ___, ...rest }) => rest);
  expect(told).toEqual(
    log.filter((one: { kind: string; branch: string; tool: string }) => one.branch !== left.branch && KINDS.has(one.kind)),
  );

  const others = await served.ask('listCheckpoints', { params: { session: session.id }, query: { branch: left.branch } });
  expect(new Set(others.checkpoints.map(({ messagePreview }) => messagePreview))).toEqual(new Set(['left', 'begin', null]));
  const own = await served.ask('listCheckpoints', { params: { session: session.id }, query: { branch: right.branch } });
  expect(own.checkpoints).toEqual(checkpoints);

  const prompts = await served.ask('listCheckpoints', { params: { session: session.id }, query: { kind: 'prompt' } });
  expect(prompts.checkpoints.map(({ messagePreview }) => messagePreview)).toEqual(['right', 'begin']);
  expect(prompts.total).toBe(2);
  expect(served.faults).toEqual([]);
});

const KINDS = new Set(['session-start', 'prompt', 'before-step', 'after-step', 'turn-end', 'session-end', 'manual', 'compact', 'safety']);

test('[API] pages of checkpoints repeat and skip nothing, whatever is made or deleted in between', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  for (const name of ['one', 'two', 'three']) await turn(at, session, name, { 'file.txt': `${name}\n` });
  const served = serve(at);
  const whole = await everyPage(served, session.id, 500);
  const small = await everyPage(served, session.id, 2);
  const all = whole.flatMap(({ checkpoints }) => checkpoints);
  expect(small.flatMap(({ checkpoints }) => checkpoints)).toEqual(all);
  expect(new Set(small.map(({ total }) => total))).toEqual(new Set([all.length]));
  expect(small.map(({ checkpoints }) => checkpoints.length).slice(0, -1)).toEqual(small.slice(1).map(() => 2));

  const first = await served.ask('listCheckpoints', { params: { session: session.id }, query: { limit: 2 } });
  await served.ask('deleteCheckpoint', { params: { session: session.id, checkpoint: first.checkpoints[1]?.id ?? '' } });
  put(at.workspace, 'file.txt', 'four\n');
  await served.ask('createCheckpoint', { params: { session: session.id }, body: { name: 'four' } });
  const second = await served.ask('listCheckpoints', { params: { session: session.id }, query: { limit: 2, cursor: first.next ?? '' } });
  expect(second.checkpoints.map(({ id }) => id)).toEqual(all.slice(2, 4).map(({ id }) => id));
  expect(second.total).toBe(all.length);
  await expect(served.ask('listCheckpoints', { params: { session: session.id }, query: { cursor: 'no' } })).rejects.toMatchObject({
    status: 400,
  });
  expect(served.faults).toEqual([]);
});

test('[CKP-3] a checkpoint made over HTTP is like one made by hand, and belongs to the session that is named', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  put(at.workspace, 'mine.txt', 'mine\n');
  const { ask, signed, faults } = serve(at);
  const made = await ask('createCheckpoint', { params: { session: session.id.slice(0, 8) }, body: { name: 'good', note: 'why' } });
  expect(made).toMatchObject({ status: 'complete', omissions: [], changed: 1, isNew: true });
  const params = { session: session.id, checkpoint: 'good' };
  expect(await ask('getCheckpoint', { params })).toMatchObject({
    id: made.id,
    tree: made.tree,
    kind: 'manual',
    session: session.id,
    name: 'good',
    note: 'why',
    messageUuid: null,
    changes: [{ path: 'mine.txt', status: 'added', by: 'person', owners: [] }],
  });
  const again = await ask('createCheckpoint', { params: { session: 'local' }, body: {} });
  expect(again).toMatchObject({ id: made.id, changed: 0, isNew: false });
  put(at.workspace, 'mine.txt', 'mine again\n');
  const response = await signed('/api/sessions/local/checkpoints', {
    method: 'POST',
    body: '{"name": "loose"}',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(201);
  const { checkpoints } = await ask('listCheckpoints', { params: { session: 'local' } });
  expect(checkpoints.map(({ name }) => name)).toContain('loose');
  await expect(ask('getCheckpoint', { params: { session: session.id, checkpoint: 'loose' } })).rejects.toMatchObject({ status: 404 });
  await expect(ask('createCheckpoint', { params: { session: SOMEBODY }, body: {} })).rejects.toMatchObject({
    status: 404,
    code: 'unknown-id',
  });
  for (const name of ['', '  ', '@-1', 'two\nlines']) {
    await expect(ask('createCheckpoint', { params: { session: 'local' }, body: { name } })).rejects.toMatchObject({
      status: 400,
      code: 'usage',
    });
  }
  expect(faults).toEqual([]);
});

test('[API] one checkpoint in full is what retake show tells', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask, faults } = serve(at);
  const { checkpoints } = await ask('listCheckpoints', { params: { session: session.id }, query: { kind: 'after-step' } });
  for (const { id } of checkpoints) {
    const details = await ask('getCheckpoint', { params: { session: session.id, checkpoint: id } });
    const shown = at.retake.json(at.workspace, 'show', id);
    const { messageUuid: _, messageTimestamp: __, messagePreview, place: ___, ...rest } = details;
    expect(shown).toMatchObject(rest);
    expect(messagePreview).toMatch(/^(begin|right)$/);
    expect(details.changes.length).toBe(details.files?.changed);
  }
  expect(await ask('getCheckpoint', { params: { session: session.id, checkpoint: 't1' } })).toMatchObject({ kind: 'prompt', turn: 1 });
  const { rollbacks } = at.retake.json(at.workspace, 'rollbacks');
  await expect(ask('getCheckpoint', { params: { session: session.id, checkpoint: rollbacks[0].id } })).rejects.toMatchObject({
    status: 422,
    code: 'not-a-checkpoint',
  });
  expect(faults).toEqual([]);
});

test('[API] the place of a checkpoint is that in the list of its branch: of the one that is asked for, of the present one, or of its own', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { tree } = forksOf(at);
  const [left, right] = ['left', 'right'].map((title) => branchNamed(tree, title).branch as string);
  const { ask, signed, faults } = serve(at);
  const params = { session: session.id };
  const idsOn = async (branch?: string) =>
    (await ask('listCheckpoints', { params, query: { branch } })).checkpoints.map(({ id }) => id).reverse();
  const placeOf = async (checkpoint: string, branch?: string) =>
    (await ask('getCheckpoint', { params: { ...params, checkpoint }, query: { branch } })).place;
  const [onLeft, onRight] = [await idsOn(left), await idsOn(right)];
  expect(onLeft).not.toEqual(onRight);
  const placeAmong = (ids: readonly string[], id: string) => {
    const at = ids.indexOf(id);
    return { number: at + 1, total: ids.length, older: ids[at - 1] ?? null, newer: ids[at + 1] ?? null };
  };
  for (const id of onRight) {
    expect(await placeOf(id)).toEqual(placeAmong(onRight, id));
    expect(await placeOf(id, '@')).toEqual(placeAmong(onRight, id));
  }
  // Those on the way to a branch that was left: alone in that list, and those before the fork in each that is asked for.
  for (const id of onLeft) {
    expect(await placeOf(id, left)).toEqual(placeAmong(onLeft, id));
    expect(await placeOf(id)).toEqual(placeAmong(onRight.includes(id) ? onRight : onLeft, id));
  }
  for (const id of onRight.filter((one) => !onLeft.includes(one))) expect(await placeOf(id, left)).toEqual(placeAmong(onRight, id));
  expect((await signed(`/api/sessions/${session.id}/checkpoints/t1?branch=nowhere`)).status).toBe(404);
  expect((await signed(`/api/sessions/${session.id}/checkpoints/t1?branch=`)).status).toBe(400);

  // The first turn is in another session too, when the file that it was said in is gone.
  at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
  const all = at.retake
    .json(at.workspace, 'log', '--session', session.id)
    .operations.filter(({ kind }: { kind: string }) => KINDS.has(kind));
  rmSync(session.path);
  const [first] = onRight;
  expect(await placeOf(first ?? '')).toMatchObject({ number: 1, older: null });
  for (const { id } of all) expect(await placeOf(id)).toMatchObject({ number: expect.any(Number) });
  expect(faults).toEqual([]);
});

test('[API] checkpoints by their tool and by whose they are', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('one');
  const write = (path: string, agent?: Subagent): Promise<void> =>
    session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, `${path}\n`), agent);
  await write('mine.txt');
  await write('theirs.txt', { agent_id: 'helper', agent_type: 'general-purpose' });
  await session.step('Bash', { command: 'true' }, () => put(at.workspace, 'shell.txt', 'shell\n'));
  await session.answer('done');
  put(at.workspace, 'person.txt', 'person\n');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'by hand');
  const { ask, signed, faults } = serve(at);
  const params = { session: session.id };
  const { checkpoints } = await ask('listCheckpoints', { params });
  type Listed = (typeof checkpoints)[number];
  type Filter = { tool?: string; agentId?: string; kind?: 'after-step'; limit?: number };
  const fitting = async (query: Filter, fits: (one: Listed) => boolean): Promise<void> => {
    const found = await ask('listCheckpoints', { params, query });
    expect(found.checkpoints, JSON.stringify(query)).toEqual(checkpoints.filter(fits));
    expect(found.total).toBe(found.checkpoints.length);
  };
  await fitting({ tool: 'Write' }, ({ tool }) => tool === 'Write');
  await fitting({ tool: 'Bash' }, ({ tool }) => tool === 'Bash');
  await fitting({ agentId: 'helper' }, ({ agentId }) => agentId === 'helper');
  await fitting({ agentId: 'claude-code' }, ({ agent, agentId }) => agent === 'claude-code' && agentId === null);
  await fitting({ tool: 'Write', agentId: 'helper', kind: 'after-step' }, ({ description }) => description === 'Write theirs.txt');
  for (const tool of ['write', 'Wri', '%', "' OR 1=1 --", '__proto__']) await fitting({ tool }, () => false);
  for (const agentId of ['help', 'null', '*']) await fitting({ agentId }, () => false);
  expect(checkpoints.some(({ tool }) => tool === 'Bash')).toBe(true);
  const first = await ask('listCheckpoints', { params, query: { tool: 'Write', limit: 1 } });
  expect(first.total).toBe(2);
  const second = await ask('listCheckpoints', { params, query: { tool: 'Write', limit: 1, cursor: first.next ?? '' } });
  expect([...first.checkpoints, ...second.checkpoints]).toEqual(checkpoints.filter(({ tool }) => tool === 'Write'));
  for (const query of ['tool=', `tool=${'x'.repeat(201)}`, 'agentId=', 'tool=a&tool=b', 'agent=x'])
    expect((await signed(`/api/sessions/${session.id}/checkpoints?${query}`)).status, query).toBe(400);
  expect(faults).toEqual([]);
});

test('[CKP-4] name, note and pin of any checkpoint can be changed, all at once or not at all, and are found by their words', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask, faults } = serve(at);
  const { checkpoints } = await ask('listCheckpoints', { params: { session: session.id }, query: { kind: 'after-step' } });
  const [{ id } = { id: '' }] = checkpoints;
  const params = { session: session.id, checkpoint: id };
  const count = () => at.retake.json(at.workspace, 'log').operations.length;
  const before = count();
  expect(await ask('annotateCheckpoint', { params, body: { name: 'Blue Moon', note: 'tests pass', pinned: true } })).toMatchObject({
    id,
    name: 'Blue Moon',
    note: 'tests pass',
    pinned: true,
  });
  expect(count()).toBe(before + 3);
  // What is so already is not recorded again.
  await ask('annotateCheckpoint', { params, body: { name: 'Blue Moon', note: 'tests pass', pinned: true } });
  await ask('annotateCheckpoint', { params, body: {} });
  expect(count()).toBe(before + 3);
  expect(at.retake.json(at.workspace, 'show', 'Blue Moon').id).toBe(id);
  const found = await ask('search', { query: { q: ' blue  PASS ' } });
  expect(found.operations.map((one) => one.id)).toEqual([id]);

  await expect(ask('annotateCheckpoint', { params, body: { note: 'other', name: '@now' } })).rejects.toMatchObject({ status: 400 });
  await expect(ask('annotateCheckpoint', { params, body: { note: 'n'.repeat(10_001) } })).rejects.toMatchObject({ status: 400 });
  expect(count()).toBe(before + 3);
  expect(await ask('annotateCheckpoint', { params, body: { name: null, note: null, pinned: false } })).toMatchObject({
    name: null,
    note: null,
    pinned: false,
  });
  // The log tells the same to an index that is made anew.
  await ask('annotateCheckpoint', { params, body: { name: 'again' } });
  at.retake.json(at.workspace, 'rebuild');
  expect(await ask('getCheckpoint', { params })).toMatchObject({ name: 'again', note: null, pinned: false });
  expect(faults).toEqual([]);
});

test('[CKP-4] a name that was given later travels with an export', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask } = serve(at);
  const { checkpoints } = await ask('listCheckpoints', { params: { session: session.id }, query: { kind: 'after-step' } });
  const [{ id } = { id: '' }] = checkpoints;
  const params = { session: session.id, checkpoint: id };
  const { tree, description } = await ask('annotateCheckpoint', { params, body: { name: 'traveller' } });
  const { file } = at.retake.json(at.workspace, 'export', session.id, '--output', `${at.retake.home}/out.retake`);
  const other = forkScene();
  other.retake.json(other.workspace, 'import', file);
  expect(other.retake.json(other.workspace, 'show', 'traveller')).toMatchObject({ tree, description, session: session.id });
});

test('[API] a checkpoint is deleted, but not one that undoing a rollback needs, nor by the name of another session', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask, faults } = serve(at);
  const { checkpoints } = await ask('listCheckpoints', { params: { session: session.id }, query: { kind: 'after-step' } });
  const [{ id } = { id: '' }] = checkpoints;
  await expect(ask('deleteCheckpoint', { params: { session: 'local', checkpoint: id } })).rejects.toMatchObject({ status: 404 });
  expect(await ask('deleteCheckpoint', { params: { session: session.id, checkpoint: id } })).toEqual({ id, deleted: true });
  await expect(ask('getCheckpoint', { params: { session: session.id, checkpoint: id } })).rejects.toMatchObject({ status: 404 });
  await expect(ask('deleteCheckpoint', { params: { session: session.id, checkpoint: id } })).rejects.toMatchObject({ status: 404 });
  const safety = at.retake.json(at.workspace, 'log').operations.find(({ kind }: { kind: string }) => kind === 'safety');
  await expect(ask('deleteCheckpoint', { params: { session: safety.session, checkpoint: safety.id } })).rejects.toMatchObject({
    status: 409,
    code: 'needed',
  });
  expect(faults).toEqual([]);
});

test('[API] nothing that is asked for changes files or the log', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask } = serve(at);
  const before = [at.retake.json(at.workspace, 'log'), text(at, 'shared.txt')];
  const params = { session: session.id };
  await ask('listCheckpoints', { params });
  await ask('getCheckpoint', { params: { ...params, checkpoint: '@-1' } });
  await ask('getBase', { params });
  await ask('search', { query: { q: 'begin' } });
  await ask('getMessages', { params: { checkpoint: '@-1' } });
  expect([at.retake.json(at.workspace, 'log'), text(at, 'shared.txt')]).toEqual(before);
});

const ODD = ['--output=x', '__proto__', 'constructor', '../../etc/passwd', '..', 'a\u0000b', '%', '*', "' OR 1=1 --", 'ÿ', 'x'.repeat(400)];

test('[API] sessions, checkpoints, branches and words that nobody would give are unknown or refused, and nothing breaks', async () => {
  const at = forkScene();
  put(at.workspace, 'file.txt', 'one\n');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good');
  const { signed, faults } = serve(at);
  for (const name of ODD.map(encodeURIComponent)) {
    const paths = [
      `/api/sessions/${name}/checkpoints`,
      `/api/sessions/local/checkpoints?branch=${name}`,
      `/api/sessions/local/checkpoints?kind=${name}`,
      `/api/sessions/local/checkpoints?cursor=${name}`,
      `/api/sessions/local/checkpoints/good?branch=${name}`,
      `/api/sessions/local/checkpoints?limit=${name}`,
      `/api/sessions/${name}/checkpoints/good`,
      `/api/sessions/local/checkpoints/${name}`,
      `/api/sessions/${name}/checkpoint`,
      `/api/checkpoints/${name}/messages`,
      `/api/checkpoints/good/messages?before=${name}`,
    ];
    for (const path of paths) {
      const response = await signed(path);
      expect([400, 404], path).toContain(response.status);
      expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    }
    const found = await signed(`/api/search?q=${name}`);
    expect(found.status).toBe(200);
    expect(await found.json()).toEqual({ operations: [], total: 0, next: null });
    for (const method of ['PUT', 'DELETE']) {
      const init = { method, ...(method === 'PUT' ? { body: '{"pinned": true}', headers: { 'content-type': 'application/json' } } : {}) };
      expect([400, 404]).toContain((await signed(`/api/sessions/local/checkpoints/${name}`, init)).status);
    }
  }
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
  expect(faults).toEqual([]);
});

test.each([
  ['a name that is none', 'POST', 'checkpoints', '{"name": 1}'],
  ['a field too many', 'POST', 'checkpoints', '{"surplus": 1}'],
  ['a list', 'POST', 'checkpoints', '[]'],
  ['a note too long', 'POST', 'checkpoints', JSON.stringify({ note: 'n'.repeat(10_001) })],
  ['a job that could be a path', 'POST', 'checkpoint', '{"job": "../x"}'],
  ['a pin that is a word', 'PUT', 'checkpoints/good', '{"pinned": "yes"}'],
  ['what can not be changed', 'PUT', 'checkpoints/good', '{"description": "x"}'],
])('[API] %s is refused: %s %s', async (_, method, path, body) => {
  const at = forkScene();
  put(at.workspace, 'file.txt', 'one\n');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good');
  const { signed, faults } = serve(at);
  const response = await signed(`/api/sessions/local/${path}`, { method, body, headers: { 'content-type': 'application/json' } });
  expect(response.status).toBe(400);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
  expect(faults).toEqual([]);
});

test('[STO-1] a name that git could not have in a commit is kept as it is, and plain git finds nothing wrong', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask } = serve(at);
  const params = { session: session.id };
  const name = 'a\u0000b\u001b[31mc';
  const { id } = await ask('createCheckpoint', { params, body: { name } });
  expect(await ask('getCheckpoint', { params: { ...params, checkpoint: id } })).toMatchObject({ name });
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});
