import { presentThrough } from '../../daemon/ask-or-run.ts';
import { findFileAt } from '../../engine/index.ts';
import { basename, type RelativePath, toText } from '../../model/index.ts';
import { readInTurn } from '../daemon-reads.ts';
import { type HandlersOf, Streamed } from '../handler.ts';
import { pathIn, pathOfBytes } from '../paths.ts';
import { BadRequest } from '../problem.ts';

/** More is nothing to look at. */
const MOST_BYTES = 32 * 2 ** 20;

export const fileHandlers: HandlersOf<'getFile'> = {
  getFile: async ({ workspace, params, query: { path, pathBase64 = '' }, signal }) => {
    const meant = path === undefined ? pathOfBytes(pathBase64) : pathIn(workspace, path);
    const present = () => readInTurn(workspace, signal, () => presentThrough(workspace));
    const { isLink, bytes, read } = await findFileAt(workspace, params.checkpoint, meant, { present });
    if (bytes > MOST_BYTES) throw new BadRequest('too-large', `Of a file at most ${MOST_BYTES} bytes are shown`);
    return new Streamed((isLink ? undefined : typeOf(meant)) ?? 'application/octet-stream', whole(read()), {
      'content-length': String(bytes),
      // Looked at by itself, nothing of it runs either: every answer says so. It is not shown at all, then.
      'content-disposition': 'attachment',
    });
  },
};

async function* whole(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};

const typeOf = (path: RelativePath): string | undefined => PICTURES[/\.(\w+)$/.exec(toText(basename(path)))?.[1]?.toLowerCase() ?? ''];
