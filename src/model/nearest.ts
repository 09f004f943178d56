/** How many are told, at most. */
const MOST = 3;

/** Those of some words that somebody who wrote this one may have meant, nearest first. */
export const nearest = (word: string, known: Iterable<string>): string[] => {
  const wanted = word.toLowerCase();
  // A slip in every third letter is no slip any more.
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const found: { readonly one: string; readonly distance: number }[] = [];
  for (const one of new Set(known)) {
    const distance = slips(wanted, one.toLowerCase(), most);
    if (distance <= most || isPartOf(wanted, one.toLowerCase())) found.push({ one, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ one }) => one);
};

/** Its beginning, or the last word of a key. */
const isPartOf = (wanted: string, one: string): boolean => wanted.length >= 3 && (one.startsWith(wanted) || one.endsWith(`.${wanted}`));

/** Added to a sentence that says that there is no such thing. */
export const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '' : `; did you mean ${near.map(quotedIfNeeded).join(' or ')}?`;

const quotedIfNeeded = (word: string): string => (/\s/.test(word) ? JSON.stringify(word) : word);

/** What a program is told of them, in the details of an error. */
export const suggesting = (near: readonly string[]): { readonly details?: Record<string, unknown> } =>
  near.length === 0 ? {} : { details: { suggestions: near } };

/** How many letters were left out, added, changed or swapped with the next; more than `most` is not counted out. */
const slips = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
};
