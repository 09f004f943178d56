import { join } from 'node:path';
import { readStable } from '../../capture/index.ts';
import { fromText, type OutsideFile } from '../../model/index.ts';
import type { ObjectBatch } from '../../store/index.ts';
import { isObject, readList, writeList } from './list-file.ts';
import type { Workspace } from './workspace.ts';

const MOST = 500;

/** Files outside the workspace that edit tools named, as they were last recorded. Needs the lock. */
export class OutsideFiles {
  readonly #file: string;
  readonly #known: ReadonlyMap<string, OutsideFile>;
  /** Found not to be there: nothing to record, but to know should a step make them. */
  readonly #absent: OutsideFile[] = [];

  constructor({ data }: Workspace) {
    this.#file = join(data, 'outside-files.json');
    this.#known = new Map(readList<OutsideFile>(this.#file, isObject).map((file) => [file.path, file]));
  }

  /** Those of the given paths that are not as they were recorded last; what can't be read as a plain file is passed over. */
  changed(paths: readonly string[], batch: ObjectBatch, maxFileBytes: number): OutsideFile[] {
    return paths.flatMap((path) => {
      const now = captureOutside(path, batch, maxFileBytes);
      const known = this.#known.get(path);
      if (now === undefined) return [];
      if (known === undefined && now.content === null) this.#absent.push(now);
      if (sameOutside(now.content, known?.content ?? null)) return [];
      return [known?.content === null ? { ...now, created: true as const } : now];
    });
  }

  remember(files: readonly OutsideFile[]): void {
    const news = [...this.#absent, ...files.map(({ path, content }) => ({ path, content }))];
    if (news.length === 0) return;
    const all = new Map([...this.#known, ...news.map((file) => [file.path, file] as const)]);
    writeList(this.#file, [...all.values()].slice(-MOST));
  }
}

/** Undefined for what can't be read as a plain file. */
export const captureOutside = (path: string, batch: ObjectBatch, maxFileBytes: number): OutsideFile | undefined => {
  const read = readStable(fromText(path), maxFileBytes);
  if (read === 'vanished') return { path, content: null };
  if (typeof read === 'string') return undefined;
  return { path, content: { blob: batch.blob(read.bytes), permissions: read.stat.mode & 0o7777 } };
};

export const sameOutside = (a: OutsideFile['content'], b: OutsideFile['content']): boolean =>
  a?.blob === b?.blob && a?.permissions === b?.permissions;
