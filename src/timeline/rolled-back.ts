/** A rollback as a jump in the log: what lies between its target and itself was left. */
export interface Jump {
  readonly sequence: number;
  readonly target: number;
}

/** What takes back just what another one did, and leaves alone what was done since. */
export interface Cancel {
  readonly sequence: number;
  readonly cancels: number;
}

/** Sequence numbers after `after` and before `before`. */
export interface Range {
  readonly after: number;
  readonly before: number;
}

/**
 * What does not lead to the present: followed backwards from the newest jump, each leads to its target and on from there. What is
 * cancelled on the way counts as not done; a cancel that was itself left, or cancelled, does not count.
 */
export const leftBehind = (moves: readonly (Jump | Cancel)[]): { ranges: Range[]; cancelled: ReadonlySet<number> } => {
  const ranges: Range[] = [];
  const cancelled = new Set<number>();
  let position = Number.POSITIVE_INFINITY;
  for (const move of [...moves].sort((a, b) => b.sequence - a.sequence)) {
    if (move.sequence > position || cancelled.has(move.sequence)) continue;
    if ('cancels' in move) cancelled.add(move.cancels);
    else {
      ranges.push({ after: move.target, before: move.sequence });
      position = move.target;
    }
  }
  return { ranges, cancelled };
};
