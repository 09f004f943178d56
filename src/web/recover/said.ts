import type { Done } from '../client/types.ts';
import { count, visible } from '../parts/words.ts';

/** What is said of a recovery that was carried out: what is left to be done comes first. */
export const saidOf = ({ left }: Pick<Done, 'left'>, otherwise: string): string => {
  if (left === undefined || left.marked.length === 0) return otherwise;
  const files = left.marked.map(({ path }) => visible(path)).join(', ');
  const later = left.steps.length === 0 ? '' : `; ${count(left.steps.length, 'step')} still to come`;
  return `Stopped for you to finish ${files}${later}`;
};
