import type { WorkspaceState } from '../model/index.ts';
import { capturePresent } from './present.ts';
import { type AddressOptions, resolveCheckpoint } from './resolve.ts';
import type { Workspace } from './workspace.ts';

/** The state of the workspace right now. Its objects are in the store, but nothing is recorded. */
const presentState = (workspace: Workspace, onProgress: ((files: number) => void) | undefined): Promise<WorkspaceState> =>
  workspace.write(async () => {
    const present = await capturePresent(workspace, { onProgress });
    present.batch.flush();
    return present.state;
  });

/** The state at an address; `@` is the present. */
export const stateAt = async (
  workspace: Workspace,
  address: string,
  { onProgress, session }: AddressOptions & { readonly onProgress?: ((files: number) => void) | undefined } = {},
): Promise<WorkspaceState> => {
  if (address === '@') return presentState(workspace, onProgress);
  const { operation } = resolveCheckpoint(workspace, address, { session });
  return operation.state as WorkspaceState;
};
