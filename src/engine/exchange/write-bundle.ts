import { git } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import { refOf, type Store } from '../../store/index.ts';
import { encodeBundleHeader } from './bundle-header.ts';
import type { WrittenAnew } from './written-anew.ts';

/** Hands on a git bundle of operations, piece by piece. What one store lacks, the other has. */
export const writeBundle = async (
  { store, beside }: { readonly store: Store; readonly beside: Store },
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
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${beside.directory}/objects` };
    await git(['--git-dir', store.directory, ...args], { manners: 'neutral', input, into, env });
  } catch (error) {
    if (!(error instanceof RetakeError && error.code === 'git-failed')) throw error;
    // Nobody is kept from recording meanwhile, nor from giving up what is being exported.
    throw new RetakeError('git-failed', error.message, {
      hint: 'Try it again; if it fails again, retake check tells what is damaged.',
      cause: error,
    });
  }
};
