import { expect, test } from 'vitest';
import type { MessageId, SessionId } from '../../src/model/index.ts';
import { Family } from '../../src/timeline/family.ts';
import { ConversationTree, type Outline } from '../../src/timeline/index.ts';
import fc from '../support/property.ts';
import { prompt, reply, said } from '../transcript/support.ts';
import { anyOutlineOf } from './any-outline.ts';
import { outlined, session } from './support.ts';

const MESSAGES = Array.from({ length: 600 }, (_, number) => `m${number}`) as MessageId[];
const SESSIONS = Array.from({ length: 40 }, (_, number) => `s${number}`) as SessionId[];

/** All that a tree tells, without who it was grown from. */
const told = (tree: ConversationTree) => ({
  forks: tree.forks,
  roots: tree.roots,
  branches: MESSAGES.map((id) => [tree.branch(id), tree.branchOf(id), tree.turnBefore({ id } as never)]),
  current: SESSIONS.map((each) => tree.current(each)),
});

/** The same of what is taken for one family, whether or not its members have anything in common. */
const toldTogether = (outlines: readonly Outline[]) => {
  const family = new Family(outlines);
  return {
    forks: family.forks.map(([fork]) => fork),
    roots: family.roots,
    branches: MESSAGES.map((id) => [family.branch(id), family.branchOf(id), family.spotOf(id)?.parent ?? null]),
    current: SESSIONS.map((each) => family.current(each)),
  };
};

test('[FRK-3] [PRF-7] a tree that is grown from an earlier one, family by family, is the same as one that is grown anew from all', () => {
  // Which of the outlines there are at each moment: sessions that go on are another outline then.
  const moments = fc.array(fc.array(fc.nat(14), { maxLength: 12 }), { minLength: 1, maxLength: 6 });
  const outlines = fc.array(anyOutlineOf(MESSAGES, SESSIONS), { minLength: 15, maxLength: 15 });
  const seen = { kept: 0, grown: 0, shared: 0 };
  fc.assert(
    fc.property(outlines, moments, (all, chosen) => {
      let tree: ConversationTree | undefined;
      for (const moment of chosen) {
        const present = [...new Set(moment)].map((at) => all[at] as Outline);
        const before = new Set(tree?.roots);
        tree = ConversationTree.grow(present, tree);
        expect(told(tree)).toEqual(toldTogether(present));
        for (const root of tree.roots) seen[before.has(root) ? 'kept' : 'grown']++;
        seen.shared += tree.roots.filter(({ sessions }) => sessions.length > 1).length;
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(50);
});

test('[PRF-7] where one conversation goes on, what is known of the others is not touched, and of those that are gone nothing is left', () => {
  const talk = (name: string) => [prompt(name, null), reply(`${name}-r`, name, `${name}-m`, said('ok'))];
  const [one, other] = [outlined(talk('one'), 's1'), outlined(talk('other'), 's2')];
  const before = ConversationTree.grow([one, other]);
  const more = outlined([...talk('one'), prompt('more', 'one-r')], 's1');
  const after = ConversationTree.grow([more, other], before);
  expect(after.current(session('s2'))).toBe(before.current(session('s2')));
  expect(after.current(session('s1'))?.turns.map(({ title }) => title)).toEqual(['one', 'more']);
  expect(before.current(session('s1'))?.turns.map(({ title }) => title)).toEqual(['one']);
  const alone = ConversationTree.grow([more], after);
  expect(alone.current(session('s2'))).toBeUndefined();
  expect(alone.branch('other' as MessageId)).toBeUndefined();
  expect(alone.roots).toHaveLength(1);
});
