import type { Conflict } from '../client/types.ts';

/** What is done about files that two sides changed. */
export type ConflictChoice = 'ours' | 'theirs' | 'manual' | 'skip';

export interface Choices {
  readonly onConflict: ConflictChoice | 'abort';
  /** For single files. */
  readonly resolve: readonly { readonly path: Conflict['path']; readonly choice: ConflictChoice }[];
}

export const NO_CHOICE: Choices = { onConflict: 'abort', resolve: [] };

/** One file is decided about apart from all others. */
export const choosing = ({ onConflict, resolve }: Choices, path: string, choice: ConflictChoice): Choices => ({
  onConflict,
  resolve: [...resolve.filter((one) => one.path !== path), { path, choice }],
});

/** What is chosen for a file, whether or not there is a plan for it yet. */
export const chosenFor = ({ onConflict, resolve }: Choices, { path, marked }: Conflict): ConflictChoice | null => {
  const own = resolve.find((one) => one.path === path)?.choice;
  if (own !== undefined) return own;
  const isPossible = onConflict !== 'abort' && (onConflict !== 'manual' || marked !== null);
  return isPossible ? onConflict : null;
};
