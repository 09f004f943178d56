/** Longer texts are cut when read: they are shown to people, and kept in memory. A written session has them whole. */
const LONGEST = 1 << 20;

/** Deeper values are some accident; whoever walks through them would run out of stack. */
const DEEPEST = 100;

export const boundedText = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n[… ${text.length - LONGEST} more characters in the session file]`;

export const bounded = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '[… more in the session file]';
  if (Array.isArray(value)) return value.map((item) => bounded(item, depth + 1));
  // Entries, not assignment: a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bounded(item, depth + 1)]));
};
