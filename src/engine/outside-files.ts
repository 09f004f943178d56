import { join } from 'node:path';
import { readStable } from '../capture/index.ts';
import { fromText, type OutsideFile } from '../model/index.ts';
import type { ObjectBatch } from '../store/index.ts';
import { isObject, readList, writeList } from './list-file.ts';
import type { Workspace } from './workspace.ts';

const MOST = 500;

/** Files outside the workspace that edit tools named, as they were last recorded. Needs the lock. */
export class OutsideFiles {
  readonly #file: string;
  readonly #known: ReadonlyMap<string, OutsideFile>;

  constructor({ data }: Workspace) {
    this.#file = join(data, 'outside-files.json');
    this.#known = new Map(readList<OutsideFile>(this.#file, isObject).map((file) => [file.path, file]));
  }

  /** Those of the given paths that are not as they were recorded last; what can't be read as a plain file is passed over. */
  changed(paths: readonly string[], batch: ObjectBatch, maxFileBytes: number): OutsideFile[] {
    return paths.flatMap((path) => {
      const now = capture(path, batch, maxFileBytes);
      return now === undefined || isSame(now, this.#known.get(path)) ? [] : [now];
    });
  }

  remember(files: readonly OutsideFile[]): void {
    if (files.length === 0) return;
    const all = new Map([...this.#known, ...files.map((file) => [file.path, file] as const)]);
    writeList(this.#file, [...all.values()].slice(-MOST));
  }
}

const capture = (path: string, batch: ObjectBatch, maxFileBytes: number): OutsideFile | undefined => {
  const read = readStable(fromText(path), maxFileBytes);
  if (read === 'vanished') return { path, content: null };
  if (typeof read === 'string') return undefined;
  return { path, content: { blob: batch.blob(read.bytes), permissions: read.stat.mode & 0o7777 } };
};

/** A file that was never there is nothing to tell of. */
const isSame = (now: OutsideFile, before: OutsideFile | undefined): boolean =>
  before === undefined ? now.content === null : JSON.stringify(now.content) === JSON.stringify(before.content);
