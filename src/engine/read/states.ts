import type { WorkspaceState } from '../../model/index.ts';
import { capturePresent } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { type AddressOptions, resolveCheckpoint } from './resolve.ts';

/** The state of the workspace right now. Its objects are in the store, but nothing is recorded. */
export const presentState = (workspace: Workspace, onProgress?: (files: number) => void): Promise<WorkspaceState> =>
  workspace.write(async () => {
    const present = await capturePresent(workspace, { onProgress });
    present.batch.flush();
    return present.state;
  });

export interface StateOptions extends AddressOptions {
  readonly onProgress?: ((files: number) => void) | undefined;
  /** How the present is come by; captured by this process unless given. */
  readonly present?: (() => Promise<WorkspaceState>) | undefined;
}

/** The state at an address; `@` is the present. */
export const stateAt = async (
  workspace: Workspace,
  address: string,
  { onProgress, session, branch, present = () => presentState(workspace, onProgress) }: StateOptions = {},
): Promise<WorkspaceState> => {
  if (address === '@') return present();
  const { operation } = resolveCheckpoint(workspace, address, { session, branch });
  return operation.state as WorkspaceState;
};
