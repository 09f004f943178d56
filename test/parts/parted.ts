import { chmodSync, readFileSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { put, type Scene } from '../support/scene.ts';

const COUNT = 40;
export const PLACES = [3, 20, 38] as const;

/** Forty lines, of which some are other than their number says. */
export const lines = (changed: readonly number[] = [], end = '\n'): string =>
  Array.from({ length: COUNT }, (_, at) => `${changed.includes(at + 1) ? 'changed' : 'line'} ${at + 1}${end}`).join('');

/** Three hunks each in `src/a.ts` and `b.txt`, and one of everything that has no hunks. The checkpoint is the state before. */
export const parted = <S extends Scene>(at: S): S & { readonly id: string } => {
  const { workspace } = at;
  const link = join(workspace, 'link');
  put(workspace, 'src/a.ts', lines());
  put(workspace, 'b.txt', lines());
  put(workspace, 'same', 'same\n');
  put(workspace, 'binary', 'a\0b\n');
  put(workspace, 'bits', 'bits\n', 0o644);
  put(workspace, 'gone', 'gone\n');
  symlinkSync('there', link);
  const { id } = at.retake.json(workspace, 'checkpoint');
  put(workspace, 'src/a.ts', lines(PLACES));
  put(workspace, 'b.txt', lines(PLACES));
  put(workspace, 'binary', 'a\0c\n');
  put(workspace, 'made', 'made\n');
  chmodSync(join(workspace, 'bits'), 0o755);
  unlinkSync(join(workspace, 'gone'));
  unlinkSync(link);
  symlinkSync('elsewhere', link);
  // Long ago, so that a file written anew shows by its time.
  for (const path of ['src/a.ts', 'b.txt', 'same', 'binary', 'bits', 'made']) utimesSync(join(workspace, path), 1, 1);
  return { ...at, id };
};

export const content = ({ workspace }: Scene, path: string): string => readFileSync(join(workspace, path), 'latin1');
