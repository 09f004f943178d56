import type { ChangeCounts } from '../index/index.ts';
import { stateName, type WorkspaceState } from '../model/index.ts';
import type { Workspace } from './workspace.ts';

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
