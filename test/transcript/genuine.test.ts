import { expect, test } from 'vitest';
import type { Message, MessageId } from '../../src/model/index.ts';
import { Transcript } from '../../src/transcript/index.ts';
import { type Genuine, genuinePath, open, textsOf } from './support.ts';

const read = (name: Genuine): Transcript => open(genuinePath(name));

/** One word per message: what it is, and what it follows. */
const outline = (messages: readonly Message[]): string[] =>
  messages.map(({ kind, text, calls, parent }) => {
    const words = text === '' ? calls.map((call) => call.name).join('+') : text.split('\n', 1)[0]?.slice(0, 24);
    const before = messages.find((message) => message.id === parent);
    return `${kind} ${words} < ${before ? before.text.split('\n', 1)[0]?.slice(0, 24) || before.calls.map((call) => call.name).join('+') : '-'}`;
  });

test('[CNV-1] a session with two nested rewinds: every branch is there, with prompts beside each other', () => {
  const transcript = read('rewind');
  expect(outline(transcript.messages)).toEqual([
    'prompt add a cart < -',
    'reply Adding the cart. < add a cart',
    'reply Cart added. < Adding the cart.',
    'prompt test it with the shell < Cart added.',
    'reply Bash < test it with the shell',
    'reply Test made with the shell < Bash',
    'prompt seed the cart < Test made with the shell',
    'reply Edit < seed the cart',
    'reply Cart seeded. < Edit',
    'prompt go to checkout instead < Cart added.',
    'reply Write < go to checkout instead',
    'reply Branch A: checkout. < Write',
    'prompt add tax < Branch A: checkout.',
    'reply Write < add tax',
    'reply Branch A: tax. < Write',
    'prompt add tax, but three < Branch A: checkout.',
    'reply Write < add tax, but three',
    'reply Branch A.1: tax again. < Write',
    'prompt do three things at once < Branch A.1: tax again.',
    'reply Write+Write+Bash < do three things at once',
    'reply Three at once. < Write+Write+Bash',
  ]);
  expect(transcript.skipped).toEqual({ lines: 0, reasons: [] });
});

test('[CNV-1] the active branch is that of the last line, not the longest', () => {
  expect(textsOf(read('rewind').current.filter((message) => message.kind === 'prompt'))).toEqual([
    'add a cart',
    'go to checkout instead',
    'add tax, but three',
    'do three things at once',
  ]);
});

test('[CNV-2] parallel calls are one message, each with its own result', () => {
  const calls = read('rewind').messages.find((message) => message.calls.length === 3)?.calls ?? [];
  expect(calls.map(({ id, name, result }) => [id, name, result?.isError, result?.text.slice(0, 48)])).toEqual([
    ['toolu_00000019', 'Write', false, 'File created successfully at: /home/dev/shop/p1.'],
    ['toolu_00000020', 'Write', false, 'File created successfully at: /home/dev/shop/p2.'],
    ['toolu_00000021', 'Bash', false, '(Bash completed with no output)'],
  ]);
});

test('[CNV-1] messages carry time, the id of their turn as hooks tell it, and any branch can be walked', () => {
  const transcript = read('rewind');
  const seed = transcript.messages.find((message) => message.text === 'Cart seeded.');
  expect(seed).toMatchObject({ id: 'msg_9', role: 'assistant', agentId: null, at: expect.stringMatching(/^2026-11-15T/) });
  expect(seed?.promptId).toMatch(/^0790dc/);
  expect(textsOf(transcript.branchTo(seed?.id as MessageId).filter((message) => message.kind === 'prompt'))).toEqual([
    'add a cart',
    'test it with the shell',
    'seed the cart',
  ]);
  expect(() => transcript.branchTo('none' as MessageId)).toThrow(expect.objectContaining({ code: 'unknown-id' }));
});

test('[CNV-4] a compaction follows what it stands for, and its echoes are no prompts', () => {
  const { messages, current } = read('compact');
  expect(outline(messages)).toEqual([
    'prompt make a < -',
    'reply Write < make a',
    'reply a done < Write',
    'prompt make b < a done',
    'reply Write < make b',
    'reply b done < Write',
    'summary This session is being co < b done',
    'notice <local-command-caveat>Th < This session is being co',
    'notice <command-name>/compact</ < <local-command-caveat>Th',
    'notice <local-command-stdout>\u001b[ < <command-name>/compact</',
    'prompt make c after compaction < <local-command-stdout>\u001b[',
    'reply Write < make c after compaction',
    'reply Write < Write',
    'reply d done < Write',
  ]);
  expect(current).toEqual(messages);
});

test("[CNV-5] a subagent's return is a notice; its own file is found and read", () => {
  const transcript = read('subagent');
  expect(transcript.messages.map((message) => message.kind)).toEqual(['prompt', 'reply', 'reply', 'notice', 'reply']);
  const [subagent] = transcript.subagents;
  expect(subagent).toMatchObject({ agentId: 'a64208b88c5cf7789', agentType: 'general-purpose', toolUseId: 'toolu_00000001' });
  const inner = open(subagent?.path ?? '').current;
  expect(inner.map(({ kind, text, agentId }) => [kind, text, agentId])).toEqual([
    ['notice', 'write sub.ts', 'a64208b88c5cf7789'],
    ['reply', 'ok', 'a64208b88c5cf7789'],
  ]);
});

test('[CNV-3] a forked session has the same ids for what it shares with its parent', () => {
  const [fork, parent] = [read('fork').current, read('forked').current];
  const shared = parent.filter((message) => fork.some(({ id }) => id === message.id));
  expect(textsOf(shared)).toEqual(['make a', '', 'a done', 'make b', '', 'b done']);
  expect(fork.at(-1)?.text).toBe('c done');
  expect(parent.at(-1)?.text).toBe('d done');
});

test('[REL-6] an agent whose files are unknown is refused with those that are known', () => {
  expect(() => Transcript.open({ agent: 'nobody', session: 'x' as never, path: genuinePath('fork') })).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringContaining('claude-code') }),
  );
});
