import { expect, test } from 'vitest';
import type { MessageId } from '../../src/model/index.ts';
import type { Branch } from '../../src/timeline/index.ts';
import { boundary, call, type Line, prompt, reply, result, said } from '../transcript/support.ts';
import { allBranches, drawn, outlined, session, treeOf } from './support.ts';

const at = (second: number): Line => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() });

/** A prompt and its answer: the next one follows `a-<id>`. */
const turn = (id: string, parent: string | null, second: number, rest: Line = {}): Line[] => [
  prompt(id, parent, id, { promptId: `t-${id}`, ...at(second), ...rest }),
  { ...reply(`a-${id}`, id, `m-${id}`, said('ok')), ...at(second) },
];

test('[FRK-1] a rewind to the first prompt is a fork at the beginning', () => {
  const tree = treeOf([...turn('p1', null, 1), ...turn('p2', null, 2)]);
  expect(tree.forks).toEqual([{ at: null, children: ['p1', 'p2'], sessions: ['s1'] }]);
  const [one, two] = tree.roots;
  expect(tree.siblings(one as Branch)).toEqual([two]);
  expect(tree.commonAncestor(one as Branch, two as Branch)).toEqual({ branch: null, at: null, fork: tree.forks[0] });
});

test('[FRK-1] two sessions that begin differently are two conversations', () => {
  const tree = treeOf(turn('p1', null, 1), turn('p2', null, 2));
  expect([tree.forks, tree.roots.map(({ fork }) => fork)]).toEqual([[], [null, null]]);
  expect(tree.commonAncestor(tree.roots[0] as Branch, tree.roots[1] as Branch)).toBeNull();
});

test('[FRK-1] copies of the beginning in other files join what was said there', () => {
  const tree = treeOf(
    [...turn('p1', null, 1), ...turn('p2', null, 2)],
    [...turn('p2', null, 2), ...turn('p3', null, 3)],
    [...turn('p3', null, 3), ...turn('p4', 'a-p3', 4)],
  );
  expect(tree.forks).toEqual([{ at: null, children: ['p1', 'p2', 'p3'], sessions: ['s1', 's2', 's3'] }]);
});

test('[FRK-1] what was said before the first prompt by a command is no turn, and what follows it may part', () => {
  const command = prompt('c', null, '<command-name>/init</command-name>');
  const tree = treeOf([command, reply('a', 'c', 'm', said('done')), ...turn('p1', 'a', 1), ...turn('p2', 'a', 2)]);
  expect(tree.forks).toEqual([{ at: 'm', children: ['p1', 'p2'], sessions: ['s1'] }]);
});

test('[FRK-1] copies of copies of copies are the same prompt', () => {
  const copied = (from: string): Line => ({ forkedFrom: { sessionId: 'x', messageUuid: from } });
  const copy = (id: string, from: string): Line[] =>
    turn(id, null, 1, copied(from)).map((line) => ({ ...line, message: { ...(line.message as Line), id: 'm-a' } }));
  const tree = treeOf([...turn('a', null, 1), ...turn('p1', 'a-a', 2)], copy('b', 'a'), copy('c', 'b'), copy('d', 'c'), [
    ...copy('e', 'd'),
    ...turn('p2', 'a-e', 3),
  ]);
  expect(tree.forks).toMatchObject([{ at: 'm-a', children: ['p1', 'p2'] }]);
  expect(tree.branchOf('e' as MessageId)).toBe(tree.roots[0]);
  expect(tree.roots).toHaveLength(1);
});

test('[FRK-1] prompts after a summary part there, also when what it stands for is gone', () => {
  const summary = [boundary('b', 'gone'), prompt('s', 'b', 'before', { isCompactSummary: true })];
  const tree = treeOf([...summary, ...turn('p1', 's', 1)], [...summary, ...turn('p2', 's', 2), ...turn('p3', 's', 3)]);
  expect(tree.forks).toEqual([{ at: 's', children: ['p1', 'p2', 'p3'], sessions: ['s1', 's2'] }]);
});

test('[FRK-4] a branch lives in the session it was begun in, and tells of all that have it', () => {
  const shared = [...turn('p1', null, 1), ...turn('p2', 'a-p1', 2)];
  const tree = treeOf([...shared, ...turn('p4', 'a-p2', 4)], [...shared, ...turn('p3', 'a-p2', 3)], shared);
  expect(drawn(tree.roots)).toEqual(['p1 → p2', '  p3', '  p4']);
  expect(allBranches(tree).map(({ session: name, sessions }) => [name, ...sessions])).toEqual([
    ['s2', 's2', 's1', 's3'],
    ['s2', 's2'],
    ['s1', 's1'],
  ]);
  expect(tree.current(session('s3'))?.id).toBe('p1');
  expect(tree.current(session('s9'))).toBeUndefined();
});

test('[FRK-4] a turn tells its title in a line, its messages and its tools; words added to it are no turn', () => {
  const queued = { type: 'queued_command', prompt: 'and this', commandMode: 'prompt' };
  const [only] = outlined([
    prompt('p', null, `\n  ${'😀'.repeat(150)}\nmore`, at(1)),
    { ...reply('a1', 'p', 'm1', call('c1'), call('c2')), ...at(2) },
    result('r1', 'a1', 'c1'),
    { ...prompt('q', 'r1'), type: 'attachment', attachment: queued, ...at(3) },
    { ...reply('a2', 'q', 'm2', call('c3')), ...at(4) },
    prompt('n', 'a2', '<task-notification>x</task-notification>', at(5)),
  ]).prompts;
  expect(only).toMatchObject({ messages: 5, tools: 3, replies: 2, last: { message: 'n', at: at(5).timestamp } });
  expect(only?.title).toBe('😀'.repeat(60));
});

test('[FRK-4] [FRK-5] branches that leave turns in the middle: oldest first, and they part where the first one leaves', () => {
  const work = (id: string, parent: string | null, second: number): Line[] => [
    prompt(id, parent, id, at(second)),
    reply(`a-${id}`, id, `m1-${id}`, call(`c-${id}`)),
    result(`r-${id}`, `a-${id}`, `c-${id}`),
    reply(`b-${id}`, `r-${id}`, `m2-${id}`, said('done')),
  ];
  const [first, second] = [work('p1', null, 1), work('p2', 'b-p1', 2)];
  const tree = treeOf(
    [...first, ...second],
    [...first.slice(0, 3), ...turn('late', 'r-p1', 9)],
    [...first, ...second.slice(0, 3), ...turn('early', 'r-p2', 8)],
  );
  expect(drawn(tree.roots)).toEqual(['p1 → p2', '  early', '  late']);
  const [early, late] = tree.roots[0]?.children ?? [];
  const parting = { branch: tree.roots[0], at: 'm1-p1', fork: null };
  expect(tree.commonAncestor(early as Branch, late as Branch)).toEqual(parting);
  expect(tree.commonAncestor(late as Branch, early as Branch)).toEqual(parting);
});

test('[FRK-1] prompts after two answers to the same prompt go out from different places', () => {
  const again = { ...reply('again', 'p1', 'm-again', said('ok')), ...at(2) };
  const tree = treeOf([...turn('p1', null, 1), ...turn('p2', 'a-p1', 2), again, ...turn('p3', 'again', 3)]);
  expect([tree.forks, drawn(tree.roots)]).toEqual([[], ['p1', '  p2', '  p3']]);
});
