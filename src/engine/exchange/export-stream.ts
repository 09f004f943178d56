import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryName } from '../../host/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { contentToExport, EXPORT_ENDING, type ExportRequest, nameForFile, writeExport } from './export-session.ts';
import { withTemporaryStore } from './temporary-store.ts';

export interface ExportStream {
  /** What the file is to be called. */
  readonly name: string;
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * The same archive for somebody who takes it piece by piece. It is written down first, because each member tells its length before it
 * begins; the file has no name any more when the first piece is asked for, so that nothing is left of it however this ends.
 */
export const streamExport = async (
  workspace: Workspace,
  request: Pick<ExportRequest, 'session' | 'withoutConversation' | 'madeBy' | 'onProgress' | 'signal'>,
): Promise<ExportStream> => {
  const { madeBy, onProgress, signal } = request;
  const found = contentToExport(workspace, request);
  const directory = join(workspace.data, temporaryName());
  const { bytes, handle } = await withTemporaryStore(workspace, directory, async (store) => {
    const { file, bytes } = await writeExport(workspace, store, { ...found, madeBy, onProgress, signal, file: join(directory, 'export') });
    return { bytes, handle: await open(file) };
  });
  return { name: `${nameForFile(found.session)}${EXPORT_ENDING}`, bytes, pieces: piecesOf(handle) };
};

const PIECE = 256 << 10;

/** Not a generator: one that was never begun would not hear that nobody wants it any more. */
const piecesOf = (handle: FileHandle): AsyncIterableIterator<Uint8Array, undefined> => ({
  async next() {
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE));
      if (bytesRead > 0) return { done: false, value: buffer.subarray(0, bytesRead) };
    } catch (error) {
      await handle.close();
      throw error;
    }
    return end(handle);
  },
  return: () => end(handle),
  [Symbol.asyncIterator]() {
    return this;
  },
});

const end = async (handle: FileHandle): Promise<{ done: true; value: undefined }> => {
  await handle.close();
  return { done: true, value: undefined };
};
