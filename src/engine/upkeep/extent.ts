/** How much is packed: nothing, what lies in files of its own, or all anew into one pack. */
export type Extent = 'nothing' | 'loose' | 'all';

/** What the decision goes by. */
export interface Condition {
  readonly looseObjects: number;
  /** Not counting those shared with the user's repository. */
  readonly packs: number;
  readonly operations: number;
  /** Taken out of the log since all was packed last, and long enough ago. */
  readonly forgotten: number;
}

/** So many small files are slower to copy and to look through than a pack. */
const MANY_LOOSE = 1000;
/** Each pack is asked for each object. */
const MANY_PACKS = 20;
/** Once this share of the operations is forgotten, it pays to write all the others anew. */
const MUCH_FORGOTTEN = 0.1;

/** What is worth doing when nobody asked for it, so that a large store is not written anew every day. */
export const extentWorthwhile = ({ looseObjects, packs, operations, forgotten }: Condition): Extent => {
  if (packs >= MANY_PACKS || forgotten > operations * MUCH_FORGOTTEN) return 'all';
  return looseObjects >= MANY_LOOSE ? 'loose' : 'nothing';
};
