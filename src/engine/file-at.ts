import { blobAt } from '../diff/index.ts';
import { type RelativePath, RetakeError, toText } from '../model/index.ts';
import { type StateOptions, stateAt } from './states.ts';
import type { Workspace } from './workspace.ts';

/** What a file held at a checkpoint, or holds now (`@`); of a link, where it points. */
export const readFileAt = async (
  workspace: Workspace,
  address: string,
  path: RelativePath,
  options: StateOptions = {},
): Promise<Buffer> => {
  const { objects } = workspace.store;
  const blob = blobAt(objects, await stateAt(workspace, address, options), path);
  if (blob !== null) return objects.readBlob(blob);
  throw new RetakeError('no-such-file', `There was no file ${toText(path)} at ${address === '@' ? 'this moment' : address}`, {
    hint: 'A diff lists the files that were there.',
  });
};
