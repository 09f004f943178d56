/** How much two lists have in common, each entry as often as both have it. */
export const overlap = <T>(a: readonly T[], b: readonly T[], weigh: (entry: T) => number = () => 1): number => {
  const left = new Map<T, number>();
  for (const entry of a) left.set(entry, (left.get(entry) ?? 0) + 1);
  let common = 0;
  for (const entry of b) {
    const count = left.get(entry) ?? 0;
    if (count === 0) continue;
    left.set(entry, count - 1);
    common += weigh(entry);
  }
  return common;
};
