import type { Branch, Fork } from './fork-tree.ts';

/** A branch as it stands in the tree that is shown. */
export interface Row {
  readonly branch: Branch;
  readonly parent: Row | undefined;
  /** From 1, as assistive programs count. */
  readonly level: number;
  /** Among those beside it that are shown. */
  readonly position: number;
  readonly siblings: number;
  /** How many branches are below it, shown or not. */
  readonly below: number;
  readonly isFolded: boolean;
  /** It is not what was looked for, and is shown because something below it is. */
  readonly isOnTheWay: boolean;
}

interface Shown {
  readonly isFolded: (branch: string) => boolean;
  /** Only branches with these words in their title, and the way to them. */
  readonly words: string;
}

/** What is shown of a tree, each branch before those below it. Nothing is folded while something is looked for. */
export const rowsOf = (tree: readonly Branch[], { isFolded, words }: Shown): Row[] => {
  const wanted = words.trim().toLowerCase();
  const fits = ({ title }: Branch): boolean => title.toLowerCase().includes(wanted);
  const counted = countBelow(tree);
  const kept = wanted === '' ? undefined : keep(tree, fits);
  const rows: Row[] = [];
  const add = (branches: readonly Branch[], parent: Row | undefined): void => {
    const shown = kept === undefined ? branches : branches.filter((branch) => kept.has(branch));
    for (const [at, branch] of shown.entries()) {
      const row: Row = {
        branch,
        parent,
        level: (parent?.level ?? 0) + 1,
        position: at + 1,
        siblings: shown.length,
        below: counted.get(branch) ?? 0,
        isFolded: kept === undefined && branch.children.length > 0 && isFolded(branch.branch),
        isOnTheWay: kept !== undefined && !fits(branch),
      };
      rows.push(row);
      if (!row.isFolded) add(branch.children, row);
    }
  };
  add(tree, undefined);
  return rows;
};

/** How many branches there are in all. */
export const countBranches = (tree: readonly Branch[]): number => tree.reduce((sum, { children }) => sum + 1 + countBranches(children), 0);

const countBelow = (tree: readonly Branch[]): ReadonlyMap<Branch, number> => {
  const counted = new Map<Branch, number>();
  const count = (branch: Branch): number => {
    const below = branch.children.reduce((sum, child) => sum + 1 + count(child), 0);
    counted.set(branch, below);
    return below;
  };
  for (const root of tree) count(root);
  return counted;
};

/** Those that fit, and all above them. */
const keep = (tree: readonly Branch[], fits: (branch: Branch) => boolean): ReadonlySet<Branch> => {
  const kept = new Set<Branch>();
  const look = (branch: Branch): boolean => {
    const isAbove = branch.children.map(look).includes(true);
    if (isAbove || fits(branch)) kept.add(branch);
    return kept.has(branch);
  };
  tree.forEach(look);
  return kept;
};

/** As many branches as are taken in at a glance. */
const GLANCE = 60;

/** What is folded at first: nothing of a small tree; of a large one all but the way to where one is, and what else there is room for. */
export const foldedAtFirst = (tree: readonly Branch[], here: string | undefined, most = GLANCE): ReadonlySet<string> => {
  const folded = new Set<string>();
  if (countBranches(tree) <= most) return folded;
  const way = new Set(here === undefined ? [] : wayTo(tree, here).slice(0, -1));
  let room = most - tree.length - [...way].reduce((sum, { children }) => sum + children.length, 0);
  // Level by level, so that what stays folded is what is deep.
  let level = tree;
  while (level.length > 0) {
    const unfolded = level.filter((branch) => {
      const { length } = branch.children;
      if (way.has(branch)) return true;
      if (length > room) {
        foldAll(branch, folded);
        return false;
      }
      room -= length;
      return true;
    });
    level = unfolded.flatMap(({ children }) => children);
  }
  return folded;
};

/** What is below it too, so that unfolding it shows no more than the next level. */
const foldAll = ({ branch, children }: Branch, folded: Set<string>): void => {
  if (children.length > 0) folded.add(branch);
  for (const child of children) foldAll(child, folded);
};

/** From the beginning to a branch; empty where there is no such branch. */
export const wayTo = (tree: readonly Branch[], id: string): Branch[] => {
  for (const branch of tree) {
    if (branch.branch === id) return [branch];
    const way = wayTo(branch.children, id);
    if (way.length > 0) return [branch, ...way];
  }
  return [];
};

/** Roots that the same fork parted stand together. */
export const kinTogether = (tree: readonly Branch[], forks: readonly Fork[]): Branch[] => {
  const forkOf = (root: Branch): Fork | Branch => forks.find(({ at, children }) => at === null && children.includes(root.branch)) ?? root;
  return [...Map.groupBy(tree, forkOf).values()].flat();
};

/** Whether two branches are of one conversation: only then do their ways part somewhere. */
export const areKin = (
  { tree, forks }: { readonly tree: readonly Branch[]; readonly forks: readonly Fork[] },
  a: string,
  b: string,
): boolean => {
  const [ofA, ofB] = [wayTo(tree, a)[0], wayTo(tree, b)[0]];
  if (ofA === undefined || ofB === undefined) return false;
  return ofA === ofB || forks.some(({ at, children }) => at === null && children.includes(ofA.branch) && children.includes(ofB.branch));
};
