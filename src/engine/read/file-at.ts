import { entryAt } from '../../diff/index.ts';
import { type BlobId, type RelativePath, RetakeError, toText } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type StateOptions, stateAt } from './states.ts';

/** A file as it was. */
export interface FileAt {
  /** Its content is where it points. */
  readonly isLink: boolean;
  readonly bytes: number;
  readonly read: () => Buffer;
}

const LINK = 0o120000;

/** A file at a checkpoint, or now (`@`). Of its content nothing is read before it is asked for. */
export const findFileAt = async (
  workspace: Workspace,
  address: string,
  path: RelativePath,
  options: StateOptions = {},
): Promise<FileAt> => {
  // Looking at the present takes a store, and looking alone makes none.
  if (address === '@' && !workspace.isProtected)
    throw new RetakeError('unknown-id', 'Nothing is recorded here yet', { hint: 'retake checkpoint records the workspace.' });
  const state = await stateAt(workspace, address, options);
  const { objects } = workspace.store;
  const entry = entryAt(objects, state, path);
  if (entry !== undefined)
    return { isLink: entry.mode === LINK, bytes: objects.size(entry.id), read: () => objects.readBlob(entry.id as BlobId) };
  throw new RetakeError('no-such-file', `There was no file ${toText(path)} at ${address === '@' ? 'this moment' : address}`, {
    hint: 'A diff lists the files that were there.',
  });
};
