import { type Durability, effects, type GitResult, git, replaceFile, syncPath, temporaryName } from '../../host/index.ts';
import { type ObjectId, RetakeError } from '../../model/index.ts';
import type { ObjectStore } from '../objects/index.ts';

/** How far git is: it counts objects, looks for what is alike, and writes. */
export interface PackProgress {
  readonly phase: 'counting' | 'comparing' | 'writing';
  readonly done: number;
  readonly total: number;
}

interface PackOptions {
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A pack that git makes of objects of the store, in a directory of its own that nobody takes for part of it: until `moveIn` there
 * is nothing but that directory, and it can go at any time. Whoever makes one ends it with `discard`.
 */
export class NewPack {
  readonly #gitDirectory: string;
  readonly #directory: string;
  /** Objects that can't be read, and so are not in it. */
  readonly unreadable = new Set<ObjectId>();
  #name: string | undefined;

  constructor(gitDirectory: string) {
    this.#gitDirectory = gitDirectory;
    this.#directory = `${gitDirectory}/objects/${temporaryName()}`;
  }

  /** As packs are called; undefined as long as nothing is in it. */
  get name(): string | undefined {
    return this.#name;
  }

  /** What git can't read is found and left out. */
  async fill(store: ObjectStore, wanted: ReadonlyMap<ObjectId, string>, options: PackOptions): Promise<void> {
    effects.makeDirectories(`${this.#directory}/pack`);
    effects.makeDirectories(`${this.#directory}/info`);
    // Writes go here, and reads to the store.
    replaceFile(`${this.#directory}/info/alternates`, Buffer.from('..\n'));
    try {
      await this.#pack(wanted, options);
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'git-failed')) throw error;
      for (const id of wanted.keys()) if (!isReadable(store, id)) this.unreadable.add(id);
      if (this.unreadable.size === 0) throw error;
      await this.#pack(new Map([...wanted].filter(([id]) => !this.unreadable.has(id))), options);
    }
  }

  async #pack(wanted: ReadonlyMap<ObjectId, string>, { onProgress, signal }: PackOptions): Promise<void> {
    if (wanted.size === 0) return;
    const { stdout } = await this.#git(
      ['pack-objects', '--progress', '--delta-base-offset', `${this.#directory}/pack/pack`],
      Buffer.from([...wanted].map(([id, path]) => `${id} ${path.replaceAll('\n', ' ')}\n`).join(''), 'latin1'),
      { signal, onOutput: onProgress && ((chunk) => tell(chunk, onProgress)) },
    );
    this.#name = `pack-${stdout.toString().trim()}`;
  }

  /** The pack before its index, which is what makes it visible. */
  moveIn(durability: Durability): void {
    if (this.#name === undefined) return;
    const packs = `${this.#gitDirectory}/objects/pack`;
    for (const file of [`${this.#name}.pack`, `${this.#name}.idx`]) {
      effects.rename(`${this.#directory}/pack/${file}`, `${packs}/${file}`);
      if (durability === 'power') syncPath(packs);
    }
  }

  discard(): void {
    effects.removeTree(this.#directory);
  }

  #git(
    args: readonly string[],
    input: Buffer,
    options: { signal?: AbortSignal | undefined; onOutput?: ((chunk: Buffer) => void) | undefined },
  ): Promise<GitResult> {
    // Later gits write a file more for each pack, which we have no use for.
    const all = ['--git-dir', this.#gitDirectory, '-c', 'pack.writeReverseIndex=false', ...args];
    return git(all, { manners: 'neutral', env: { GIT_OBJECT_DIRECTORY: this.#directory }, input, ...options });
  }
}

const isReadable = (store: ObjectStore, id: ObjectId): boolean => {
  try {
    store.read(id);
    return true;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return false;
    throw error;
  }
};

const PHASES: Readonly<Record<string, PackProgress['phase']>> = { Counting: 'counting', Compressing: 'comparing', Writing: 'writing' };

const tell = (chunk: Buffer, onProgress: (progress: PackProgress) => void): void => {
  const [, word = '', done, total] = /^(?:.*[\r\n])?(\w+) objects: +\d+% \((\d+)\/(\d+)\)/s.exec(chunk.toString('latin1')) ?? [];
  const phase = PHASES[word];
  if (phase !== undefined) onProgress({ phase, done: Number(done), total: Number(total) });
};
