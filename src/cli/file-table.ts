import type { DiffResult } from '../engine/index.ts';
import { paint, showPath, wholeTable } from './output.ts';

/** Changed files, a line each, with what happened and the +/- lines; on request with a word more about each. */
export const fileTable = <File extends DiffResult['files'][number]>(
  files: readonly File[],
  indent = '',
  more: (file: File) => string[] = () => [],
): string =>
  wholeTable(
    files.map((file) => [
      `${indent}${file.status}`,
      file.binary ? 'binary' : `${paint('green', `+${file.insertions}`)} ${paint('red', `-${file.deletions}`)}`,
      showPath(file.path),
      ...more(file),
    ]),
  );
