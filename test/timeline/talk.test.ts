import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConversationTree, type Outline } from '../../src/timeline/index.ts';
import fc from '../support/property.ts';
import { jsonl, open, sessionFile } from '../transcript/support.ts';
import { allBranches, outline, outlined, session } from './support.ts';
import { happenings, type Said, Talk, type TalkFile } from './talk.ts';

const outlinesOf = ({ files }: Talk): Outline[] => files.map(({ lines, session: name }) => outlined(lines, name));

const has = ({ entries }: TalkFile, { id }: Said): boolean => entries.some((entry) => entry.said.id === id && entry.parts.length > 0);

const sessionsWith = (talk: Talk, prompts: readonly Said[]): string[] =>
  talk.files.filter((file) => prompts.some((each) => has(file, each))).map((file) => file.session);

/** Places where two or more things were said. */
const trueForks = (talk: Talk) =>
  [...Map.groupBy(talk.said, ({ place }) => place).values()]
    .filter((ways) => ways.length > 1)
    .map((ways) => ({ children: ways.map(({ id }) => id), sessions: sessionsWith(talk, ways).sort() }));

/** A way goes on with what was said at the end of its last turn, if that was one thing only. */
const trueBranches = (talk: Talk) => {
  const next = (said: Said): Said | undefined => {
    const ways = talk.said.filter(({ place }) => place === `end of ${said.id}`);
    return ways.length === 1 ? ways[0] : undefined;
  };
  const wayFrom = (first: Said): Said[] => {
    const way = [first];
    for (let said = next(first); said !== undefined; said = next(said)) way.push(said);
    return way;
  };
  const firsts = talk.said.filter((said) => said.after === null || next(said.after) !== said);
  const ways = firsts.map(wayFrom);
  const wayOf = (said: Said | null): string | null => ways.find((way) => way.some((each) => each === said))?.[0]?.id ?? null;
  return ways.map((way) => ({
    turns: way.map(({ id }) => id),
    parent: wayOf(way[0]?.after ?? null),
    sessions: sessionsWith(talk, way).sort(),
  }));
};

const byId = <T extends { turns: readonly string[] }>(ways: readonly T[]): T[] =>
  [...ways].sort((a, b) => ((a.turns[0] ?? '') < (b.turns[0] ?? '') ? -1 : 1));

test('[FRK-1] [FRK-4] whatever was said, in whichever files, and whatever stands around it: exactly the forks and branches there are', () => {
  fc.assert(
    fc.property(happenings, (all) => {
      const talk = new Talk(all);
      const tree = ConversationTree.grow(outlinesOf(talk));
      expect(tree.forks.map(({ children, sessions }) => ({ children, sessions: [...sessions].sort() }))).toEqual(trueForks(talk));
      const found = allBranches(tree).map(({ turns, parent, sessions }) => ({
        turns: turns.map(({ id }) => id as string),
        parent: parent as string | null,
        sessions: ([...sessions] as string[]).sort(),
      }));
      expect(byId(found)).toEqual(byId(trueBranches(talk)));
      for (const file of talk.files) {
        const current = tree.current(session(file.session));
        expect(current?.turns.map(({ id }) => id as string)).toContain(file.current.said.id);
      }
    }),
    { numRuns: 150 },
  );
});

test('[FRK-3] the tree is the same in whatever order sessions are read', () => {
  fc.assert(
    fc.property(happenings, fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }), (all, order) => {
      const outlines = outlinesOf(new Talk(all));
      const shuffled = outlines.map((each, index) => [order[index] ?? 0, each] as const).sort(([a], [b]) => a - b);
      const [one, other] = [ConversationTree.grow(outlines), ConversationTree.grow([...shuffled.map(([, each]) => each)].reverse())];
      expect([other.forks, other.roots]).toEqual([one.forks, one.roots]);
    }),
    { numRuns: 50 },
  );
});

test('[FRK-1] a file that grows line by line says the same as one that is read anew', () => {
  fc.assert(
    fc.property(happenings, (all) => {
      const lines = new Talk(all).files.reduce((longest, { lines }) => (lines.length > longest.length ? lines : longest), [] as unknown[]);
      const path = sessionFile('');
      const growing = open(path);
      for (const line of lines) {
        appendFileSync(path, jsonl([line]));
        growing.refresh();
        expect(outline(growing)).toEqual(outline(open(path)));
      }
    }),
    { numRuns: 10 },
  );
});
