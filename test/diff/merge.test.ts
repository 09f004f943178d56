import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type MergeConflict, mergeStates, resolveMerge, writeMerged } from '../../src/diff/index.ts';
import { isWithin, type MergeChoice, type RelativePath, type TreeId } from '../../src/model/index.ts';
import { type ObjectBatch, Store } from '../../src/store/index.ts';
import { gitIn, hermeticEnvironment } from '../support/git.ts';
import { carriedOut, directory, file, link, type Models, mergeModels, mergeStory, model, reasons } from '../support/merge-story.ts';
import { looseFile } from '../support/private-store.ts';
import fc from '../support/property.ts';
import { applied, emptyStore, type Item, type Model, storeModel, threeModels, withoutEmptyDirectories } from '../support/state-model.ts';

const sorted = (state: Model): [string, Item][] => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

describe('mergeStates', () => {
  test('[RST-10] the one side changed the bits, the other the content: both are taken', () => {
    const { merge, result } = mergeStory({ base: { a: file('1\n') }, ours: { a: file('1\n', 0o755) }, theirs: { a: file('2\n') } });
    expect(reasons(merge)).toEqual({});
    expect(result()).toEqual({ a: file('2\n', 0o755) });
  });

  test('[RST-9] text that both sides changed is merged, and is in the store only after it was written', () => {
    const { merge, result } = mergeStory({
      base: { a: file('1\n2\n3\n') },
      ours: { a: file('one\n2\n3\n') },
      theirs: { a: file('1\n2\nthree\n') },
    });
    expect(merge.changes).toMatchObject([{ path: 'a', to: { bytes: Buffer.from('one\n2\nthree\n') } }]);
    expect(result()).toEqual({ a: file('one\n2\nthree\n') });
  });

  test('[RST-9] each kind of conflict is named', () => {
    const { merge } = mergeStory({
      base: {
        both: file('b\n'),
        gone: file('b\n'),
        kind: file('b\n'),
        bin: file('b\0'),
        bits: file('b'),
        way: directory(),
        'way/x': file('b\n'),
      },
      ours: {
        both: file('o\n'),
        kind: file('o\n'),
        bin: file('o\0'),
        bits: file('b', 0o600),
        way: directory(),
        'way/x': file('o\n'),
        new: file('o\n'),
      },
      theirs: {
        both: file('t\n'),
        gone: file('t\n'),
        kind: link('t'),
        bin: file('t\0'),
        bits: file('b', 0o755),
        way: file('t\n'),
        new: file('t\n'),
      },
    });
    expect(reasons(merge)).toEqual({
      both: 'both-changed',
      gone: 'changed-and-deleted',
      kind: 'type',
      bin: 'binary',
      bits: 'permissions',
      way: 'directory-in-the-way',
      new: 'both-added',
    });
  });

  test('[RST-9] nothing can be carried out while a conflict is open; binary content can not be finished by hand', () => {
    const store = emptyStore();
    const models = {
      base: model({ bin: file('b\0'), text: file('b\n') }),
      ours: model({ bin: file('o\0'), text: file('o\n') }),
      theirs: model({ bin: file('t\0'), text: file('t\n') }),
    };
    const merge = mergeModels(store, models);
    expect(resolveMerge(merge).unresolved).toEqual(['bin', 'text']);
    const resolved = resolveMerge(merge, { rest: 'manual' });
    expect(resolved).toMatchObject({ unresolved: ['bin'], marked: ['text'], skipped: [] });
    expect(() => writeMerged(store.objects.begin(), resolved)).toThrow('unresolved');
    const paths = new Map<RelativePath, MergeChoice>([['bin' as RelativePath, 'skip']]);
    const decided = resolveMerge(merge, { paths, rest: 'manual' });
    expect(decided).toMatchObject({ unresolved: [], marked: ['text'], skipped: ['bin'] });
    const batch = store.objects.begin();
    const changes = writeMerged(batch, decided);
    batch.flush();
    expect(Object.fromEntries(applied(store.objects, models.ours, changes))).toEqual({
      bin: file('o\0'),
      text: file('<<<<<<< ours\no\n||||||| base\nb\n=======\nt\n>>>>>>> theirs\n'),
    });
  });

  test('[RST-9] a directory deleted on their side goes with the last thing in it that stays', () => {
    const { merge, result } = mergeStory({
      base: { d: directory(), 'd/e': directory(), 'd/e/x': file('b\n'), 'd/y': file('b\n') },
      ours: { d: directory(), 'd/e': directory(), 'd/e/x': file('o\n'), 'd/y': file('b\n') },
    });
    expect(reasons(merge)).toEqual({ 'd/e/x': 'changed-and-deleted' });
    expect(result('ours')).toEqual({ d: directory(), 'd/e': directory(), 'd/e/x': file('o\n') });
    expect(result('theirs')).toEqual({});
  });

  test('[RST-9] a file that we deleted with its directory comes back with it', () => {
    const { result } = mergeStory({
      base: { d: directory(0o700), 'd/x': file('b\n') },
      theirs: { d: directory(0o700), 'd/x': file('t\n') },
    });
    expect(result('ours')).toEqual({});
    expect(result('theirs')).toEqual({ d: directory(0o700), 'd/x': file('t\n') });
  });

  test('[RST-9] a file against a directory with new things in it: either side as a whole', () => {
    const items = { ours: { d: directory(), 'd/x': file('o\n'), 'd/y': file('y\n') }, theirs: { d: link('away') } };
    const { merge, result } = mergeStory({ base: { d: directory(), 'd/y': file('y\n') }, ...items });
    expect(reasons(merge)).toEqual({ d: 'directory-in-the-way' });
    expect(result('ours')).toEqual(items.ours);
    expect(result('theirs')).toEqual(items.theirs);
  });

  test('an empty directory that they made comes along', () => {
    const { result } = mergeStory({ ours: { a: file('a') }, theirs: { d: directory(0o700) } });
    expect(result()).toEqual({ a: file('a'), d: directory(0o700) });
  });

  test('[PRF-2] equal subtrees are not read, and of content only what both sides changed', () => {
    const store = emptyStore();
    const deep = {
      same: directory(0o700),
      'same/f': file('same', 0o600),
      d: directory(),
      'd/same': directory(0o750),
      'd/same/f': file('same too', 0o640),
    };
    const models = {
      base: model({ ...deep, 'd/one': file('b'), 'd/other': file('b'), 'd/both': file('1\n2\n3\n') }),
      ours: model({ ...deep, 'd/one': file('ours alone'), 'd/other': file('b'), 'd/both': file('one\n2\n3\n') }),
      theirs: model({ ...deep, 'd/one': file('b'), 'd/other': file('theirs alone'), 'd/both': file('1\n2\nthree\n') }),
    };
    const batch = store.objects.begin();
    const states = { base: storeModel(batch, models.base), ours: storeModel(batch, models.ours), theirs: storeModel(batch, models.theirs) };
    const texts = ['same', 'same too', 'ours alone', 'theirs alone', 'b'].map((text) => batch.blob(Buffer.from(text)));
    batch.flush();
    const metaOfRoot = store.objects.readTree(states.base.meta as TreeId);
    const unneeded = [
      ...texts,
      gitIn(store.directory, 'rev-parse', `${states.base.files}:same`).trim(),
      gitIn(store.directory, 'rev-parse', `${states.base.files}:d/same`).trim(),
      ...metaOfRoot.filter(({ name }) => name === '+same').map(({ id }) => id),
    ];
    expect(unneeded).toHaveLength(8);
    for (const id of unneeded) {
      expect(existsSync(looseFile(store.directory, id))).toBe(true);
      rmSync(looseFile(store.directory, id));
    }
    const merge = mergeStates(Store.open(store.directory, 'process').objects, states);
    expect(merge.changes.map(({ path }) => path)).toEqual(['d/both', 'd/other']);
  });
});

describe('laws of merging', () => {
  const models = threeModels({ permissions: [0o644, 0o755, 0o600], beyondGit: true });

  const withStore = (check: (store: Store, models: Models) => void) => {
    const store = emptyStore();
    fc.assert(
      fc.property(models, (three) => check(store, three)),
      { numRuns: 200 },
    );
  };

  const isPartOf = (path: string, { path: at, reason }: MergeConflict): boolean =>
    path === at || (reason === 'directory-in-the-way' && isWithin(path as RelativePath, at));

  const same = (a: Item | undefined, b: Item | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

  const isDirectory = (item: Item | undefined): boolean => item?.type === 'directory';

  /** What has to be at a path, as far as that is certain without merging content. */
  const expected = (path: string, { base, ours, theirs }: Models, result: Model): { item: Item | undefined } | undefined => {
    const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)];
    const isHeld = [...result.keys()].some((one) => one.startsWith(`${path}/`));
    const [directories, others] = [[o, t].filter(isDirectory), [o, t].filter((item) => !isDirectory(item))];
    if (isDirectory(b) && directories.length === 1) return { item: isHeld ? directories[0] : others[0] };
    if (same(b, t) || same(o, t)) return { item: o };
    return same(b, o) ? { item: t } : undefined;
  };

  test('[RST-10] what one side alone changed is as that side has it, conflicts are as chosen', () => {
    let conflicts = 0;
    withStore((store, three) => {
      const merge = mergeModels(store, three);
      conflicts += merge.conflicts.length;
      for (const choice of ['ours', 'theirs', 'skip'] as const) {
        const result = carriedOut(store, three.ours, merge, choice);
        for (const path of new Set([...three.base.keys(), ...three.ours.keys(), ...three.theirs.keys()])) {
          const conflict = merge.conflicts.find((one) => isPartOf(path, one));
          if (conflict !== undefined && (conflict.settled === null || choice === 'skip')) {
            expect([path, result.get(path)]).toEqual([path, three[choice === 'theirs' ? 'theirs' : 'ours'].get(path)]);
          } else if (conflict !== undefined) {
            expect([path, result.get(path)?.type]).toEqual([path, three.ours.get(path)?.type]);
            expect([path, result.get(path)?.type]).toEqual([path, three.theirs.get(path)?.type]);
          } else {
            const certain = expected(path, three, result);
            if (certain !== undefined) expect([path, result.get(path)]).toEqual([path, certain.item]);
            else expect([path, result.get(path)?.type]).toEqual([path, three.ours.get(path)?.type ?? three.theirs.get(path)?.type]);
          }
        }
      }
    });
    expect(conflicts).toBeGreaterThan(20);
  });

  test('[RST-9] exchanged sides have the same conflicts, and with exchanged choices the same result', () => {
    withStore((store, { base, ours, theirs }) => {
      const there = mergeModels(store, { base, ours, theirs });
      const back = mergeModels(store, { base, ours: theirs, theirs: ours });
      expect(reasons(back)).toEqual(reasons(there));
      expect(sorted(carriedOut(store, theirs, back, 'theirs'))).toEqual(sorted(carriedOut(store, ours, there, 'ours')));
      expect(sorted(carriedOut(store, theirs, back, 'ours'))).toEqual(sorted(carriedOut(store, ours, there, 'theirs')));
    });
  });

  test('[RST-9] with nothing changed on one side, or the same on both, the other is the result', () => {
    withStore((store, { base, ours, theirs }) => {
      expect(mergeModels(store, { base, ours, theirs: base })).toEqual({ changes: [], conflicts: [], hanging: [] });
      expect(mergeModels(store, { base, ours, theirs: ours })).toEqual({ changes: [], conflicts: [], hanging: [] });
      const taken = mergeModels(store, { base, ours: base, theirs });
      expect(reasons(taken)).toEqual({});
      expect(sorted(carriedOut(store, base, taken))).toEqual(sorted(theirs));
    });
  });
});

describe('compared with git merge-tree', () => {
  const commit = (batch: ObjectBatch, three: Model, parents: ReturnType<ObjectBatch['commit']>[]) =>
    batch.commit({ tree: storeModel(batch, three).files, parents, time: new Date(0), message: Buffer.from('state') });

  /** The tree that git makes of both sides, and the paths it finds in conflict. */
  const byGit = ({ directory: gitDirectory, objects }: Store, { base, ours, theirs }: Models): { tree: string; conflicts: string[] } => {
    const batch = objects.begin();
    const first = commit(batch, base, []);
    const sides = [commit(batch, ours, [first]), commit(batch, theirs, [first])];
    batch.flush();
    const options = ['-c', 'merge.renames=false', '-c', 'merge.directoryRenames=false'];
    const { stdout, status } = spawnSync(
      'git',
      [...options, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides],
      {
        cwd: gitDirectory,
        env: hermeticEnvironment('/nonexistent'),
      },
    );
    expect(status).toBeLessThan(2);
    const [tree = '', ...names] = stdout.toString().split('\0').filter(Boolean);
    // Of two things that can't be at one path, git puts one beside it, named after its commit.
    return { tree, conflicts: [...new Set(names.map((name) => name.replace(/~[0-9a-f]{40}$/, '')))].sort() };
  };

  const treeOf = ({ objects }: Store, state: Model): string => {
    const batch = objects.begin();
    const { files } = storeModel(batch, state);
    batch.flush();
    return files;
  };

  test('[FRK-6] the same tree when clean, the same paths in conflict when not', () => {
    const store = emptyStore();
    const seen = { clean: 0, conflicting: 0 };
    fc.assert(
      fc.property(threeModels({ permissions: [0o644, 0o755], beyondGit: false }), (three) => {
        const gits = byGit(store, three);
        const merge = mergeModels(store, three);
        if (merge.conflicts.length === 0) {
          seen.clean++;
          expect(gits.conflicts).toEqual([]);
          expect(treeOf(store, withoutEmptyDirectories(carriedOut(store, three.ours, merge)))).toBe(gits.tree);
        } else {
          seen.conflicting++;
          // A file against a directory is one conflict here, for all that lies below; git names what it finds below too.
          const covering = merge.conflicts.filter(({ reason }) => reason === 'directory-in-the-way');
          const at = (path: string) => covering.find((conflict) => isWithin(path as RelativePath, conflict.path))?.path ?? path;
          expect([...new Set(gits.conflicts.map(at))].sort()).toEqual(merge.conflicts.map(({ path }) => path));
        }
      }),
      { numRuns: 200 },
    );
    expect(seen.clean).toBeGreaterThan(30);
    expect(seen.conflicting).toBeGreaterThan(30);
  });
});
