import { join } from 'node:path';
import { expect } from 'vitest';
import { buildDirectory } from '../../src/capture/build-directory.ts';
import type { Entry } from '../../src/capture/record.ts';
import type { StateChange } from '../../src/diff/index.ts';
import { type Node, parent, type RelativePath, ROOT, type WorkspaceState } from '../../src/model/index.ts';
import { type ObjectBatch, type ObjectStore, Store } from '../../src/store/index.ts';
import fc from './property.ts';
import { temporaryDirectory } from './temporary.ts';

/** What is at a path, with its content in place. */
export type Item =
  | { readonly type: 'file' | 'pointer'; readonly text: string; readonly permissions: number }
  | { readonly type: 'link'; readonly text: string }
  | { readonly type: 'directory'; readonly permissions: number };

/** A state as plain values: every path, directories too. */
export type Model = ReadonlyMap<string, Item>;

export const emptyStore = (): Store => {
  const directory = join(temporaryDirectory(), 'store.git');
  Store.create(directory, [2, 39, 0], 'process');
  return Store.open(directory, 'process');
};

export const storeModel = (batch: ObjectBatch, model: Model): WorkspaceState => {
  const build = (directory: string, mode: number): ReturnType<typeof buildDirectory> => {
    const metas = new Map<string, ReturnType<typeof buildDirectory>['meta']>();
    const entries = [...model]
      .filter(([path]) => parent(path as RelativePath) === directory)
      .map(([path, item]) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        const print = { mode: 'permissions' in item ? item.permissions : 0 };
        if (item.type !== 'directory') {
          const kind = item.type === 'link' && name === '.git' ? 'pointer-link' : item.type;
          return { name, kind, print, id: batch.blob(Buffer.from(item.text)) };
        }
        const { tree, meta } = build(path, item.permissions);
        metas.set(name, meta);
        return { name, kind: item.type, print, id: tree };
      });
    return buildDirectory(batch, directory as RelativePath, mode, entries as unknown as Entry[], (name) => metas.get(name) ?? null);
  };
  const { tree: files, meta } = build(ROOT, 0o755);
  return { files, meta };
};

/** The state after changes, each of which has to be about what is there, and to leave a tree behind. */
export const applied = (store: ObjectStore, model: Model, changes: readonly StateChange[]): Model => {
  const item = (node: Node): Item => {
    if (node.type === 'directory') return node;
    const text = store.readBlob(node.blob).toString();
    return node.type === 'link' ? { type: node.type, text } : { type: node.type, text, permissions: node.permissions };
  };
  const result = new Map(model);
  for (const { path, from, to } of changes) {
    expect(result.get(path) ?? null).toEqual(from === null ? null : item(from));
    if (to === null) result.delete(path);
    else result.set(path, item(to));
  }
  for (const path of result.keys()) {
    const up = parent(path as RelativePath);
    if (up !== ROOT) expect(`${up}: ${result.get(up)?.type}`).toBe(`${up}: directory`);
  }
  return result;
};

const PATHS = ['a', 'b', 'd', 'd/x', 'd/y', 'd/e', 'd/e/z', 'd/e/w', 'f', 'f/g'];
const LINES = ['0', '1', '2', '3', '4', '5', '6'];

/** One thing that someone does to a state. `@` stands for the path: equal content elsewhere would be a rename to git. */
type AttributedChange =
  | { readonly do: 'write'; readonly path: string; readonly text: string; readonly permissions: number }
  | { readonly do: 'edit'; readonly path: string; readonly line: string; readonly word: string }
  | { readonly do: 'chmod'; readonly path: string; readonly permissions: number }
  | { readonly do: 'link'; readonly path: string; readonly text: string }
  | { readonly do: 'point'; readonly path: string; readonly text: string; readonly permissions: number }
  | { readonly do: 'mkdir'; readonly path: string; readonly permissions: number }
  | { readonly do: 'delete'; readonly path: string };

interface Choice {
  readonly permissions: readonly number[];
  /** Also what git's trees can't say: empty directories and `.git` pointers. */
  readonly beyondGit: boolean;
}

const attributed = ({ permissions, beyondGit }: Choice): fc.Arbitrary<AttributedChange> => {
  const path = fc.constantFrom(...PATHS);
  const bits = fc.constantFrom(...permissions);
  const word = fc.constantFrom('one', 'two', 'three');
  const text = fc.oneof(
    { weight: 4, arbitrary: word.map((version) => LINES.map((line) => `${line} ${version} @\n`).join('')) },
    { weight: 1, arbitrary: word.map((version) => `${version} @\0`) },
    { weight: 1, arbitrary: fc.constant('') },
  );
  const plain: fc.WeightedArbitrary<AttributedChange>[] = [
    { weight: 3, arbitrary: fc.record({ do: fc.constant('write'), path, text, permissions: bits }) },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('edit'), path, line: fc.constantFrom(...LINES), word: fc.oneof(word, fc.constant('')) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('chmod'), path, permissions: bits }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('link'), path, text: word.map((target) => `${target} @`) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('delete'), path }) },
  ];
  const more: fc.WeightedArbitrary<AttributedChange>[] = [
    { weight: 2, arbitrary: fc.record({ do: fc.constant('mkdir'), path, permissions: bits.map((mode) => mode | 0o111) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('point'), path: fc.constantFrom('d/.git', 'f/.git'), text: word, permissions: bits }),
    },
  ];
  return fc.oneof(...plain, ...(beyondGit ? more : []));
};

const after = (model: Model, attributedChanges: readonly AttributedChange[]): Model => {
  const state = new Map(model);
  for (const one of attributedChanges) {
    const there = state.get(one.path);
    if (one.do === 'edit') {
      const replaced = one.word === '' ? '' : `${one.line} ${one.word} ${one.path}\n`;
      if (there?.type === 'file')
        state.set(one.path, { ...there, text: there.text.replace(new RegExp(`^${one.line} .*\n`, 'm'), replaced) });
    } else if (one.do === 'chmod') {
      if (there !== undefined && 'permissions' in there) {
        state.set(one.path, { ...there, permissions: there.type === 'directory' ? one.permissions | 0o111 : one.permissions });
      }
    } else if (one.do === 'delete') remove(state, one.path);
    else {
      if (one.do === 'mkdir' && there?.type === 'directory') continue;
      for (let up = parent(one.path as RelativePath); up !== ROOT; up = parent(up)) {
        if (state.get(up)?.type !== 'directory') state.set(up, { type: 'directory', permissions: 0o755 });
      }
      remove(state, one.path);
      const { path, do: _, ...item } = one.do === 'mkdir' ? one : { ...one, text: one.text.replaceAll('@', one.path) };
      const type = ({ write: 'file', link: 'link', point: 'pointer', mkdir: 'directory' } as const)[one.do];
      state.set(path, { type, ...item } as Item);
    }
  }
  return state;
};

const remove = (state: Map<string, Item>, path: string): void => {
  for (const one of [...state.keys()]) if (one === path || one.startsWith(`${path}/`)) state.delete(one);
};

export const withoutEmptyDirectories = (model: Model): Model =>
  new Map(
    [...model].filter(
      ([path, { type }]) =>
        type !== 'directory' || [...model].some(([one, item]) => item.type !== 'directory' && one.startsWith(`${path}/`)),
    ),
  );

/** States of which each was made from the one before. */
export const histories = (choice: Choice): fc.Arbitrary<Model[]> => {
  const attributedChanges = fc.array(attributed(choice), { maxLength: 4, size: 'max' });
  return fc.array(attributedChanges, { minLength: 1, maxLength: 6, size: 'max' }).map((all) => {
    const states: Model[] = [new Map()];
    for (const some of all) states.push(after(states.at(-1) ?? new Map(), some));
    return states;
  });
};

/** A base, and what two sides made of it. */
export const threeModels = (choice: Choice): fc.Arbitrary<{ base: Model; ours: Model; theirs: Model }> => {
  const attributedChanges = fc.array(attributed(choice), { maxLength: 8, size: 'max' });
  const beginning = fc.array(
    attributed(choice).filter(({ do: what }) => what !== 'delete' && what !== 'edit'),
    { minLength: 3, maxLength: 12, size: 'max' },
  );
  return fc.tuple(beginning, attributedChanges, attributedChanges).map(([first, ours, theirs]) => {
    const cleaned = (model: Model) => (choice.beyondGit ? model : withoutEmptyDirectories(model));
    const base = cleaned(after(new Map(), first));
    return { base, ours: cleaned(after(base, ours)), theirs: cleaned(after(base, theirs)) };
  });
};
