import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { blobAt } from '../../diff/index.ts';
import { type ByteString, type RelativePath, RetakeError, toFs } from '../../model/index.ts';
import { leftOutOf } from './left-out.ts';
import { readList, writeList } from './list-file.ts';
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
    this.#paths = readList(this.#file, (path) => typeof path === 'string');
  }

  get paths(): readonly RelativePath[] {
    return this.#paths;
  }

  /** Needs the lock. */
  add(paths: readonly RelativePath[]): void {
    const fresh = paths.filter((path) => !this.#paths.includes(path) && this.#isIgnored(path));
    if (fresh.length === 0) return;
    this.#paths = [...this.#paths, ...fresh].slice(-MOST);
    writeList(this.#file, this.#paths);
  }

  /** By the rules of the newest record: those in force now differ only if they were just changed. */
  #isIgnored(path: RelativePath): boolean {
    const { root, store, index } = this.#workspace;
    if (!lstatSync(toFs(`${root}/${path}` as ByteString), { throwIfNoEntry: false })?.isFile()) return false;
    const newest = index.newestContent();
    if (newest?.state == null) return true;
    try {
      return blobAt(store.objects, newest.state, path) === null && leftOutOf(this.#workspace, newest)(path, false);
    } catch (error) {
      // Damage to an older record is no reason not to make the next one, and a file named in vain does no harm.
      if (error instanceof RetakeError && error.code === 'store-damaged') return true;
      throw error;
    }
  }
}
