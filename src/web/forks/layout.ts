/** A place in a drawn tree: how deep, and how far down; halves lie between two rows. */
export interface Place {
  readonly column: number;
  readonly row: number;
}

/** The highest and the lowest row that a subtree takes on each of its levels, told from its root. */
interface Outline {
  readonly top: number[];
  readonly bottom: number[];
}

/**
 * Places the nodes of a forest: depth to the right, those beside each other one row apart or more, each in the middle of what is below it.
 * Subtrees move as close together as their outlines allow, so that none takes more rows than it has leaves.
 *
 * Nodes are told by the index of their parent, null for roots; parents come first.
 */
export const layOut = (parents: readonly (number | null)[]): Place[] => {
  const children: number[][] = parents.map(() => []);
  const roots: number[] = [];
  for (const [node, parent] of parents.entries()) (parent === null ? roots : (children[parent] ?? [])).push(node);
  /** How far below its parent each is. */
  const offsets = parents.map(() => 0);
  const outlines: Outline[] = [];
  const stack = (nodes: readonly number[]): Outline => {
    const all: Outline = { top: [], bottom: [] };
    for (const node of nodes) {
      const { top, bottom } = outlines[node] ?? { top: [0], bottom: [0] };
      const shared = Math.min(top.length, all.bottom.length);
      let down = 0;
      for (let level = 0; level < shared; level++) down = Math.max(down, (all.bottom[level] ?? 0) + 1 - (top[level] ?? 0));
      offsets[node] = down;
      for (const [level, highest] of top.entries()) {
        all.top[level] ??= highest + down;
        all.bottom[level] = (bottom[level] ?? 0) + down;
      }
    }
    return all;
  };
  for (let node = parents.length - 1; node >= 0; node--) {
    const own = children[node] ?? [];
    const { top, bottom } = stack(own);
    const middle = ((offsets[own[0] ?? -1] ?? 0) + (offsets[own.at(-1) ?? -1] ?? 0)) / 2;
    for (const child of own) offsets[child] = (offsets[child] ?? 0) - middle;
    outlines[node] = { top: [0, ...top.map((row) => row - middle)], bottom: [0, ...bottom.map((row) => row - middle)] };
  }
  const highest = stack(roots).top.reduce((least, row) => Math.min(least, row), 0);
  const places: Place[] = [];
  for (const [node, parent] of parents.entries()) {
    const above = parent === null ? undefined : places[parent];
    places.push({ column: (above?.column ?? -1) + 1, row: (above?.row ?? -highest) + (offsets[node] ?? 0) });
  }
  return places;
};
