import { git } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import { refOf } from '../../store/index.ts';
import type { Workspace } from '../workspace.ts';
import { encodeBundleHeader } from './bundle-header.ts';
import type { WrittenAnew } from './written-anew.ts';

/** Hands on a git bundle of operations, piece by piece. */
export const writeBundle = async (
  { store }: Workspace,
  operations: WrittenAnew['operations'],
  write: (bytes: Uint8Array) => void,
  onChunk: () => void,
): Promise<void> => {
  write(encodeBundleHeader(operations.map(({ id, operation }) => [refOf(operation), id] as const)));
  // One thread makes the same pack of the same objects each time.
  const args = ['pack-objects', '--revs', '--stdout', '-q', '--threads=1', '--delta-base-offset'];
  const input = Buffer.from(operations.map(({ id }) => `${id}\n`).join(''));
  const into = (chunk: Buffer): void => {
    write(chunk);
    onChunk();
  };
  try {
    await git(['--git-dir', store.directory, ...args], { manners: 'neutral', input, into });
  } catch (error) {
    if (!(error instanceof RetakeError && error.code === 'git-failed')) throw error;
    // The lock is not held for so long: somebody may have cleared away what nothing refers to.
    throw new RetakeError('git-failed', error.message, {
      hint: 'Try it again; if it fails again, retake check tells what is damaged.',
      cause: error,
    });
  }
};
