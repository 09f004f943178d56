import { parent, type RelativePath } from '../model/index.ts';

/** Which directories have to be compared with the disk. What is said to be clean is not touched at all. */
export interface Dirty {
  /** `self`: look at this directory; `below`: only at some directory further down; `no`: at none here. */
  at(directory: RelativePath): 'self' | 'below' | 'no';
}

/** The scan tier: nothing is known, everything is looked at. */
export const EVERYTHING: Dirty = { at: () => 'self' };

/** Only these paths may have changed: their directories are looked at, and all that lies below one that is a directory itself. */
export const dirtyPaths = (paths: Iterable<RelativePath>): Dirty => {
  const whole = new Set(paths);
  const selves = new Set([...whole].map(parent));
  const above = ancestors(selves);
  const inWhole = (directory: RelativePath): boolean => whole.has(directory) || (directory !== '' && inWhole(parent(directory)));
  return { at: (directory) => (selves.has(directory) || inWhole(directory) ? 'self' : above.has(directory) ? 'below' : 'no') };
};

/** The same, and these directories too. */
export const withDirectories = (dirty: Dirty, directories: readonly RelativePath[]): Dirty => {
  if (directories.length === 0 || dirty === EVERYTHING) return dirty;
  const selves = new Set(directories);
  const above = ancestors(selves);
  return {
    at: (directory) => {
      const where = dirty.at(directory);
      return selves.has(directory) ? 'self' : where === 'no' && above.has(directory) ? 'below' : where;
    },
  };
};

/** Every directory above these paths. */
export const ancestors = (paths: Iterable<RelativePath>): Set<RelativePath> => {
  const above = new Set<RelativePath>();
  for (const path of paths) {
    for (let up = path; up !== '' && !above.has(parent(up)); up = parent(up)) above.add(parent(up));
  }
  return above;
};
