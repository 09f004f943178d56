import { toText } from '../../model/index.ts';
import type { ReflogEntry } from '../../usergit/index.ts';

/** Whether all words are in an entry: in its message, its action, the name of its ref, or its commit's id. */
export const matchesWords = ({ ref, selector, to, note }: ReflogEntry, words: readonly string[]): boolean => {
  if (words.length === 0) return true;
  const text = `${toText(ref)} ${toText(selector)} ${to} ${note}`.toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
};
