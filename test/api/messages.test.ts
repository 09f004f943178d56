import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { forked, forkScene, turn } from '../forks/forked.ts';
import { put } from '../support/scene.ts';
import { serve } from './served.ts';

test('[CNV-5] the messages around a checkpoint: thirty before it unless told, as retake show tells them', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  for (let number = 1; number <= 17; number++) await turn(at, session, `prompt ${number}`, {});
  await turn(at, session, 'change', { 'file.txt': 'one\n' });
  const { ask, signed, faults } = serve(at);
  const about = { params: { checkpoint: 't18' } };
  const context = await ask('getMessages', about);
  expect(context).toMatchObject({ session: session.id, after: [] });
  expect(context.before).toHaveLength(30);
  expect(context.before.at(-1)?.text).toBe('did: prompt 17');
  const [shown] = [at.retake.json(at.workspace, 'show', 't18', '--messages').messages];
  expect(shown).toMatchObject(context.before);
  const both = await ask('getMessages', { ...about, query: { before: 2, after: 1 } });
  expect([...both.before, ...both.after].map(({ text }) => text)).toEqual(['prompt 17', 'did: prompt 17', 'change']);
  expect(await ask('getMessages', { ...about, query: { before: 0, after: 200 } })).toMatchObject({ before: [] });
  for (const query of ['before=201', 'after=201', 'before=-1', 'after=x', 'before=1&before=2', 'around=3']) {
    expect((await signed(`/api/checkpoints/t18/messages?${query}`)).status, query).toBe(400);
  }
  expect(faults).toEqual([]);
});

test('[CNV-5] what follows a checkpoint is from its own branch, also where the conversation went on elsewhere', async () => {
  const at = forkScene();
  const { session, place } = await forked(at);
  await turn(at, session, 'right again', {});
  const { ask, faults } = serve(at);
  const { tree } = at.retake.json(at.workspace, 'forks');
  const [begin, left, right] = [tree[0], ...tree[0].children];
  const after = async (checkpoint: string) => {
    const context = await ask('getMessages', { params: { checkpoint }, query: { before: 2, after: 200 } });
    return [context.before, context.after].map((messages) => messages.filter(({ text }) => text !== '').map(({ text }) => text));
  };
  const FIRST = ['begin', 'did: begin'];
  // Before the prompt, on each branch; after the last step; and before all of it, where the current way is told.
  expect(await after(left.begin)).toEqual([FIRST.slice(1), ['left', 'did: left']]);
  expect(await after(right.begin)).toEqual([FIRST.slice(1), ['right', 'did: right', 'right again', 'did: right again']]);
  expect((await after(left.tip))[1]).toEqual(['did: left']);
  expect((await after(begin.begin))[1]).toEqual([...FIRST, 'right', 'did: right', 'right again', 'did: right again']);
  // A step in the middle of the branch that was left: what it went on with.
  const steps = at.retake
    .json(at.workspace, 'log')
    .operations.filter(({ kind, branch }: { kind: string; branch: string }) => kind === 'after-step' && branch === left.branch);
  expect((await after(steps.at(-1).id))[1]).toEqual(['did: left']);
  session.rewindTo(place);
  await turn(at, session, 'third', {});
  expect((await after(right.begin))[1]).toEqual(['right', 'did: right', 'right again', 'did: right again']);
  expect(faults).toEqual([]);
});

test('[API] long texts of messages are cut, and how long they were is told', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  const long = `${'x'.repeat(19_999)}\u{1f600}${'y'.repeat(30_000)}`;
  await session.prompt(long);
  const content = 'z'.repeat(50_000);
  const path = join(at.workspace, 'file.txt');
  await session.step('Write', { file_path: path, content }, () => put(at.workspace, 'file.txt', content));
  await session.step('Read', { file_path: path }, () => put(at.workspace, 'file.txt', 'short'));
  await session.answer('short');
  const { ask, faults } = serve(at);
  const { before } = await ask('getMessages', { params: { checkpoint: '@-1' } });
  expect(before[0]).toMatchObject({ text: 'x'.repeat(19_999), textLength: long.length, kind: 'prompt' });
  const calls = before.flatMap((message) => message.calls);
  expect(calls[0]?.input).toBe(JSON.stringify({ file_path: path, content }).slice(0, 20_000));
  expect(calls[0]?.inputLength).toBe(JSON.stringify({ file_path: path, content }).length);
  expect(calls[1]).toEqual({ id: expect.any(String), name: 'Read', input: { file_path: path }, result: { text: 'done', isError: false } });
  expect(faults).toEqual([]);
});

test('[API] a checkpoint that belongs to no conversation has no messages', async () => {
  const at = forkScene();
  put(at.workspace, 'file.txt', 'one\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const { ask, faults } = serve(at);
  await expect(ask('getMessages', { params: { checkpoint: id } })).rejects.toMatchObject({ status: 404, code: 'no-conversation' });
  await expect(ask('getMessages', { params: { checkpoint: 'f'.repeat(40) } })).rejects.toMatchObject({ status: 404, code: 'unknown-id' });
  expect(faults).toEqual([]);
});

test('[CKP-4] search finds checkpoints by words of name, note and description, by pages', async () => {
  const at = forkScene();
  await forked(at);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'Writing done', '--note', 'all of it');
  const { ask, signed, faults } = serve(at);
  const found = at.retake.json(at.workspace, 'search', 'writ');
  const whole = await ask('search', { query: { q: 'writ' } });
  expect(whole).toEqual({ operations: found.operations, total: found.operations.length, next: null });
  expect(whole.total).toBeGreaterThan(3);
  const pages: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await ask('search', { query: { q: 'writ', limit: 2, ...(cursor === undefined ? {} : { cursor }) } });
    expect(page.total).toBe(whole.total);
    pages.push(...page.operations.map(({ id }) => id));
    cursor = page.next;
  }
  expect(pages).toEqual(whole.operations.map(({ id }) => id));
  expect((await ask('search', { query: { q: 'ALL writing' } })).operations).toMatchObject([{ name: 'Writing done' }]);
  expect(await ask('search', { query: { q: `100% of "it'` } })).toMatchObject({ total: 0 });
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(501)}`, '?q=a&q=b', '?words=a']) {
    expect((await signed(`/api/search${query}`)).status, query).toBe(400);
  }
  expect(faults).toEqual([]);
});
