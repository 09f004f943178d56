import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MessageId } from '../../src/model/index.ts';
import { type Branch, ConversationTree } from '../../src/timeline/index.ts';
import { type ContinuationRequest, writeContinuation } from '../../src/transcript/index.ts';
import { copyOf, GENUINE, type Genuine, genuinePath, jsonl, type Line, linesOf, NEXT, open, prompt } from '../transcript/support.ts';
import { allBranches, drawn, outline } from './support.ts';

const grown = (...names: readonly Genuine[]): ConversationTree =>
  ConversationTree.grow(names.map((name) => outline(open(genuinePath(name)))));

const called = (tree: ConversationTree, title: string): Branch =>
  allBranches(tree).find((branch) => branch.title.startsWith(title)) as Branch;

const titles = (branches: readonly Branch[]): string[] => branches.map(({ title }) => title);

test('[FRK-1] two nested rewinds are two forks, and parallel calls are none', () => {
  const tree = grown('rewind');
  expect(tree.forks.map(({ at, children }) => [at, ...children.map((id) => tree.branch(id)?.title)])).toEqual([
    ['msg_3', 'test it with the shell', 'go to checkout instead'],
    ['msg_12', 'add tax', 'add tax, but three'],
  ]);
});

test('[FRK-4] a tree of branches: from each fork to the next, or to the newest message', () => {
  const tree = grown('rewind');
  expect(drawn(tree.roots)).toEqual([
    'add a cart',
    '  test it with the shell → seed the cart',
    '  go to checkout instead',
    '    add tax',
    '    add tax, but three → do three things at once',
  ]);
  const [tax, again] = [called(tree, 'add tax'), called(tree, 'add tax, but')];
  expect(titles(tree.path(again))).toEqual(['add a cart', 'go to checkout instead', 'add tax, but three']);
  expect(again).toMatchObject({
    depth: 2,
    parent: called(tree, 'go to').id,
    from: 'msg_12',
    fork: tree.forks[1],
    last: { message: 'msg_23' },
  });
  expect(again.turns.map(({ messages, tools }) => [messages, tools])).toEqual([
    [3, 1],
    [3, 3],
  ]);
  expect(titles(tree.siblings(tax))).toEqual(['add tax, but three']);
  expect(titles(tree.descendants(called(tree, 'add a cart')))).toEqual([
    'test it with the shell',
    'go to checkout instead',
    'add tax',
    'add tax, but three',
  ]);
  expect(tree.current(outline(open(genuinePath('rewind'))).session)).toBe(again);
  expect(tree.branchOf(again.turns[1]?.id as MessageId)).toBe(again);
  expect(tree.branch(again.turns[1]?.id as MessageId)).toBeUndefined();
});

test('[FRK-5] the ways to two branches part at a fork, or where one leaves the other', () => {
  const tree = grown('rewind', 'subagent');
  const [cart, shell, checkout, again] = ['add a cart', 'test it', 'go to', 'add tax, but'].map((title) => called(tree, title)) as [
    Branch,
    Branch,
    Branch,
    Branch,
  ];
  expect(tree.commonAncestor(shell, again)).toEqual({ branch: cart, at: 'msg_3', fork: tree.forks[0] });
  expect(tree.commonAncestor(again, called(tree, 'add tax'))).toEqual({ branch: checkout, at: 'msg_12', fork: tree.forks[1] });
  expect(tree.commonAncestor(cart, again)).toEqual({ branch: cart, at: 'msg_3', fork: tree.forks[0] });
  expect(tree.commonAncestor(again, again)).toEqual({ branch: again, at: 'msg_23', fork: null });
  expect(tree.commonAncestor(again, called(tree, 'delegate'))).toBeNull();
});

test('[FRK-1] a forked session and its parent have one fork, whatever turn ids the copies were given', () => {
  const tree = grown('fork', 'forked');
  const [parent, fork] = [outline(open(genuinePath('forked'))), outline(open(genuinePath('fork')))];
  expect(drawn(tree.roots)).toEqual(['make a → make b', '  make c in a fork', '  make d in the parent']);
  expect(tree.forks).toMatchObject([{ at: 'msg_6', sessions: [parent.session, fork.session] }]);
  expect(tree.roots[0]?.session).toBe(parent.session);
  expect(titles([tree.current(parent.session), tree.current(fork.session)] as Branch[])).toEqual([
    'make d in the parent',
    'make c in a fork',
  ]);
  const stamped = allBranches(tree).flatMap(({ turns }) =>
    turns.map(({ title, promptIds }) => `${title} ${promptIds.map((id) => id.slice(0, 4))}`),
  );
  expect(stamped).toEqual(['make a a0bb', 'make b 145c', 'make c in a fork a48d', 'make d in the parent 128b']);
});

test.each(['compact', 'subagent'] as const)('[FRK-1] no fork in %s', (name) => {
  const tree = grown(name);
  expect([tree.forks, tree.roots.length]).toEqual([[], 1]);
});

test('[FRK-1] sessions of one folder keep apart, although a played model gave their replies the same ids', () => {
  const tree = grown(...(Object.keys(GENUINE) as Genuine[]));
  expect(tree.forks.map(({ at }) => at)).toEqual(['msg_3', 'msg_12', 'msg_6']);
  expect(titles(tree.roots)).toEqual(['add a cart', 'make a', 'delegate', 'make a']);
});

const idOf = (path: string, text: string): MessageId => open(path).messages.find((message) => message.text === text)?.id as MessageId;

type Request = Omit<ContinuationRequest, 'session'>;

/** A tree of a session and of one that Retake made from it, in which something else was said then: at its end, or where told. */
const continued = (request: (path: string) => Request, isPlace: (line: Line) => boolean = () => true): ConversationTree => {
  const path = copyOf('fork');
  const made = writeContinuation(open(path), { ...request(path), session: NEXT })?.path ?? '';
  const { uuid } = linesOf(made).findLast((line) => line.uuid !== undefined && isPlace(line)) as { uuid: string };
  appendFileSync(made, jsonl([prompt('other', uuid, 'go elsewhere', { timestamp: '2026-11-16T00:00:00.000Z' })]));
  return ConversationTree.grow([path, made].map((each) => outline(open(each))));
};

test('[FRK-1] a session that Retake took back is a fork where it was cut', () => {
  const tree = continued((path) => ({ cut: { before: idOf(path, 'make b') } }));
  expect(drawn(tree.roots)).toEqual(['make a', '  make b → make c in a fork', '  go elsewhere']);
  expect(tree.forks.map(({ at }) => at)).toEqual(['msg_3']);
});

test('[FRK-4] one that was cut in the middle of a turn is a branch of its own, and no fork', () => {
  const tree = continued(() => ({ cut: { through: 'msg_5' as MessageId } }));
  expect(drawn(tree.roots)).toEqual(['make a → make b → make c in a fork', '  go elsewhere']);
  expect(tree.forks).toEqual([]);
  const [root, other] = [called(tree, 'make a'), called(tree, 'go')];
  expect(other).toMatchObject({ from: 'msg_5', fork: null });
  expect(tree.commonAncestor(root, other)).toEqual({ branch: root, at: 'msg_5', fork: null });
});

test('[FRK-1] a summary in place of what came before, or after, does not hide where a session goes out from', () => {
  const cut = (path: string) => ({ before: idOf(path, 'make b') });
  const before = (path: string): Request => ({ cut: cut(path), summary: { text: 'a was made', of: 'before' } });
  const rest = (path: string): Request => ({ cut: cut(path), summary: { text: 'b and c were made', of: 'rest' } });
  const parted = ['make a', '  make b → make c in a fork', '  go elsewhere'];
  expect(drawn(continued(before).roots)).toEqual(['make a → make b → make c in a fork → go elsewhere']);
  expect(drawn(continued(before, (line) => line.isCompactSummary === true).roots)).toEqual(parted);
  expect(drawn(continued(rest).roots)).toEqual(parted);
});
