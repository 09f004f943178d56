import type { RollbackEntry } from '../client/types.ts';

/** What the history of rollbacks says of each. */

/** What an entry turns around, and how often that was turned around up to it. */
export interface Origin {
  /** The entry that it all began with; undefined where that was not read yet. */
  readonly first: RollbackEntry | undefined;
  /** 0 for a rollback, 1 for its undo, 2 for the redo of that. */
  readonly depth: number;
}

export const originsOf = (entries: readonly RollbackEntry[]): ReadonlyMap<string, Origin> => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return new Map(
    entries.map((entry) => {
      let first: RollbackEntry | undefined = entry;
      let depth = 0;
      for (; first?.undoes != null; depth++) first = byId.get(first.undoes);
      return [entry.id, { first, depth }];
    }),
  );
};

export const isUndoable = ({ undoneBy, outcome }: RollbackEntry): boolean => undoneBy === null && outcome !== 'taken-back';

/** What is looked for in it: all words, wherever they stand. */
export const fitsWords = (entry: RollbackEntry, described: string, words: string): boolean => {
  const { id, type, scope, only, hunks, outcome, from, to } = entry;
  const text = [id, type, scope, outcome, from, to, described, ...(only ?? []), ...(hunks ?? []).map(({ path }) => path)]
    .join(' ')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
