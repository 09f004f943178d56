import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import { recordEvent, Workspace } from '../../src/engine/index.ts';
import type { AgentEvent } from '../../src/model/index.ts';
import { linesOf, PlayedSession, projectOf } from '../conversation/played-session.ts';
import { runHook, SILENT } from '../daemon/support.ts';
import { branchNamed, forked, forkScene, forksOf, turn } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { put, type Scene, storeOf } from '../support/scene.ts';
import { GENUINE, genuinePath } from '../transcript/support.ts';
import { asShown, HOSTILE, refused } from './asked.ts';
import { type Served, serve } from './served.ts';

const turnsOf = async ({ ask }: Served, session: string, query: { branch?: string; limit?: number; cursor?: string } = {}) =>
  (await ask('listTurns', { params: { session }, query })).turns;

const drawn = (turns: Awaited<ReturnType<typeof turnsOf>>): string[] => turns.map(({ number, title }) => `${number} ${title}`);

/** Files, added and removed lines between two records, as git counts them. */
const countedByGit = (at: Scene, from: string | null | undefined, to: string | null | undefined) => {
  const lines = gitIn(storeOf(at), 'diff', '--no-renames', '--numstat', `${from}:files`, `${to}:files`).trimEnd().split('\n');
  const counts = lines.filter((line) => line !== '').map((line) => line.split('\t').map(Number));
  const sum = (at: number): number => counts.reduce((total, count) => total + (count[at] ?? 0), 0);
  return { changed: counts.length, insertions: sum(0), deletions: sum(1) };
};

/** A prompt that the agent's hook tells of and its file does not have, as in the moment after it was sent. */
const promptAhead = async (at: Scene, session: PlayedSession, prompt: string): Promise<string> => {
  const id = randomUUID();
  const said = { session_id: session.id, transcript_path: session.path, cwd: at.workspace, hook_event_name: 'UserPromptSubmit' };
  expect(await runHook(at, JSON.stringify({ ...said, prompt, prompt_id: id }))).toEqual(SILENT);
  return id;
};

test('[CKP-6] the turns of a session, newest first: numbers as the command line takes them, files as it and git count them', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'one\nand more of it', { 'a.txt': '1\n2\n3\n' });
  put(at.workspace, 'mine.txt', 'mine\n');
  await turn(at, session, 'two', { 'a.txt': '1\nzwei\n3\n', 'b.txt': 'b\n' });
  await turn(at, session, 'three', {});
  const served = serve(at);
  const answer = await served.ask('listTurns', { params: { session: session.id } });
  expect(answer).toMatchObject({ total: 3, next: null });
  const { turns } = answer;
  expect(drawn(turns)).toEqual(['3 three', '2 two', '1 one']);
  const lines = linesOf(at, session.id).filter(({ message }) => typeof message?.content === 'string');
  expect(turns.map(({ messageId, at: time }) => [messageId, time])).toEqual(
    lines.map(({ uuid, timestamp }) => [uuid, timestamp]).reverse(),
  );
  const { checkpoints } = await served.ask('listCheckpoints', { params: { session: session.id } });
  for (const { number, checkpoint, last, files, messageId, checkpoints: count, steps, branch, rolledBack } of turns) {
    expect(at.retake.json(at.workspace, 'show', `t${number}`).id, `t${number}`).toBe(checkpoint);
    const { stats } = at.retake.json(at.workspace, 'diff', checkpoint ?? '', last ?? '');
    expect(files, `t${number}`).toEqual({ changed: stats.files, insertions: stats.insertions, deletions: stats.deletions });
    expect(files, `t${number}`).toEqual(countedByGit(at, checkpoint, last));
    const own = checkpoints.filter(({ messageUuid }) => messageUuid === messageId);
    expect([count, own[0]?.id, own.at(-1)?.id], `t${number}`).toEqual([own.length, last, checkpoint]);
    expect(steps).toBe(own.filter(({ kind }) => kind === 'after-step').length);
    expect([branch, rolledBack]).toEqual([own[0]?.branch, null]);
  }
  expect(turns.map(({ files }) => files)).toEqual([
    { changed: 0, insertions: 0, deletions: 0 },
    { changed: 2, insertions: 2, deletions: 1 },
    { changed: 1, insertions: 3, deletions: 0 },
  ]);
  expect(await turnsOf(served, session.id.slice(0, 8))).toEqual(turns);
  expect(await served.ask('listTurns', { params: { session: 'local' } })).toEqual({ turns: [], total: 0, next: null });
  expect(served.faults).toEqual([]);
});

test('[API] pages of turns repeat and skip nothing when a turn begins in between', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  for (const name of ['one', 'two', 'three']) await turn(at, session, name, { 'file.txt': `${name}\n` });
  const served = serve(at);
  const params = { session: session.id };
  const first = await served.ask('listTurns', { params, query: { limit: 1 } });
  await turn(at, session, 'four', { 'file.txt': 'four\n' });
  const second = await served.ask('listTurns', { params, query: { limit: 1, cursor: first.next ?? '' } });
  const third = await served.ask('listTurns', { params, query: { limit: 1, cursor: second.next ?? '' } });
  expect([first, second, third].map(({ turns, total }) => [...drawn(turns), total])).toEqual([
    ['3 three', 3],
    ['2 two', 4],
    ['1 one', 4],
  ]);
  expect(third.next).toBe(null);
  expect(served.faults).toEqual([]);
});

test('[FRK-4] the turns on another branch, by its own numbers; what was taken back of each is told', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { tree } = forksOf(at);
  const [left, right] = ['left', 'right'].map((title) => branchNamed(tree, title));
  const served = serve(at);
  const { ask, signed } = served;
  expect(drawn(await turnsOf(served, session.id))).toEqual(['2 right', '1 begin']);
  expect(await turnsOf(served, session.id, { branch: right.branch })).toEqual(await turnsOf(served, session.id));
  const others = await turnsOf(served, session.id, { branch: left.branch });
  expect(drawn(others)).toEqual(['2 left', '1 begin']);
  // Its code was taken back before the other way was taken, and its words were left standing.
  // A turn is an address on the branch that is named, and on its own branch else.
  const before = { left: others[0]?.checkpoint, right: (await turnsOf(served, session.id))[0]?.checkpoint };
  expect(before.left).not.toBe(before.right);
  const t2 = { session: session.id, checkpoint: 't2' };
  for (const [query, meant] of [
    [{ branch: left.branch }, before.left],
    [{ branch: right.branch }, before.right],
    [{}, before.right],
  ] as const) {
    expect((await served.ask('getCheckpoint', { params: t2, query })).id).toBe(meant);
    expect((await served.ask('diffWithPresent', { params: t2, query })).from?.id).toBe(meant);
    expect((await served.ask('previewRollback', { params: t2, query })).target).toBe(meant);
  }
  expect(others.map(({ branch, rolledBack }) => [branch, rolledBack])).toEqual([
    [left.branch, 'code'],
    [branchNamed(tree, 'begin').branch, null],
  ]);
  expect(others[0]).toMatchObject({ checkpoint: left.begin, files: { changed: left.files, insertions: left.insertions } });
  expect(others[0]?.files).toEqual(countedByGit(at, others[0]?.checkpoint, others[0]?.last));

  const params = { session: session.id };
  const { expectedTree } = await ask('previewRollback', { params: { ...params, checkpoint: 't2' }, query: { scope: 'both' } });
  const back = await ask('rollBack', { params: { ...params, checkpoint: 't2' }, body: { scope: 'both', expectedTree } });
  const gone = 'sessionId' in back ? (back.sessionId ?? '') : '';
  expect(drawn(await turnsOf(served, gone))).toEqual(['1 begin']);
  const left2 = await turnsOf(served, session.id, { branch: right.branch });
  expect(left2.map(({ title, rolledBack }) => [title, rolledBack])).toEqual([
    ['right', 'both'],
    ['begin', null],
  ]);
  expect(drawn(await turnsOf(served, gone, { branch: left.branch }))).toEqual(['2 left', '1 begin']);

  const path = `/api/sessions/${session.id}/turns`;
  for (const name of HOSTILE)
    expect(await refused(signed(`${path}?branch=${encodeURIComponent(name)}`)), name).toMatch(/^40[04] (unknown-id|bad-request)$/);
  for (const query of ['limit=0', 'limit=501', 'cursor=x', 'branch=', 'branch=a&branch=b', 'all=true'])
    expect(await refused(signed(`${path}?${query}`)), query).toBe('400 bad-request');
  for (const name of HOSTILE)
    expect(await refused(signed(`/api/sessions/${encodeURIComponent(name)}/turns`)), name).toMatch(/^40[04] (unknown-id|bad-request)$/);
  expect(served.faults).toEqual([]);
});

test('[CKP-6] a prompt that was told of before it was written down is the newest turn, and becomes what it is when it is written', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  // Whoever looks at the forks records them.
  forksOf(at);
  const served = serve(at);
  const before = await turnsOf(served, session.id);
  const promptId = await promptAhead(at, session, 'not written yet');
  const [newest, ...rest] = await turnsOf(served, session.id);
  expect(rest).toEqual(before);
  expect(newest).toMatchObject({ number: 3, title: 'not written yet', messageId: null, branch: null, checkpoints: 1, steps: 0 });
  expect(at.retake.json(at.workspace, 'show', 't3').id).toBe(newest?.checkpoint);
  const { tree } = forksOf(at);
  const own = await turnsOf(served, session.id, { branch: branchNamed(tree, 'right').branch });
  expect(drawn(own), 'on the branch that the session is on, by its name too').toEqual(['3 not written yet', '2 right', '1 begin']);
  expect(drawn(await turnsOf(served, session.id, { branch: branchNamed(tree, 'left').branch }))).toEqual(['2 left', '1 begin']);
  const line = { ...linesOf(at, session.id).at(-1), parentUuid: session.last, uuid: randomUUID(), promptId, type: 'user' };
  appendFileSync(session.path, `${JSON.stringify({ ...line, message: { role: 'user', content: 'not written yet' } })}\n`);
  const [now, ...others] = await turnsOf(served, session.id);
  expect(now).toEqual({ ...newest, messageId: line.uuid, branch: before[0]?.branch, at: line.timestamp, toolCalls: 0 });
  expect(others).toEqual(before);
  expect(served.faults).toEqual([]);
});

test('[API] what a process has only written down so far is told too, by a workspace that is open already', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const served = serve(at);
  const before = await turnsOf(served, session.id);
  const recorder = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => recorder.close());
  recorder.defersWork = true;
  const said = { session_id: session.id, transcript_path: session.path, cwd: at.workspace, hook_event_name: 'UserPromptSubmit' };
  const event = decodeEvent('claude-code', JSON.stringify({ ...said, prompt: 'written down', prompt_id: randomUUID() }));
  await recordEvent(recorder, event as AgentEvent);
  expect(recorder.store.log.isBehind).toBe(true);
  const [newest, ...rest] = await turnsOf(served, session.id);
  expect(newest).toMatchObject({ title: 'written down', checkpoints: 1 });
  expect(rest).toEqual(before);
  expect(served.faults).toEqual([]);
});

test('[API] of a conversation that is gone there are the turns that were recorded, and no messages', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const served = serve(at);
  const [written] = await turnsOf(served, session.id);
  rmSync(session.path);
  const turns = await turnsOf(served, session.id);
  expect(drawn(turns)).toEqual(['3 right', '2 left', '1 begin']);
  for (const { number, checkpoint, last, files, ...turn } of turns) {
    expect(turn).toMatchObject({ messageId: null, branch: null, checkpoints: 3, steps: 2 });
    expect(at.retake.json(at.workspace, 'show', `t${number}`).id).toBe(checkpoint);
    expect(files).toEqual(countedByGit(at, checkpoint, last));
  }
  const path = `/api/sessions/${session.id}/turns`;
  expect(await refused(served.signed(`${path}/${written?.messageId}/messages`))).toBe('404 unknown-id');
  expect(await refused(served.signed(`${path}?branch=${written?.branch}`))).toBe('404 unknown-id');
  expect(served.faults).toEqual([]);
});

test('[API] [FRK-4] a turn of another branch is named, forked from and deleted there', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { tree } = forksOf(at);
  const served = serve(at);
  const { ask } = served;
  const params = { session: session.id, checkpoint: 't2' };
  for (const title of ['left', 'right']) {
    const { branch } = branchNamed(tree, title);
    const [{ checkpoint } = {}] = await turnsOf(served, session.id, { branch });
    const query = { branch };
    expect((await ask('annotateCheckpoint', { params, query, body: { note: title } })).id).toBe(checkpoint);
    const { prompt } = await ask('forkSession', { params: { session: session.id }, query, body: { checkpoint: 't2' } });
    expect(prompt).toContain(title);
    expect((await ask('deleteCheckpoint', { params, query })).id).toBe(checkpoint);
  }
});

test('[CNV-5] the messages of a turn: from its prompt up to the next, by pages, on whatever branch', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const other = new PlayedSession(at);
  await other.start();
  await turn(at, other, 'elsewhere', { 'else.txt': 'else\n' });
  const served = serve(at);
  const { ask, signed } = served;
  const { tree } = await ask('getForkTree', { params: { session: session.id } });
  const messagesOf = async (message: string, query = {}) => ask('getTurnMessages', { params: { session: session.id, message }, query });
  for (const title of ['begin', 'left', 'right']) {
    const { messages, total, next } = await messagesOf(branchNamed(tree, title).branch);
    expect(messages.map(({ text, kind, calls }) => [kind, text, calls.map(({ name, result }) => [name, result?.text])])).toEqual([
      ['prompt', title, []],
      ['reply', '', [['Write', 'done']]],
      ['reply', '', [['Write', 'done']]],
      ['reply', `did: ${title}`, []],
    ]);
    expect([total, next]).toEqual([4, null]);
  }
  const right = branchNamed(tree, 'right').branch;
  const { messages: said } = await messagesOf(right);
  const { id } = at.retake.json(at.workspace, 'show', 't2', '--session', session.id);
  // What is told around the checkpoint of its prompt is the same.
  expect((await ask('getMessages', { params: { checkpoint: id }, query: { before: 0, after: 200 } })).after).toEqual(said);
  const pages: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await messagesOf(right, { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(...page.messages.map(({ id }) => id));
    cursor = page.next;
  }
  expect(pages).toEqual(said.map((message) => message.id));

  const [elsewhere] = await turnsOf(served, other.id);
  const path = `/api/sessions/${session.id}/turns`;
  expect(await refused(signed(`${path}/${elsewhere?.messageId}/messages`)), 'of another conversation').toBe('404 unknown-id');
  expect(await refused(signed(`${path}/${said[1]?.id}/messages`)), 'no prompt').toBe('404 unknown-id');
  expect(await refused(signed(`/api/sessions/nobody/turns/${right}/messages`))).toBe('404 unknown-id');
  for (const name of HOSTILE)
    expect(await refused(signed(`${path}/${encodeURIComponent(name)}/messages`)), name).toMatch(/^40[04] (unknown-id|bad-request)$/);
  for (const query of ['limit=0', 'limit=501', 'cursor=x', 'before=1'])
    expect(await refused(signed(`${path}/${right}/messages?${query}`)), query).toBe('400 bad-request');
  expect(served.faults).toEqual([]);
});

test('[CNV-5] messages of a turn that was rolled back, and of a session that went on from it', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const served = serve(at);
  const { ask } = served;
  const [right, begin] = await turnsOf(served, session.id);
  const done = await asShown(ask, 'rollBackToFork', {
    params: { session: session.id },
    body: { at: (await ask('getForkTree', { params: { session: session.id } })).forks[0]?.at, scope: 'both' },
  });
  // The session that it is gone on with has the first turn alone, and asks for the others of its conversation all the same.
  expect(drawn(await turnsOf(served, done.sessionId))).toEqual(['1 begin']);
  for (const [message, first] of [
    [right?.messageId, 'right'],
    [begin?.messageId, 'begin'],
  ]) {
    for (const asking of [session.id, done.sessionId]) {
      const { messages } = await ask('getTurnMessages', { params: { session: asking, message: message ?? '' } });
      expect(messages.map(({ text }) => text).filter((text) => text !== '')).toEqual([first, `did: ${first}`]);
    }
  }
  rmSync(session.path);
  const [kept] = await turnsOf(served, done.sessionId);
  const { messages } = await ask('getTurnMessages', { params: { session: done.sessionId, message: kept?.messageId ?? '' } });
  expect(messages[0]?.text).toBe('begin');
  expect(served.faults).toEqual([]);
});

test('[CNV-5] a turn with a subagent: its call and what came of it; what the subagent said among itself is no turn', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('delegate');
  const end = await session.begin('Agent', { prompt: 'look into it' });
  // As older versions wrote it: into the same file, with a beginning of its own.
  const inside = { isSidechain: true, sessionId: session.id, cwd: at.workspace, timestamp: new Date().toISOString() };
  const lines = [
    { ...inside, type: 'user', parentUuid: null, uuid: 's1', message: { role: 'user', content: 'look into it' } },
    {
      ...inside,
      type: 'assistant',
      parentUuid: 's1',
      uuid: 's2',
      message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'I see' }] },
    },
  ];
  appendFileSync(session.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await session.step('Write', { file_path: join(at.workspace, 'a.txt') }, () => put(at.workspace, 'a.txt', 'a\n'), {
    agent_id: 'helper',
    agent_type: 'general-purpose',
  });
  await end();
  await session.answer('done with help');
  const served = serve(at);
  const turns = await turnsOf(served, session.id);
  expect(drawn(turns)).toEqual(['1 delegate']);
  expect(turns[0]).toMatchObject({ steps: 1, toolCalls: 2, files: { changed: 1, insertions: 1, deletions: 0 } });
  const { messages } = await served.ask('getTurnMessages', { params: { session: session.id, message: turns[0]?.messageId ?? '' } });
  expect(messages.map(({ text, calls, agentId }) => [text, calls.map(({ name }) => name).join(), agentId])).toEqual([
    ['delegate', '', null],
    ['', 'Agent', null],
    ['', 'Write', null],
    ['done with help', '', null],
  ]);
  expect(await refused(served.signed(`/api/sessions/${session.id}/turns/s1/messages`))).toBe('404 unknown-id');
  const { checkpoints } = await served.ask('listCheckpoints', { params: { session: session.id }, query: { agentId: 'helper' } });
  expect(checkpoints.map(({ description }) => description)).toEqual(['Write a.txt']);
  expect(served.faults).toEqual([]);
});

test('[API] a conversation from before Retake: turns without code, its messages, and looking leaves no trace', async () => {
  const at = forkScene();
  const folder = projectOf(at);
  mkdirSync(folder, { recursive: true });
  const id = GENUINE.subagent.replace(/^.*\/|\.jsonl$/g, '');
  writeFileSync(join(folder, `${id}.jsonl`), readFileSync(genuinePath('subagent'), 'utf8').replaceAll('/home/dev/shop', at.workspace));
  cpSync(genuinePath('subagent').replace(/\.jsonl$/, ''), join(folder, id), { recursive: true });
  const served = serve(at);
  const turns = await turnsOf(served, id);
  expect(turns.length).toBeGreaterThan(0);
  const first = turns.at(-1);
  expect(first).toMatchObject({
    number: 1,
    title: 'delegate',
    checkpoint: null,
    last: null,
    checkpoints: 0,
    files: null,
    rolledBack: null,
  });
  const { messages } = await served.ask('getTurnMessages', { params: { session: id, message: first?.messageId ?? '' } });
  expect(messages[0]).toMatchObject({ kind: 'prompt', text: 'delegate' });
  expect(messages.flatMap(({ calls }) => calls).map(({ name }) => name)).toContain('Agent');
  expect(existsSync(storeOf(at))).toBe(false);
  at.retake.json(at.workspace, 'checkpoint');
  expect(existsSync(storeOf(at))).toBe(true);
  expect((await served.ask('getTurnMessages', { params: { session: id, message: first?.messageId ?? '' } })).messages).toEqual(messages);
  expect(served.faults).toEqual([]);
});
