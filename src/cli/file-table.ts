import type { DiffResult } from '../engine/index.ts';
import { paint, showPath, table } from './output.ts';

/** Changed files, a line each, with what happened and the +/- lines. */
export const fileTable = (files: DiffResult['files'], indent = ''): string =>
  table(
    files.map(({ path, status, insertions, deletions, binary }) => [
      `${indent}${status}`,
      binary ? 'binary' : `${paint('green', `+${insertions}`)} ${paint('red', `-${deletions}`)}`,
      showPath(path),
    ]),
  );
