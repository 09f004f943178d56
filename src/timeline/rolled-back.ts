/** A rollback, or an undo, as a jump in the log: what lies between its target and itself was left. */
export interface Jump {
  readonly sequence: number;
  readonly target: number;
}

/** Sequence numbers after `after` and before `before`. */
export interface Range {
  readonly after: number;
  readonly before: number;
}

/** What does not lead to the present: followed backwards from the newest jump, each leads to its target and on from there. */
export const leftBehind = (jumps: readonly Jump[]): Range[] => {
  const ranges: Range[] = [];
  let position = Number.POSITIVE_INFINITY;
  for (const { sequence, target } of [...jumps].sort((a, b) => b.sequence - a.sequence)) {
    if (sequence > position) continue;
    ranges.push({ after: target, before: sequence });
    position = target;
  }
  return ranges;
};
