import { readdirSync, statSync } from 'node:fs';
import { type ObjectId, systemCode } from '../../model/index.ts';
import { Damage, readingDisk } from './damage.ts';
import { Pack } from './pack.ts';
import { readPackIndex } from './pack-index.ts';
import type { PackPlace } from './pack-reader.ts';

/** A pack that is of no use, or whose objects can't be relied on. */
export interface DamagedPack {
  readonly file: string;
  readonly problem: string;
}

interface Known {
  /** Identity, size and time of both files. */
  readonly stamp: string;
  readonly modified: number;
  readonly content: Pack | DamagedPack;
}

/** How coarsely the clock of the file system may tick, in milliseconds; those with whole seconds only are told by their times. */
const tickOf = (time: bigint): number => (time % 1_000_000_000n === 0n ? 2100 : 50);

/** The packs of `objects/pack`, which other processes add to and remove from at any time. */
export class PackDirectory {
  readonly #directory: string;
  #known = new Map<string, Known>();
  #packs: Pack[] = [];
  /** Time of the directory, and the names in it, when it was listed last. */
  #time: bigint | undefined;
  #listing: string | undefined;
  #listedAt = 0;

  constructor(objectsDirectory: string) {
    this.#directory = `${objectsDirectory}/pack`;
  }

  get damaged(): readonly DamagedPack[] {
    return [...this.#known.values()].flatMap(({ content }) => {
      if (!(content instanceof Pack)) return [content];
      return content.isSound ? [] : [{ file: content.path, problem: 'the pack is cut short or damaged' }];
    });
  }

  /** Whether the object is in a pack that can be relied on. */
  has(id: ObjectId): boolean {
    const first = this.find(id);
    if (first === undefined || first.pack.isSound) return first !== undefined;
    return this.#packs.some((pack) => pack.isSound && pack.offsetOf(id) >= 0);
  }

  /** All packs that can be used. */
  get all(): readonly Pack[] {
    if (this.#listing === undefined) this.refresh();
    return this.#packs;
  }

  /** Where the object is, in a pack not among `tried`. */
  find(id: ObjectId, tried?: ReadonlySet<Pack>): PackPlace | undefined {
    if (this.#listing === undefined) this.refresh();
    for (let position = 0; position < this.#packs.length; position++) {
      const pack = this.#packs[position] as Pack;
      const offset = pack.offsetOf(id);
      if (offset < 0 || tried?.has(pack)) continue;
      // What is asked for next is often in the same pack.
      if (position > 0) this.#packs.unshift(...this.#packs.splice(position, 1));
      return { pack, offset };
    }
    return undefined;
  }

  /** Looks for packs that came or went, if the time of the directory moved, or was too recent to tell: mostly one stat. */
  refreshIfTouched(): boolean {
    const time = this.#listing === undefined ? undefined : this.#directoryTime();
    const isSettled = time !== undefined && time === this.#time && Number(time / 1_000_000n) < this.#listedAt - tickOf(time);
    return isSettled ? false : this.refresh();
  }

  /** Looks for packs that came or went; true when any did. */
  refresh(): boolean {
    const listedAt = Date.now();
    const time = this.#directoryTime();
    const names = this.#list();
    const listing = names.join('\n');
    this.#listedAt = listedAt;
    if (listing === this.#listing && time === this.#time) return false;
    const changed = this.#load(names);
    this.#time = time;
    this.#listing = listing;
    return changed;
  }

  close(): void {
    for (const pack of this.#packs) pack.close();
    this.#packs = [];
    this.#known.clear();
    this.#listing = undefined;
  }

  #load(names: readonly string[]): boolean {
    const present = new Set(names);
    const before = this.#known;
    const after = new Map<string, Known>();
    let changed = false;
    for (const file of names) {
      const name = file.slice(0, -'.idx'.length);
      if (!file.endsWith('.idx') || !present.has(`${name}.pack`)) continue;
      const known = this.#examine(name, before.get(name));
      if (known === undefined) continue;
      if (known !== before.get(name)) changed = true;
      after.set(name, known);
    }
    this.#known = after;
    for (const [name, old] of before) {
      if (after.get(name) === old) continue;
      changed = true;
      if (old.content instanceof Pack) old.content.close();
    }
    if (changed) {
      // What was written last is what is asked for most.
      const newest = [...after.values()].sort((a, b) => b.modified - a.modified);
      this.#packs = newest.flatMap(({ content }) => (content instanceof Pack ? [content] : []));
    }
    return changed;
  }

  #examine(name: string, before: Known | undefined): Known | undefined {
    const path = `${this.#directory}/${name}`;
    const index = statSync(`${path}.idx`, { throwIfNoEntry: false });
    const pack = statSync(`${path}.pack`, { throwIfNoEntry: false });
    if (index === undefined || pack === undefined) return undefined;
    const stamp = [index.ino, index.size, index.mtimeMs, pack.ino, pack.size, pack.mtimeMs].join(' ');
    if (before?.stamp === stamp) return before;
    const modified = pack.mtimeMs;
    try {
      const content = new Pack(
        this.#directory,
        name,
        readingDisk(() => readPackIndex(`${path}.idx`)),
        pack.size,
      );
      return { stamp, modified, content };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      if (error instanceof Damage) return { stamp, modified, content: { file: `${path}.idx`, problem: error.message } };
      throw error;
    }
  }

  #list(): string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith('.idx') || name.endsWith('.pack'));
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
      throw error;
    }
  }

  #directoryTime(): bigint | undefined {
    return statSync(this.#directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  }
}
