import { expect, test } from 'vitest';
import type { MessageId } from '../../src/model/index.ts';
import { ConversationTree, type Outline } from '../../src/timeline/index.ts';
import fc from '../support/property.ts';
import { anyLines } from '../transcript/arbitrary.ts';
import { prompt, reply, said } from '../transcript/support.ts';
import { anyOutlineOf } from './any-outline.ts';
import { allBranches, outlined } from './support.ts';

type OutlinedPrompt = Outline['prompts'][number];

const anyOutline = anyOutlineOf(['a', 'b', 'c', 'd', '__proto__', 'constructor'], ['s1', 's2', '__proto__']);

/** Whatever was said, each prompt is on one branch, and each branch below a root. */
const checkTree = (outlines: readonly Outline[]): void => {
  const tree = ConversationTree.grow(outlines);
  const branches = allBranches(tree);
  const turns = branches.flatMap((branch) => branch.turns.map(({ id }) => id));
  expect(new Set(turns).size).toBe(turns.length);
  for (const { prompts } of outlines)
    for (const { id } of prompts) expect(tree.branchOf(id)?.turns.some((each) => tree.branchOf(each.id) === tree.branchOf(id))).toBe(true);
  for (const branch of branches) expect(tree.path(branch)).toHaveLength(branch.depth + 1);
  for (const { children } of tree.forks) expect(new Set(children).size).toBeGreaterThan(1);
  const other = ConversationTree.grow([...outlines].reverse());
  expect([other.forks, other.roots]).toEqual([tree.forks, tree.roots]);
};

test('[REL-6] whatever outlines say, there is a tree, and the same in any order', () => {
  fc.assert(fc.property(fc.array(anyOutline, { maxLength: 4 }), checkTree), { numRuns: 1000 });
});

test('[REL-6] however lines of several files refer to each other, there is a tree', () => {
  fc.assert(
    fc.property(fc.array(anyLines, { maxLength: 3 }), (files) => checkTree(files.map((lines, index) => outlined(lines, `s${index}`)))),
    { numRuns: 100 },
  );
});

const many = 20_000;

/** Many prompts, each with a reply, where they are said to be. */
const crowd = (spotOf: (index: number) => Partial<OutlinedPrompt>): Outline => {
  const [model] = outlined([prompt('p', null), reply('a', 'p', 'm', said('ok'))]).prompts;
  const prompts = Array.from({ length: many }, (_, index) => ({ ...(model as OutlinedPrompt), id: name(index), ...spotOf(index) }));
  return { ...outlined([]), prompts };
};

const name = (index: number): MessageId => `p${index}` as MessageId;

test('[REL-6] a fork of a great many ways, forks nested as deeply, and as long a circle are no trouble', () => {
  const wide = ConversationTree.grow([crowd((index) => (index === 0 ? {} : { anchor: name(0), parent: name(0), place: 1 }))]);
  expect([wide.forks.length, wide.roots[0]?.children.length]).toEqual([1, many - 1]);

  const nested = (index: number) => name(index - (index % 2 === 0 ? 2 : 3));
  const deep = ConversationTree.grow([crowd((index) => (index < 2 ? {} : { anchor: nested(index), parent: nested(index), place: 1 }))]);
  expect(deep.forks).toHaveLength(many / 2);
  expect(Math.max(...allBranches(deep).map(({ depth }) => depth))).toBe(many / 2 - 1);

  const circle = ConversationTree.grow([
    crowd((index) => ({ anchor: name((index + 1) % many), parent: name((index + 1) % many), place: 1 })),
  ]);
  expect([circle.forks, circle.roots.length, circle.roots[0]?.turns.length]).toEqual([[], 1, many]);
});

test('[REL-6] a great many copies of copies, in a line and in a circle, are one prompt', () => {
  const copies = (next: (index: number) => number): Outline => ({
    ...crowd(() => ({})),
    copies: Array.from({ length: many }, (_, index) => [name(index), name(next(index))] as const),
  });
  for (const next of [(index: number) => index + 1, (index: number) => (index + 1) % many])
    expect(ConversationTree.grow([copies(next)]).roots.map(({ turns }) => turns.length)).toEqual([1]);
});
