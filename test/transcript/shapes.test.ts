import { expect, test } from 'vitest';
import { boundary, call, idsOf, type Line, link, prompt, reply, result, said, session } from './support.ts';

const kinds = (lines: readonly Line[]): string[] => session(lines).messages.map((message) => `${message.role} ${message.kind}`);

test.each([
  [
    'a command that the client answers',
    { message: { content: '<command-name>/x</command-name>\n  <command-message>x</command-message>' } },
  ],
  ['a skill that the model calls for', { message: { content: '<command-message>x</command-message>\n<command-name>x</command-name>' } }],
  ["a command's output", { message: { content: '<local-command-stdout>done</local-command-stdout>' } }],
  ['a shell command', { message: { content: '<bash-input>ls</bash-input>' } }],
  ['a line marked as meta', { isMeta: true }],
  ["a subagent's return", { message: { content: '<task-notification>done</task-notification>' } }],
  ['a prompt of the system', { promptSource: 'system' }],
  ['a turn begun by something else', { origin: { kind: 'channel' } }],
  ['an interruption', { message: { content: [said('[Request interrupted by user for tool use]')] } }],
  ["an agent's words to its subagent", { isSidechain: true }],
])('[CNV-5] %s is a notice, not a prompt', (_, fields) => {
  expect(kinds([prompt('p', null, 'text', fields as Line)])).toEqual(['user notice']);
});

test.each([
  ['', '/x'],
  ['\n<command-args>one two</command-args>', '/x one two'],
])('[CNV-5] a slash command that the model answers is a prompt, as it was typed', (args, typed) => {
  const content = `<command-message>x</command-message>\n<command-name>/x</command-name>${args}`;
  const { messages } = session([prompt('p', null, 'text', { message: { content } } as Line)]);
  expect(messages).toMatchObject([{ kind: 'prompt', text: typed }]);
});

test('[CNV-5] text, blocks of text and pictures are prompts; so is one queued while the agent worked', () => {
  const queued = link('q', 'r1', { attachment: { type: 'queued_command', prompt: 'and this', commandMode: 'prompt' } });
  const told = link('t', 'q', { attachment: { type: 'queued_command', prompt: 'task done', commandMode: 'task-notification' } });
  const transcript = session([
    prompt('p', null, [said('look at'), { type: 'image', source: {} }], { origin: { kind: 'human' } }),
    reply('a1', 'p', 'm', call('c')),
    result('r1', 'a1', 'c'),
    queued,
    told,
    reply('a2', 't', 'm2', said('done')),
  ]);
  expect(transcript.current.map(({ kind, text }) => [kind, text])).toEqual([
    ['prompt', 'look at\n[image]'],
    ['reply', ''],
    ['prompt', 'and this'],
    ['notice', 'task done'],
    ['reply', 'done'],
  ]);
});

test('[CNV-2] what the client says in the place of the model is a notice, and so are words of the system', () => {
  const stub = {
    ...reply('s', 'p', 'm0', said('No response requested.')),
    message: { id: 'm0', model: '<synthetic>', content: [said('x')] },
  };
  expect(kinds([prompt('p', null), stub, link('i', 's', { type: 'system', subtype: 'informational', content: 'note' })])).toEqual([
    'user prompt',
    'assistant notice',
    'system notice',
  ]);
});

test('[CNV-2] results in between, beside and notices within a reply make no branches', () => {
  const transcript = session([
    prompt('p', null),
    reply('a1', 'p', 'm', said('I will'), call('c1')),
    result('r1', 'a1', 'c1'),
    link('hook', 'r1'),
    prompt('meta', 'r1', 'skill text', { isMeta: true }),
    reply('a2', 'meta', 'm', call('c2')),
    result('r2', 'a2', 'c2', [said('two'), said('lines')]),
    link('progress', 'a2', { type: 'progress' }),
    prompt('next', 'r2'),
  ]);
  expect(transcript.messages.map(({ id, parent }) => [id, parent])).toEqual([
    ['p', null],
    ['m', 'p'],
    ['meta', 'm'],
    ['next', 'm'],
  ]);
  expect(transcript.messages[1]?.calls.map(({ id, result }) => [id, result?.text])).toEqual([
    ['c1', 'result of c1'],
    ['c2', 'two\nlines'],
  ]);
});

test('[CNV-2] ids of replies and calls that come again further down are other replies and calls', () => {
  const transcript = session([
    prompt('p1', null),
    reply('a1', 'p1', 'm', call('c')),
    result('r1', 'a1', 'c', 'first'),
    prompt('p2', 'r1'),
    reply('a2', 'p2', 'm', call('c')),
    result('r2', 'a2', 'c', 'second'),
  ]);
  expect(transcript.current.map(({ id, calls }) => [id, calls[0]?.result?.text])).toEqual([
    ['p1', undefined],
    ['m', 'first'],
    ['p2', undefined],
    ['a2', 'second'],
  ]);
});

const turns = [prompt('p1', null), reply('a1', 'p1', 'm1', said('one')), prompt('p2', 'a1'), reply('a2', 'p2', 'm2', said('two'))];

test.each([
  ['everything', { preservedSegment: undefined }, 'a2'],
  ['what is before a prompt', { preservedSegment: { headUuid: 'p2', anchorUuid: 's', tailUuid: 'a2' } }, 'a1'],
  ['what is after a prompt', { preservedSegment: { headUuid: 'p1', anchorUuid: 'b', tailUuid: 'a1' } }, 'a1'],
])('[CNV-4] a summary of %s is no branch: it follows all that was said', (_, metadata, named) => {
  const transcript = session([
    ...turns,
    boundary('b', named, metadata),
    prompt('s', 'b', 'summary', { isCompactSummary: true }),
    prompt('p3', 's'),
  ]);
  expect(idsOf(transcript.current)).toEqual(['p1', 'm1', 'p2', 'm2', 's', 'p3']);
});

test('[CNV-5] a side chain in the main file belongs to its subagent and is never what the agent goes on from', () => {
  const side = { isSidechain: true };
  const transcript = session([...turns, prompt('s1', null, 'do', side), { ...reply('s2', 's1', 'm9', said('did')), ...side }]);
  expect(idsOf(transcript.current)).toEqual(['p1', 'm1', 'p2', 'm2']);
  expect(transcript.messages.filter((message) => message.agentId !== null).map(({ id }) => id)).toEqual(['s1', 'm9']);
});

test('[FRK-1] a message without what it follows is told from the first one, also through lines that say nothing', () => {
  const transcript = session([
    ...turns,
    link('l', 'nowhere'),
    prompt('p3', 'l'),
    reply('a3', 'p3', 'm3', said('three')),
    prompt('p4', 'p4'),
    boundary('b', 'gone'),
    prompt('s', 'b', 'summary', { isCompactSummary: true }),
    link('first', null),
    prompt('p5', 'first'),
  ]);
  expect(idsOf(transcript.messages.filter(({ isOrphan }) => isOrphan))).toEqual(['p3', 'p4', 's']);
  expect(idsOf(transcript.messages.filter(({ parent }) => parent === null))).toEqual(['p1', 'p3', 'p4', 's', 'p5']);
});

test('[FRK-1] a copy names its original: by the line for prompts, by the model for replies', () => {
  const copied = (messageUuid: string): Line => ({ forkedFrom: { sessionId: 'other', messageUuid } });
  const transcript = session([
    prompt('new-1', null, 'one', copied('old-1')),
    { ...reply('new-2', 'new-1', 'm', said('two')), ...copied('old-2') },
    prompt('same', 'new-2', 'three', copied('same')),
    { ...reply('new-3', 'same', 'm', said('another with an id that was there')), ...copied('old-3') },
    prompt('own', 'new-3', 'four', { forkedFrom: { sessionId: 'other' } }),
  ]);
  expect(transcript.messages.map(({ id, copyOf }) => [id, copyOf])).toEqual([
    ['new-1', 'old-1'],
    ['m', 'm'],
    ['same', 'same'],
    ['new-3', 'old-3'],
    ['own', null],
  ]);
});

test('[FRK-1] a plan that is handed over, and words added to a turn, are told from other prompts', () => {
  const queued = link('q', 'r1', { attachment: { type: 'queued_command', prompt: 'and this', commandMode: 'prompt' } });
  const { messages } = session([
    prompt('p1', null, 'Implement the following plan:\n\n1. Do it.'),
    reply('a1', 'p1', 'm', call('c')),
    result('r1', 'a1', 'c'),
    queued,
    prompt('p2', 'q', 'go', { planContent: '1. Do it.' }),
    prompt('p3', 'p2', 'Do not implement the following plan: 1.'),
    prompt('meta', 'p3', 'Implement the following plan: x', { isMeta: true }),
  ]);
  expect(messages.map(({ id, isHandOver, isAdded }) => [id, isHandOver, isAdded])).toEqual([
    ['p1', true, false],
    ['m', false, false],
    ['q', false, true],
    ['p2', true, false],
    ['p3', false, false],
    ['meta', false, false],
  ]);
});
