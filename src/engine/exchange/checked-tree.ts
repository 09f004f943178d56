import type { BlobId, ObjectId, TreeId } from '../../model/index.ts';
import type { ObjectStore, TreeEntry } from '../../store/index.ts';
import { badExport } from './bad-export.ts';

const DIRECTORY = 0o40000;
const LINK = 0o120000;
const FILES: ReadonlySet<number> = new Set([0o100644, 0o100755]);

/** No file of a workspace may be larger; of what Retake itself writes, no part is. */
const LARGEST = 2 ** 30;
/** A path can't have more parts. */
const DEEPEST = 2048;

const META_LINE = /^(?:directory [0-7]{4}|usual [0-7]{4} [0-7]{4}|permissions [0-7]{4} [!-~]+)$/;

/** Reads all that operations hold, verifies it, and refuses trees that no capture makes. What several have in common is read once. */
export class CheckedTrees {
  readonly #objects: ObjectStore;
  readonly #known = new Set<string>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** The entries of an operation's own tree, by name. */
  entries(id: TreeId): ReadonlyMap<string, TreeEntry> {
    return new Map(this.#named(id).map((entry) => [entry.name, entry]));
  }

  blob(id: ObjectId): Buffer {
    this.#measure(id);
    this.#known.add(`blob ${id}`);
    return this.#objects.readBlob(id as BlobId);
  }

  /** Files, links and directories by any names that a disk could have. */
  files(id: ObjectId, depth = 0): void {
    this.#once(`files ${id}`, depth, () => {
      for (const { name, mode, id: child } of this.#named(id)) {
        if (name === '.git') throw badExport('a tree in it holds a .git');
        if (mode === DIRECTORY) this.files(child, depth + 1);
        else if (FILES.has(mode) || mode === LINK) this.#content(child);
        else throw badExport('a tree in it holds something other than files, links and directories');
      }
    });
  }

  /** What trees of git can't say (`meta/`). */
  meta(id: ObjectId, depth = 0): void {
    this.#once(`meta ${id}`, depth, () => {
      for (const { name, mode, id: child } of this.#named(id)) {
        if (name.startsWith('+') && mode === DIRECTORY) this.meta(child, depth + 1);
        else if (name === 'pointer' && mode !== DIRECTORY) this.#content(child);
        else if (name === 'meta' && mode === 0o100644) this.#lines(child);
        else throw badExport('it tells permissions in a way that can not be read');
      }
    });
  }

  /** A directory of plain files, none below it. */
  flat(id: ObjectId): readonly TreeEntry[] {
    const entries = this.#named(id);
    for (const { mode, id: child } of entries) {
      if (mode !== 0o100644) throw badExport('a tree in it holds something unexpected');
      this.#content(child);
    }
    return entries;
  }

  #lines(id: ObjectId): void {
    const lines = this.blob(id).toString('latin1').split('\n');
    if (lines.pop() !== '' || !lines.every((line) => META_LINE.test(line)))
      throw badExport('it tells permissions in a way that can not be read');
  }

  #content(id: ObjectId): void {
    this.#once(`blob ${id}`, 0, () => void this.blob(id));
  }

  #named(id: ObjectId): readonly TreeEntry[] {
    this.#measure(id);
    const entries = this.#objects.readTree(id as TreeId);
    const names = new Set(entries.map(({ name }) => name));
    if (names.size !== entries.length) throw badExport('a tree in it has a name twice');
    if (entries.some(({ name }) => name === '.' || name === '..' || name.includes('/')))
      throw badExport('a tree in it has a name that no file has');
    return entries;
  }

  #measure(id: ObjectId): void {
    if (this.#objects.size(id) > LARGEST) throw badExport('it holds a file that is too large');
  }

  #once(key: string, depth: number, look: () => void): void {
    if (depth > DEEPEST) throw badExport('its folders are too deep');
    if (this.#known.has(key)) return;
    look();
    this.#known.add(key);
  }
}
