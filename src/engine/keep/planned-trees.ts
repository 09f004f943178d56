import type { OperationId, RelativePath } from '../../model/index.ts';
import type { RawFile } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { PreparedKeep } from './keep-plan.ts';
import type { ReplayedUnit } from './keep-replay.ts';
import type { KeepUnit } from './keep-units.ts';
import { type GitFile, rawFileOf } from './raw-file.ts';

/** The tree of each commit, each on top of the one before. */
export const treesOf = async (
  { store: { objects } }: Workspace,
  { draft, around }: Pick<PreparedKeep, 'draft' | 'around'>,
  units: readonly ReplayedUnit[],
): Promise<string[]> => {
  const trees: string[] = [];
  for (const { changes } of units) {
    const files = new Map<RelativePath, () => RawFile | null>(
      changes.map(({ path, to }) => [around.fromTop(path), () => (to === null ? null : rawFileOf(objects, to as GitFile))]),
    );
    await draft.put(files);
    trees.push(await draft.writeTree());
  }
  return trees;
};

/** A step that was recovered stands for others too. */
export const idsOf = (units: readonly KeepUnit[]): OperationId[] => [
  ...new Set(units.flatMap(({ steps }) => steps).flatMap(({ checkpoint, standsFor }) => [checkpoint, ...standsFor])),
];
