import { DEEP, SLICE, SLICES } from '../support/tier.ts';

/** With these something comes to exist, or is over: an operation, its own ref, an entry of the ledger, a journal, a pack, a snapshot. */
const DECISIVE =
  /^(write|rename) .*(\/refs\/\S+|\/retake-ledger|\/packed-refs|\.pack|\.idx)$|^(rename|unlink) .*\/(journal|keep|recoveries-closed)\.json$/;

/**
 * Of the effects that a process can be killed at, by their numbers: all of them in the deep tier; else the first and the last, those right
 * before and right after the instants that decide, and one in six of the others. Which ones differs with the slice, so that six slices have them all.
 */
export const chosenPoints = (all: readonly number[], effects: readonly string[]): number[] => {
  const isDecisive = (at: number): boolean => DECISIVE.test(effects[at - 1] ?? '');
  // Each six begins one further on, so that a slice has odd and even numbers.
  const isOfSlice = (index: number): boolean => (index + Math.floor(index / SLICES)) % SLICES === SLICE;
  const isChosen = (at: number, index: number): boolean =>
    DEEP || index === 0 || index === all.length - 1 || isDecisive(at) || isDecisive(at - 1) || isOfSlice(index);
  return all.filter(isChosen);
};

/** The same of all effects. */
export const chosenOf = (effects: readonly string[]): number[] =>
  chosenPoints(
    effects.map((_, index) => index + 1),
    effects,
  );
