import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { effects, exists, now, replaceFile } from '../../../host/index.ts';
import type { Workspace } from '../../core/workspace.ts';

/** Where damaged files go: nothing is deleted that nobody can replace. Needs the lock. */
export class Aside {
  readonly directory: string;
  readonly #data: string;
  readonly #moved: string[] = [];

  constructor({ data }: Pick<Workspace, 'data'>) {
    this.#data = data;
    this.directory = join(data, 'damaged', now().toISOString().replaceAll(':', '-'));
  }

  /** What was put there, from the data directory on. */
  get moved(): readonly string[] {
    return this.#moved;
  }

  readonly move = (path: string): void => {
    const place = this.#placeFor(path);
    if (place !== undefined) effects.rename(path, place);
  };

  /** For what is about to be replaced in its place. What is no file is moved: nothing could replace a directory. */
  copy(path: string): void {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isFile === false) this.move(path);
    const place = isFile ? this.#placeFor(path) : undefined;
    if (place !== undefined) replaceFile(place, readFileSync(path));
  }

  #placeFor(path: string): string | undefined {
    if (!exists(path)) return undefined;
    const name = relative(this.#data, path);
    const place = join(this.directory, name);
    effects.makeDirectories(dirname(place));
    this.#moved.push(name);
    return place;
  }
}
