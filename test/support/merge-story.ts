import { type Merge, mergeStates, resolveMerge, writeMerged } from '../../src/diff/index.ts';
import type { MergeChoice } from '../../src/model/index.ts';
import type { Store } from '../../src/store/index.ts';
import { applied, emptyStore, type Item, type Model, storeModel } from './state-model.ts';

export interface Models {
  readonly base: Model;
  readonly ours: Model;
  readonly theirs: Model;
}

export const file = (text: string, permissions = 0o644): Item => ({ type: 'file', text, permissions });
export const link = (text: string): Item => ({ type: 'link', text });
export const directory = (permissions = 0o755): Item => ({ type: 'directory', permissions });
export const model = (items: Record<string, Item>): Model => new Map(Object.entries(items));

export const mergeModels = ({ objects }: Store, { base, ours, theirs }: Models): Merge => {
  const batch = objects.begin();
  const states = { base: storeModel(batch, base), ours: storeModel(batch, ours), theirs: storeModel(batch, theirs) };
  batch.flush();
  return mergeStates(objects, states);
};

/** Our state after a merge, with one choice for all conflicts. */
export const carriedOut = ({ objects }: Store, ours: Model, merge: Merge, rest?: MergeChoice): Model => {
  const batch = objects.begin();
  const changes = writeMerged(batch, resolveMerge(merge, { rest }));
  batch.flush();
  return applied(objects, ours, changes);
};

export const reasons = ({ conflicts }: Merge): Record<string, string> =>
  Object.fromEntries(conflicts.map(({ path, reason }) => [path, reason]));

type Items = Record<string, Item>;

/** Three small states merged; the result is what is there when the same is chosen for all conflicts. */
export const mergeStory = (items: { base?: Items; ours?: Items; theirs?: Items }, store: Store = emptyStore()) => {
  const models = { base: model(items.base ?? {}), ours: model(items.ours ?? {}), theirs: model(items.theirs ?? {}) };
  const merge = mergeModels(store, models);
  const result = (rest?: MergeChoice) => Object.fromEntries(carriedOut(store, models.ours, merge, rest));
  return { merge, result };
};
