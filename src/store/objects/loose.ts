import { closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { type Durability, effects, exists, readAtOnce, replaceFile, syncPath } from '../../host/index.ts';
import { isObjectId, type ObjectId, systemCode } from '../../model/index.ts';
import { BoundedCache } from './bounded-cache.ts';
import { decodeHeader, frame, type ObjectType, objectId, type StoredObject } from './codec.ts';
import { deflateFile, inflateExactly, inflateStart, START_BYTES } from './compression.ts';
import { Damage, readingDisk } from './damage.ts';

/** No loose object is shorter: this is what the seven bytes of the empty blob's header compress to. */
const SHORTEST_FILE = 15;

const absent = (error: unknown): undefined => {
  if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
  throw error;
};

/**
 * Objects in files of their own, `objects/ab/cdef…`. A file at its final name was written whole by us or by git, but a
 * power cut or a sick disk may have emptied or torn it since; git would keep such a file for ever, we replace it.
 */
export class LooseObjects {
  readonly #directory: string;
  readonly #durability: Durability;
  /** What was found intact, with the file's stat data of that moment. */
  readonly #intact = new BoundedCache<ObjectId, string>(1000, () => 1);

  constructor(objectsDirectory: string, durability: Durability) {
    this.#directory = objectsDirectory;
    this.#durability = durability;
  }

  /** There is a file that could hold the object; costs one stat. */
  looksPresent(id: ObjectId): boolean {
    const found = statSync(this.#path(id), { throwIfNoEntry: false });
    return found?.isFile() === true && found.size >= SHORTEST_FILE;
  }

  /** There is a file and it holds the object: read whole, which is still cheaper than writing it again; but only once. */
  isIntact(id: ObjectId): boolean {
    const found = statSync(this.#path(id), { throwIfNoEntry: false });
    if (found === undefined) return false;
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    if (this.#intact.get(id) === stamp) return true;
    try {
      if (this.read(id) === undefined) return false;
    } catch (error) {
      if (error instanceof Damage) return false;
      throw error;
    }
    this.#intact.set(id, stamp);
    return true;
  }

  /** The object, verified; undefined when there is no file. */
  read(id: ObjectId): StoredObject | undefined {
    const file = this.#readFile(id);
    if (file === undefined) return undefined;
    const { type, size, length } = decodeHeader(inflateStart(file.subarray(0, START_BYTES)));
    const framed = inflateExactly(file, length + size);
    if (framed === undefined) throw new Damage('its file is cut short');
    const bytes = framed.subarray(length);
    if (objectId(type, bytes) !== id) throw new Damage('its content does not match its id');
    return { type, bytes };
  }

  diskSize(id: ObjectId): number {
    return statSync(this.#path(id), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The object's type and size by its header; undefined when there is no file. */
  header(id: ObjectId): { readonly type: ObjectType; readonly size: number } | undefined {
    let fd: number;
    try {
      fd = openSync(this.#path(id), constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      return absent(error);
    }
    try {
      const start = Buffer.allocUnsafe(START_BYTES);
      const count = readingDisk(() => readSync(fd, start, 0, START_BYTES, 0));
      return decodeHeader(inflateStart(start.subarray(0, count)));
    } finally {
      closeSync(fd);
    }
  }

  /** Every object that has a file, readable or not. */
  *ids(): Generator<ObjectId> {
    for (let byte = 0; byte < 256; byte++) {
      const prefix = byte.toString(16).padStart(2, '0');
      for (const name of this.list(prefix)) if (isObjectId(prefix + name)) yield (prefix + name) as ObjectId;
    }
  }

  /** The names in one of the 256 directories. */
  list(prefix: string): string[] {
    try {
      return readdirSync(`${this.#directory}/${prefix}`);
    } catch (error) {
      return absent(error) ?? [];
    }
  }

  /** Writes the object, over a damaged file if there is one, and returns the length of the file. */
  write(id: ObjectId, type: ObjectType, bytes: Uint8Array): number {
    const compressed = deflateFile(frame(type, bytes));
    const directory = `${this.#directory}/${id.slice(0, 2)}`;
    // Writing is cheaper than asking first, but not where it means waiting for the disk.
    if (this.#durability === 'power' && !exists(directory)) this.#make(directory);
    for (let again = false; ; again = true) {
      try {
        replaceFile(this.#path(id), compressed, { mode: 0o444, durability: this.#durability, temporaryIn: this.#directory });
        return compressed.length;
      } catch (error) {
        // Not made yet, or emptied by gc and removed by git.
        if (systemCode(error) !== 'ENOENT' || again) throw error;
        this.#make(directory);
      }
    }
  }

  #make(directory: string): void {
    effects.makeDirectories(directory, 0o777);
    if (this.#durability === 'power') syncPath(this.#directory);
  }

  #readFile(id: ObjectId): Buffer | undefined {
    try {
      return readingDisk(() => readAtOnce(this.#path(id)));
    } catch (error) {
      return absent(error);
    }
  }

  #path(id: ObjectId): string {
    return loosePath(this.#directory, id);
  }
}

export const loosePath = (objectsDirectory: string, id: ObjectId): string => `${objectsDirectory}/${id.slice(0, 2)}/${id.slice(2)}`;

/** So many questions are cheaper to ask one by one; after them directories are listed. */
const FEW = 32;

/**
 * What a batch knows of loose objects: asking for 100,000 new ones costs 256 listings, not 100,000 stats. Files that
 * appear after their directory was listed are not seen, and so are written again, which does no harm.
 */
export class LooseListing {
  readonly #loose: LooseObjects;
  readonly #names = new Map<string, ReadonlySet<string>>();
  #questions = 0;

  constructor(loose: LooseObjects) {
    this.#loose = loose;
  }

  hasIntact(id: ObjectId): boolean {
    return (this.#questions++ < FEW || this.#listed(id)) && this.#loose.isIntact(id);
  }

  #listed(id: ObjectId): boolean {
    const prefix = id.slice(0, 2);
    let names = this.#names.get(prefix);
    if (names === undefined) {
      names = new Set(this.#loose.list(prefix));
      this.#names.set(prefix, names);
    }
    return names.size > 0 && names.has(id.slice(2));
  }
}
