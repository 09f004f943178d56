import {
  choose,
  type DirectoryDiff,
  diffDirectories,
  diffFiles,
  diffStates,
  type FileDiff,
  patchFiles,
  type StateChange,
} from '../../diff/index.ts';
import { isWithin, type RelativePath } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type CommitSide, compareCommits } from '../git/commit-difference.ts';
import { commitSideAt } from '../git/find-subject.ts';
import { measured } from '../timing/measured.ts';
import type { ComparedState } from './difference.ts';
import { refuseUnknownPaths } from './refuse-unknown-paths.ts';
import { type StateOptions, stateAt } from './states.ts';

export interface DiffRequest extends StateOptions {
  readonly from: string;
  /** The present unless given. */
  readonly to?: string | undefined;
  readonly paths?: readonly RelativePath[] | undefined;
}

export interface DiffResult {
  readonly files: readonly FileDiff[];
  readonly directories: readonly DirectoryDiff[];
  /** Rendered on demand: reading every file costs time. */
  patch(): Buffer;
}

export const diff = (workspace: Workspace, request: DiffRequest): Promise<DiffResult> =>
  measured(workspace, 'diff', () => compare(workspace, request));

const compare = async (workspace: Workspace, { from, to = '@', paths, ...options }: DiffRequest): Promise<DiffResult> => {
  const { before, after, isWhole } = await statesOf(workspace, from, to, options);
  const { objects } = workspace.store;
  const all = diffStates(objects, before, after);
  if (isWhole) refuseUnknownPaths(workspace, paths ?? [], { states: [before, after], changes: all });
  const changes = limitTo(all, paths);
  return { files: diffFiles(objects, changes), directories: diffDirectories(changes), patch: () => patchFiles(objects, changes) };
};

const statesOf = async (workspace: Workspace, from: string, to: string, options: StateOptions) => {
  const at = async (address: string): Promise<CommitSide> =>
    address === '@' ? { id: null, state: await stateAt(workspace, address, options) } : commitSideAt(workspace, address, options);
  const [one, other] = [await at(from), await at(to)];
  if ('state' in one && 'state' in other) return { before: one.state, after: other.state, isWhole: true };
  const compared = await compareCommits(workspace, one, other);
  return { before: (compared.from as ComparedState).state, after: compared.to.state, isWhole: false };
};

export const limitTo = (changes: readonly StateChange[], paths: readonly RelativePath[] | undefined): readonly StateChange[] =>
  paths === undefined ? changes : choose(changes, (path) => paths.some((one) => isWithin(path, one)));
