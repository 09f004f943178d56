import type { Stats } from 'node:fs';
import { excludedBy } from '../../capture/index.ts';
import { blobAt, hasDirectoryAt, type StateChange } from '../../diff/index.ts';
import { type PlanStep, parent, type RelativePath, sameNode } from '../../model/index.ts';
import type { WorkspaceFs } from '../../restore/index.ts';
import type { Kept } from '../../timeline/index.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackRequest } from './plan.ts';

/** What the rollback to be undone made or changed, and ignore rules hide now: it has to be taken back all the same. */
export const madeAndIgnored = (
  { store }: Workspace,
  { undoes }: Pick<RollbackRequest, 'undoes'>,
  present: Present,
  fs: WorkspaceFs,
): RelativePath[] => {
  if (undoes === undefined) return [];
  const isExcluded = excludedBy(present.manifest);
  const isHidden = ({ path, to }: PlanStep): boolean => {
    const stat = fs.look(path);
    if (isExcluded(path, to?.type === 'directory') !== null) return false;
    if (stat?.isDirectory()) return to?.type === 'directory' && !hasDirectoryAt(store.objects, present.state, path);
    // A pointer is captured wherever its directory is.
    if (to?.type === 'pointer') return isLeaf(stat) && !hasDirectoryAt(store.objects, present.state, parent(path));
    return to !== null && to.type !== 'directory' && isLeaf(stat) && blobAt(store.objects, present.state, path) === null;
  };
  return store.log
    .plan(undoes.id)
    .filter(isHidden)
    .map(({ path }) => path);
};

const isLeaf = (stat: Stats | undefined): boolean => stat !== undefined && (stat.isFile() || stat.isSymbolicLink());

interface Uncaptured {
  /** The changes of what is captured, or not there. */
  readonly changes: StateChange[];
  /** What is there and not captured, and would be changed. */
  readonly hidden: RelativePath[];
  readonly inTheWay: Kept[];
}

/** Looks on disk for what stands where the plan would create something, although the present does not hold it. */
export const lookForUncaptured = (fs: WorkspaceFs, changes: readonly StateChange[]): Uncaptured => {
  const result: Uncaptured = { changes: [], hidden: [], inTheWay: [] };
  for (const change of changes) {
    const { path, from, to } = change;
    const stat = from === null ? fs.look(path) : undefined;
    if (stat === undefined) result.changes.push(change);
    else if (isLeaf(stat)) result.hidden.push(path);
    else if (!stat.isDirectory()) result.inTheWay.push({ path, reason: 'a device, FIFO or socket is in the way' });
    else if (to?.type !== 'directory') result.inTheWay.push({ path, reason: 'an ignored directory is in the way' });
    else if (!sameNode({ type: 'directory', permissions: stat.mode & 0o7777 }, to)) result.hidden.push(path);
  }
  return result;
};
