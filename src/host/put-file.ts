import { dirname } from 'node:path';
import { systemCode } from '../model/index.ts';
import * as effects from './effects.ts';
import { describeWriteFailure, removeQuietly, temporaryName } from './files.ts';

/**
 * Writes a file for the user, piece by piece, that is there whole or not at all. Unless it may replace one, false when something has that
 * name already, which then stays as it is.
 */
export const putFile = (path: string, pieces: Iterable<string>, { mayReplace = false }: { mayReplace?: boolean } = {}): boolean => {
  const temporary = `${dirname(path)}/${temporaryName()}`;
  try {
    const fd = effects.createFile(temporary, 0o666);
    try {
      for (const piece of pieces) effects.writeAll(fd, Buffer.from(piece), temporary);
    } finally {
      effects.close(fd);
    }
    if (mayReplace) effects.rename(temporary, path);
    else {
      effects.link(temporary, path);
      effects.unlink(temporary);
    }
    return true;
  } catch (error) {
    removeQuietly(temporary);
    if (!mayReplace && systemCode(error) === 'EEXIST') return false;
    throw describeWriteFailure(error, path);
  }
};
