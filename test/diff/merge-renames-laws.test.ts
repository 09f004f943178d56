import { describe, expect, test } from 'vitest';
import { carriedOut, directory, file, mergeModels } from '../support/merge-story.ts';
import fc from '../support/property.ts';
import { emptyStore, type Item, type Model } from '../support/state-model.ts';

/** The lines that one side wrote. */
const linesBy = (item: Item | undefined, by: string): string[] =>
  item !== undefined && 'text' in item ? item.text.split('\n').filter((line) => line.endsWith(`, ${by}`)) : [];

describe('laws of following renames', () => {
  const NAMES = ['a', 'b', 'd/a', 'd/c', 'd/e/b', 'f/a'];
  const PLACES = ['a 2', 'n/a', 'n/b', 'd/new', 'd/e/n/x', 'o/p/q', 'f/b', 'z'];
  const LENGTH = 12;

  /** Files as lines, with the directories they need. */
  const tree = (files: ReadonlyMap<string, readonly string[]>): Model => {
    const items = new Map<string, Item>();
    for (const [path, lines] of files) {
      const parts = path.split('/');
      for (let depth = 1; depth < parts.length; depth++) items.set(parts.slice(0, depth).join('/'), directory());
      items.set(path, file(lines.map((line) => `${line}\n`).join('')));
    }
    return items;
  };

  const linesOf = (name: string): string[] => Array.from({ length: LENGTH }, (_, at) => `line ${at} of the file ${name}`);

  const edit = fc.record({ name: fc.constantFrom(...NAMES), line: fc.nat(LENGTH - 1) });
  const edited = (files: ReadonlyMap<string, readonly string[]>, edits: readonly { name: string; line: number }[], by: string) =>
    new Map(
      [...files].map(([name, lines]) => [
        name,
        lines.map((line, at) => (edits.some((one) => one.name === name && one.line === at) ? `${line}, ${by}` : line)),
      ]),
    );

  /** By the old name, the new one. */
  const renames = fc
    .tuple(fc.subarray(NAMES), fc.shuffledSubarray(PLACES, { minLength: NAMES.length, maxLength: NAMES.length }))
    .map(([names, places]) => new Map(names.map((name, at) => [name, places[at] as string])));
  const moved = (files: ReadonlyMap<string, readonly string[]>, names: ReadonlyMap<string, string>) =>
    new Map([...files].map(([name, lines]) => [names.get(name) ?? name, lines]));

  const base = new Map(NAMES.map((name) => [name, linesOf(name)]));
  /** Each side has lines of its own, with one between them that nobody edits. */
  const edits = (line: (at: number) => boolean) =>
    fc.array(
      edit.filter((one) => line(one.line)),
      { maxLength: 8, size: 'max' },
    );
  const [first, last] = [edits((at) => at < 3), edits((at) => at > 6)];

  test('[RST-9] one side renames and edits, the other edits: all of it is there under the new names', () => {
    const store = emptyStore();
    let followed = 0;
    fc.assert(
      fc.property(renames, first, last, (names, some, others) => {
        const one = moved(edited(base, some, 'one'), names);
        const other = edited(base, others, 'other');
        followed += others.filter(({ name }) => names.has(name)).length;
        const expected = tree(moved(edited(edited(base, some, 'one'), others, 'other'), names));
        const models = { base: tree(base), ours: tree(one), theirs: tree(other) };
        for (const { ours, theirs } of [models, { ours: models.theirs, theirs: models.ours }]) {
          const merge = mergeModels(store, { base: models.base, ours, theirs });
          expect(merge.conflicts).toEqual([]);
          expect(Object.fromEntries(carriedOut(store, ours, merge))).toEqual(Object.fromEntries(expected));
        }
      }),
      { numRuns: 100 },
    );
    expect(followed).toBeGreaterThan(50);
  });

  test('[RST-9] whatever both rename, edit and delete: no new line is lost without a conflict, and each side can be had in it', () => {
    const store = emptyStore();
    const seen = { clean: 0, conflicts: 0 };
    const side = fc.tuple(
      renames,
      edits(() => true),
      fc.subarray(NAMES, { maxLength: 2 }),
    );
    fc.assert(
      fc.property(side, side, (ours, theirs) => {
        const made = ([names, some, deleted]: typeof ours, by: string) => {
          const files = edited(base, some, by);
          for (const name of deleted) files.delete(name);
          return moved(files, names);
        };
        const sides = { ours: made(ours, 'ours'), theirs: made(theirs, 'theirs') };
        const models = { base: tree(base), ours: tree(sides.ours), theirs: tree(sides.theirs) };
        const merge = mergeModels(store, models);
        for (const choice of ['ours', 'theirs'] as const) {
          const result = carriedOut(store, models.ours, merge, choice);
          for (const { path, renamed, settled } of merge.conflicts) {
            const places = renamed === null ? [path] : [path, renamed.from];
            if (settled === null) for (const at of places) expect([at, result.get(at)]).toEqual([at, models[choice].get(at)]);
            else expect(linesBy(result.get(path), choice)).toEqual(places.flatMap((at) => linesBy(models[choice].get(at), choice)));
          }
          const there = new Set([...result.values()].flatMap((item) => ('text' in item ? item.text.split('\n') : [])));
          for (const by of ['ours', 'theirs'] as const) {
            for (const [path, lines] of sides[by]) {
              const lost = lines.filter((line) => line.endsWith(`, ${by}`) && !there.has(line));
              const isTold = merge.conflicts.some((conflict) => conflict.path === path || conflict.renamed?.from === path);
              if (!isTold) expect([path, lost]).toEqual([path, []]);
            }
          }
        }
        if (merge.conflicts.length === 0) seen.clean++;
        else seen.conflicts++;
      }),
      { numRuns: 150 },
    );
    expect(seen.clean).toBeGreaterThan(5);
    expect(seen.conflicts).toBeGreaterThan(50);
  });
});
