import { parent, type RelativePath, ROOT } from '../model/index.ts';
import { leafOf } from './leaf.ts';
import type { StateChange } from './states.ts';

/** A directory that came, went or changed its permissions, where nothing in it tells so. */
export interface DirectoryDiff {
  readonly path: RelativePath;
  readonly status: 'added' | 'deleted' | 'mode';
}

export const diffDirectories = (changes: readonly StateChange[]): DirectoryDiff[] => {
  const above = new Set<RelativePath>();
  for (const { path } of changes) for (let up = parent(path); up !== ROOT && !above.has(up); up = parent(up)) above.add(up);
  return changes.flatMap(({ path, from, to }): DirectoryDiff[] => {
    if (leafOf(from) !== null || leafOf(to) !== null) return [];
    if (from !== null && to !== null) return [{ path, status: 'mode' }];
    return above.has(path) ? [] : [{ path, status: from === null ? 'added' : 'deleted' }];
  });
};
