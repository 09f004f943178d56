/**
 * Myers' O(ND) difference in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986): both ends of a
 * box search towards each other, and where they meet the box is split in two. Where a path may go either way it goes
 * the way git's does, so that people see the diffs they know.
 */

/** When to stop looking for the shortest way through a box: only past both, so that small boxes stay exact. */
export interface Patience {
  /** Rounds of search in one box. */
  readonly rounds: number;
  /** Steps in all boxes together. */
  readonly steps: number;
}

/** Exact up to several thousand differences; beyond, the cost grows with the lines times `rounds`. */
export const PATIENCE: Patience = { rounds: 128, steps: 2 ** 24 };

export interface Marks {
  /** 1 for what only the first has. */
  readonly removed: Uint8Array;
  /** 1 for what only the second has. */
  readonly added: Uint8Array;
  /** What it cost: diagonals looked at and lines walked along them. */
  readonly steps: number;
}

interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

export const mark = (a: Int32Array, b: Int32Array, patience: Patience = PATIENCE): Marks => {
  const removed = new Uint8Array(a.length);
  const added = new Uint8Array(b.length);
  const search = new Search(a, b, patience);
  // Not recursion: boxes that were cut short leave a long remainder again and again.
  const boxes: Box[] = [{ oldFrom: 0, oldTo: a.length, newFrom: 0, newTo: b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { oldFrom, oldTo, newFrom, newTo } = box;
    while (oldFrom < oldTo && newFrom < newTo && a[oldFrom] === b[newFrom]) {
      oldFrom++;
      newFrom++;
    }
    while (oldFrom < oldTo && newFrom < newTo && a[oldTo - 1] === b[newTo - 1]) {
      oldTo--;
      newTo--;
    }
    if (oldFrom === oldTo) added.fill(1, newFrom, newTo);
    else if (newFrom === newTo) removed.fill(1, oldFrom, oldTo);
    else {
      const [x, y] = search.split({ oldFrom, oldTo, newFrom, newTo });
      boxes.push({ oldFrom: x, oldTo, newFrom: y, newTo }, { oldFrom, oldTo: x, newFrom, newTo: y });
    }
  }
  return { removed, added, steps: search.steps };
};

type Point = readonly [x: number, y: number];

/** The diagonals (x - y) a search has come to from one end, every second one of them. */
interface Reach {
  low: number;
  high: number;
  /** How far along `a` each was followed. */
  readonly x: Int32Array;
}

const BEYOND = 2 ** 31 - 1;
const NOT_MET = BEYOND;

class Search {
  steps = 0;
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  private readonly patience: Patience;
  private readonly forward: Reach;
  private readonly backward: Reach;
  /** Where diagonal 0 is in a reach. */
  private readonly zero: number;

  constructor(a: Int32Array, b: Int32Array, patience: Patience) {
    this.a = a;
    this.b = b;
    this.patience = patience;
    const diagonals = a.length + b.length + 3;
    this.forward = { low: 0, high: 0, x: new Int32Array(diagonals) };
    this.backward = { low: 0, high: 0, x: new Int32Array(diagonals) };
    this.zero = b.length + 1;
  }

  /** A point on a shortest way through the box or, out of patience, on the way that came furthest. */
  split(box: Box): Point {
    const { forward, backward, zero, patience } = this;
    const start = box.oldFrom - box.newFrom;
    const end = box.oldTo - box.newTo;
    const odd = ((start - end) & 1) !== 0;
    forward.low = forward.high = start;
    backward.low = backward.high = end;
    forward.x[zero + start] = box.oldFrom;
    backward.x[zero + end] = box.oldTo;
    for (let round = 1; ; round++) {
      this.widen(forward, box, -1);
      const met = this.advance(box, odd);
      if (met !== NOT_MET) return this.pointAt(forward, met);
      this.widen(backward, box, BEYOND);
      const metBack = this.retreat(box, !odd);
      if (metBack !== NOT_MET) return this.pointAt(backward, metBack);
      if (round >= patience.rounds && this.steps > patience.steps) return this.furthest(box);
    }
  }

  /** One diagonal more to each side, or one less where the box ends. */
  private widen(reach: Reach, { oldFrom, oldTo, newFrom, newTo }: Box, unreached: number): void {
    if (reach.low > oldFrom - newTo) reach.x[this.zero + --reach.low - 1] = unreached;
    else reach.low++;
    if (reach.high < oldTo - newFrom) reach.x[this.zero + ++reach.high + 1] = unreached;
    else reach.high--;
  }

  // The two rounds below are small functions of their own because that is what the compiler makes fast.

  private advance({ oldTo, newTo }: Box, mayMeet: boolean): number {
    const { a, b, zero } = this;
    const { low, high, x: reached } = this.forward;
    const { low: backLow, high: backHigh, x: reachedBack } = this.backward;
    let steps = 0;
    let met = NOT_MET;
    for (let diagonal = high; diagonal >= low && met === NOT_MET; diagonal -= 2) {
      const left = reached[zero + diagonal - 1] as number;
      const right = reached[zero + diagonal + 1] as number;
      const from = left >= right ? left + 1 : right;
      const stop = Math.min(oldTo, newTo + diagonal);
      let x = from;
      while (x < stop && a[x] === b[x - diagonal]) x++;
      steps += 1 + x - from;
      reached[zero + diagonal] = x;
      if (mayMeet && backLow <= diagonal && diagonal <= backHigh && (reachedBack[zero + diagonal] as number) <= x) met = diagonal;
    }
    this.steps += steps;
    return met;
  }

  private retreat({ oldFrom, newFrom }: Box, mayMeet: boolean): number {
    const { a, b, zero } = this;
    const { low, high, x: reached } = this.backward;
    const { low: frontLow, high: frontHigh, x: reachedFront } = this.forward;
    let steps = 0;
    let met = NOT_MET;
    for (let diagonal = high; diagonal >= low && met === NOT_MET; diagonal -= 2) {
      const left = reached[zero + diagonal - 1] as number;
      const right = reached[zero + diagonal + 1] as number;
      const from = left < right ? left : right - 1;
      const stop = Math.max(oldFrom, newFrom + diagonal);
      let x = from;
      while (x > stop && a[x - 1] === b[x - diagonal - 1]) x--;
      steps += 1 + from - x;
      reached[zero + diagonal] = x;
      if (mayMeet && frontLow <= diagonal && diagonal <= frontHigh && x <= (reachedFront[zero + diagonal] as number)) met = diagonal;
    }
    this.steps += steps;
    return met;
  }

  private pointAt(reach: Reach, diagonal: number): Point {
    const x = reach.x[this.zero + diagonal] as number;
    return [x, x - diagonal];
  }

  private furthest({ oldFrom, oldTo, newFrom, newTo }: Box): Point {
    const { forward, backward, zero } = this;
    let best: Point = [oldFrom, newFrom];
    for (let diagonal = forward.high; diagonal >= forward.low; diagonal -= 2) {
      const x = Math.min(forward.x[zero + diagonal] as number, oldTo, newTo + diagonal);
      if (x + x - diagonal > best[0] + best[1]) best = [x, x - diagonal];
    }
    let bestBack: Point = [oldTo, newTo];
    for (let diagonal = backward.high; diagonal >= backward.low; diagonal -= 2) {
      const x = Math.max(backward.x[zero + diagonal] as number, oldFrom, newFrom + diagonal);
      if (x + x - diagonal < bestBack[0] + bestBack[1]) bestBack = [x, x - diagonal];
    }
    const walked = best[0] + best[1] - oldFrom - newFrom;
    const walkedBack = oldTo + newTo - bestBack[0] - bestBack[1];
    return walked > walkedBack ? best : bestBack;
  }
}
