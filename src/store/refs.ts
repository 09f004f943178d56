import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Durability, describeWriteFailure, effects, exists, readAtOnce, readIfExists, replaceFile } from '../host/index.ts';
import { compareBytes, isObjectId, type ObjectId, systemCode } from '../model/index.ts';

/** A line of `packed-refs` with a name that is safe to be a path: ours are plain ASCII. */
const PACKED_REF = /^([0-9a-f]{40}) (refs(?:\/(?!\.)[!-.0-~]+)+)$/;

/** The refs of the store, loose or packed. Writers hold the store's lock. */
export class Refs {
  readonly #directory: string;
  readonly #durability: Durability;

  constructor(gitDirectory: string, durability: Durability) {
    this.#directory = gitDirectory;
    this.#durability = durability;
  }

  /** Undefined when there is no such ref, or its file is torn: an older packed value would be worse than none. */
  read(name: string): ObjectId | undefined {
    let loose: string;
    try {
      loose = readAtOnce(`${this.#directory}/${name}`).toString('latin1').trim();
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) throw error;
      return this.#packed().get(name);
    }
    return isObjectId(loose) ? loose : undefined;
  }

  write(name: string, id: ObjectId): void {
    const path = `${this.#directory}/${name}`;
    // Not beside the ref: git would take a stray temporary file there for a broken ref.
    const replace = () =>
      replaceFile(path, Buffer.from(`${id}\n`), { durability: this.#durability, temporaryIn: this.#directory, mode: 0o600 });
    try {
      replace();
    } catch (error) {
      // Nearly always the folder is there, and asking first would cost as much as writing.
      if (systemCode(error) !== 'ENOENT' || exists(dirname(path))) throw error;
      effects.makeDirectories(dirname(path));
      replace();
    }
  }

  /**
   * Points a ref that is there already elsewhere, in its place: replacing a file makes the system write it out at once, which
   * takes longer than all the rest of a checkpoint. Killed in the middle it may name nothing, as if it was lost.
   */
  move(name: string, id: ObjectId): void {
    const path = `${this.#directory}/${name}`;
    const fd = this.#durability === 'power' ? undefined : effects.openIfExists(path);
    if (fd === undefined) {
      this.write(name, id);
      return;
    }
    try {
      effects.writeAt(fd, Buffer.from(`${id}\n`), 0, path);
    } catch (error) {
      throw describeWriteFailure(error, path);
    } finally {
      effects.close(fd);
    }
  }

  /** In-process like all the rest: a git that is killed leaves locks that nobody would ever remove. */
  remove(names: readonly string[]): void {
    const packed = this.#packed();
    const before = packed.size;
    for (const name of names) packed.delete(name);
    if (packed.size < before) this.#writePacked(packed);
    this.#unlink(names);
  }

  /** Moves loose refs below a prefix into `packed-refs`. Killed in between, a ref is there twice, which is no harm. */
  pack(prefix: string): void {
    const packed = this.#packed();
    const loose = new Map<string, ObjectId>();
    this.#collect(prefix, loose, []);
    if (loose.size === 0) return;
    for (const [name, id] of loose) packed.set(name, id);
    this.#writePacked(packed);
    this.#unlink(loose.keys());
  }

  /** With the folders that have nothing left in them: each session has one. */
  #unlink(names: Iterable<string>): void {
    const folders = new Set<string>();
    for (const name of names) {
      // A name that was cut short may be that of a folder.
      if (!statSync(join(this.#directory, name), { throwIfNoEntry: false })?.isFile()) continue;
      effects.unlink(join(this.#directory, name));
      folders.add(dirname(name));
    }
    for (const folder of folders) {
      const path = join(this.#directory, folder);
      if (readdirSync(path).length === 0) effects.removeDirectory(path);
    }
  }

  /**
   * All refs below a prefix such as `refs/retake/ops/`, loose ones winning over packed ones; torn ones are passed over. Those whose name is
   * not wanted are not read.
   */
  list(prefix: string, isWanted: (name: string) => boolean = () => true): Map<string, ObjectId> {
    const found = new Map<string, ObjectId>();
    // First: what somebody packs meanwhile is not loose any more by the time it would be looked for, but packed.
    this.#collect(prefix, found, [], isWanted);
    for (const [name, id] of this.#packed()) if (name.startsWith(prefix) && isWanted(name) && !found.has(name)) found.set(name, id);
    return found;
  }

  /** The names of all refs below a prefix, whatever they hold: reads no file but `packed-refs`. */
  names(prefix: string): Set<string> {
    const found = new Set<string>();
    // Loose ones first, for the same reason.
    this.#visit(prefix, (name) => found.add(name));
    for (const name of this.#packed().keys()) if (name.startsWith(prefix)) found.add(name);
    return found;
  }

  /** Refs below a prefix whose file names no object. */
  torn(prefix: string): string[] {
    const torn: string[] = [];
    this.#collect(prefix, new Map(), torn);
    return torn;
  }

  /** Writes `packed-refs` anew, without what says nothing. */
  repack(): void {
    this.#writePacked(this.#packed());
  }

  /** Lines of `packed-refs` that are neither a ref nor a remark. */
  garbage(): string[] {
    return this.#packedLines().filter((line) => line !== '' && !/^[#^]/.test(line) && !PACKED_REF.test(line));
  }

  #collect(prefix: string, found: Map<string, ObjectId>, torn: string[], isWanted: (name: string) => boolean = () => true): void {
    this.#visit(prefix, (name) => {
      if (!isWanted(name)) return;
      const id = readIfExists(join(this.#directory, name))?.toString('latin1').trim();
      if (id === undefined) return;
      if (isObjectId(id)) found.set(name, id);
      else torn.push(name);
    });
  }

  /** Every loose ref below a prefix. */
  #visit(prefix: string, see: (name: string) => void): void {
    for (const entry of entriesOf(join(this.#directory, prefix))) {
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) this.#visit(`${name}/`, see);
      else see(name);
    }
  }

  #writePacked(refs: ReadonlyMap<string, ObjectId>): void {
    const lines = [...refs].sort(([a], [b]) => compareBytes(a, b)).map(([name, id]) => `${id} ${name}\n`);
    const text = `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`;
    replaceFile(join(this.#directory, 'packed-refs'), Buffer.from(text), { durability: this.#durability });
  }

  #packed(): Map<string, ObjectId> {
    const refs = new Map<string, ObjectId>();
    for (const line of this.#packedLines()) {
      const [, id, name] = PACKED_REF.exec(line) ?? [];
      if (id !== undefined && name !== undefined) refs.set(name, id as ObjectId);
    }
    return refs;
  }

  #packedLines(): string[] {
    return readIfExists(join(this.#directory, 'packed-refs'))?.toString('latin1').split('\n') ?? [];
  }
}

const entriesOf = (path: string) => {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
};
