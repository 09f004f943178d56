import { existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyChanges, diffStates } from '../../src/diff/index.ts';
import { isWithin, type RelativePath } from '../../src/model/index.ts';
import { Store } from '../../src/store/index.ts';
import { gitIn } from '../support/git.ts';
import { looseFile } from '../support/private-store.ts';
import fc from '../support/property.ts';
import { applied, emptyStore, type Item, type Model, storeModel, threeModels } from '../support/state-model.ts';

const file = (text: string, permissions = 0o644): Item => ({ type: 'file', text, permissions });
const directory = (permissions = 0o755): Item => ({ type: 'directory', permissions });
const model = (items: Record<string, Item>): Model => new Map(Object.entries(items));

const stored = ({ objects }: Store, state: Model) => {
  const batch = objects.begin();
  const ids = storeModel(batch, state);
  batch.flush();
  return ids;
};

describe('applyChanges', () => {
  const models = threeModels({ permissions: [0o644, 0o755, 0o600, 0o4711], beyondGit: true });

  test('[RST-10] gives the very state that a capture of the same content gives', () => {
    const store = emptyStore();
    fc.assert(
      fc.property(models, ({ base, ours, theirs }) => {
        for (const [from, to] of [
          [base, ours],
          [ours, theirs],
          [theirs, base],
          [new Map(), ours],
          [ours, new Map()],
        ] as const) {
          const ids = { from: stored(store, from), to: stored(store, to) };
          const batch = store.objects.begin();
          expect(applyChanges(store.objects, batch, ids.from, diffStates(store.objects, ids.from, ids.to))).toEqual(ids.to);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('[RST-8] the same for a part of the changes', () => {
    const store = emptyStore();
    fc.assert(
      fc.property(models, fc.constantFrom('a', 'd', 'f'), ({ ours, theirs }, part) => {
        const ids = { from: stored(store, ours), to: stored(store, theirs) };
        const changes = diffStates(store.objects, ids.from, ids.to).filter(({ path }) => isWithin(path, part as RelativePath));
        const batch = store.objects.begin();
        const state = applyChanges(store.objects, batch, ids.from, changes);
        expect(state).toEqual(stored(store, applied(store.objects, ours, changes)));
      }),
      { numRuns: 200 },
    );
  });

  test('directories that nobody told of come into being with the usual bits', () => {
    const store = emptyStore();
    const blob = store.objects.begin().blob(Buffer.from('x'));
    const to = { type: 'file', blob, permissions: 0o600 } as const;
    const changes = [
      { path: 'a/b/c' as RelativePath, from: null, to },
      { path: 'e/f' as RelativePath, from: null, to: null },
    ];
    const state = applyChanges(store.objects, store.objects.begin(), stored(store, model({ g: file('g') })), changes);
    expect(state).toEqual(stored(store, model({ a: directory(), 'a/b': directory(), 'a/b/c': file('x', 0o600), g: file('g') })));
  });

  test('[PRF-2] reads no directory that no change is about', () => {
    const store = emptyStore();
    const items = {
      d: directory(),
      'd/f': file('1'),
      'd/same': directory(0o700),
      'd/same/f': file('s', 0o600),
      other: directory(),
      'other/f': file('o'),
    };
    const from = stored(store, model(items));
    const to = stored(store, model({ ...items, 'd/f': file('2') }));
    const changes = diffStates(store.objects, from, to);
    for (const path of ['d/same', 'other']) {
      const tree = gitIn(store.directory, 'rev-parse', `${from.files}:${path}`).trim();
      expect(existsSync(looseFile(store.directory, tree))).toBe(true);
      rmSync(looseFile(store.directory, tree));
    }
    const { objects } = Store.open(store.directory, 'process');
    expect(applyChanges(objects, objects.begin(), from, changes)).toEqual(to);
  });
});
