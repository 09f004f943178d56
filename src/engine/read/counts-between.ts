import { diffFiles, diffStates, totalOf } from '../../diff/index.ts';
import type { ChangeCounts } from '../../index/index.ts';
import { type OperationId, RetakeError, stateName, type WorkspaceState } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** What is remembered of how far two states differ: that never changes. */
export class CountsBetween {
  readonly #index: Workspace['index'];
  readonly #subject: string;

  constructor({ index }: Workspace, before: WorkspaceState, after: WorkspaceState) {
    this.#index = index;
    this.#subject = `changes ${stateName(before)} ${stateName(after)}`;
  }

  recall(): ChangeCounts | undefined {
    return this.#index.recall<ChangeCounts>(this.#subject, '');
  }

  remember(counts: ChangeCounts): void {
    this.#index.rememberFor(this.#subject, '', counts);
  }
}

/** How far the states of two records differ; null when what it takes to count is damaged or gone. */
export const countBetween = (workspace: Workspace, from: OperationId, to: OperationId): ChangeCounts | null => {
  const [before, after] = [stateOf(workspace, from), stateOf(workspace, to)];
  if (before === null || after === null) return null;
  const remembered = new CountsBetween(workspace, before, after);
  const known = remembered.recall();
  if (known !== undefined) return known;
  try {
    const { objects } = workspace.store;
    const counts = totalOf(diffFiles(objects, diffStates(objects, before, after)));
    remembered.remember(counts);
    return counts;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return null;
    throw error;
  }
};

const stateOf = ({ index }: Workspace, id: OperationId): WorkspaceState | null => index.get(id)?.operation.state ?? null;
