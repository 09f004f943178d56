import { RetakeError } from '../../model/index.ts';

/** A file that is not, or not wholly, what an export is. */
export const badExport = (why: string, cause?: unknown): RetakeError =>
  new RetakeError('bad-export', `The file can not be imported: ${why}`, {
    hint: 'Nothing was changed. Have it exported or copied again.',
    cause,
  });
