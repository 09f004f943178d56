import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { blobAt } from '../diff/index.ts';
import { readIfExists, replaceFile } from '../host/index.ts';
import { type ByteString, type RelativePath, toFs } from '../model/index.ts';
import { leftOutOf } from './left-out.ts';
import type { Workspace } from './workspace.ts';

/** More ignored files than agents edit by name: beyond it the oldest are left to the ignore rules again. */
const MOST = 500;

/**
 * Ignored files that an agent's edit tool named once. They are captured from then on, so that what becomes of them is known
 * (CAP-2). Losing the list means only that they are ignored like others again.
 */
export class NamedFiles {
  readonly #workspace: Workspace;
  readonly #file: string;
  #paths: readonly RelativePath[];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#file = join(workspace.data, 'named-files.json');
    this.#paths = parse(readIfExists(this.#file));
  }

  get paths(): readonly RelativePath[] {
    return this.#paths;
  }

  /** Needs the lock. */
  add(paths: readonly RelativePath[]): void {
    const fresh = paths.filter((path) => !this.#paths.includes(path) && this.#isIgnored(path));
    if (fresh.length === 0) return;
    this.#paths = [...this.#paths, ...fresh].slice(-MOST);
    replaceFile(this.#file, Buffer.from(JSON.stringify(this.#paths)));
  }

  /** By the rules of the newest record: those in force now differ only if they were just changed. */
  #isIgnored(path: RelativePath): boolean {
    const { root, store, index } = this.#workspace;
    if (!lstatSync(toFs(`${root}/${path}` as ByteString), { throwIfNoEntry: false })?.isFile()) return false;
    const newest = index.newestContent();
    if (newest?.state == null) return true;
    return blobAt(store.objects, newest.state, path) === null && leftOutOf(this.#workspace, newest)(path, false);
  }
}

const parse = (bytes: Buffer | undefined): readonly RelativePath[] => {
  try {
    const value: unknown = JSON.parse(bytes?.toString() ?? '[]');
    return Array.isArray(value) ? value.filter((path): path is RelativePath => typeof path === 'string') : [];
  } catch {
    return [];
  }
};
