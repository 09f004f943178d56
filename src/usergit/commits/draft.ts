import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { effects } from '../../host/index.ts';
import { type ByteString, basename, compareBytes, fromText, parent, type RelativePath, ROOT, toBytes, toFs } from '../../model/index.ts';
import { actAsUser } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import { type GitEntries, parseEntries, sameEntry } from '../staging/tree-entries.ts';

/** A file or link as it lies in a work tree. */
export interface RawFile {
  readonly type: 'file' | 'link';
  readonly executable: boolean;
  readonly bytes: Buffer;
}

/** By path from the repository's top; null where nothing is. */
export type RawFiles = ReadonlyMap<RelativePath, () => RawFile | null>;

/** The index is ours alone: nobody is told when it changes, and nothing of it is kept elsewhere. */
const PLAIN_INDEX = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.splitIndex=false', 'core.untrackedCache=false'].flatMap(
  (setting) => ['-c', setting],
);

/**
 * Turns files into trees of the user's repository as their own `git add` would: filters, line ends, encodings, links and modes as
 * configured and as the attributes say. It has a work tree and an index of its own, in a directory that it makes and removes; the user's
 * index, HEAD and files are not touched, and only objects are added to their repository.
 */
export class Draft {
  readonly #repository: UserRepository;
  readonly #directory: string;

  private constructor(repository: UserRepository, directory: string) {
    this.#repository = repository;
    this.#directory = directory;
  }

  /** Begins with the tree of a commit, or with nothing. Whatever was in the directory goes. */
  static async begin(repository: UserRepository, directory: string, base: string | null): Promise<Draft> {
    effects.removeTree(directory);
    const draft = new Draft(repository, directory);
    draft.#clear();
    await draft.load(base);
    return draft;
  }

  end(): void {
    effects.removeTree(this.#directory);
  }

  async load(base: string | null): Promise<void> {
    await this.#git(['read-tree', ...(base === null ? ['--empty'] : [base])]);
  }

  async put(files: RawFiles): Promise<void> {
    const paths = [...files.keys()].sort(compareBytes);
    this.#lay(files);
    // What they say of other files counts from the beginning: also that one of them is gone.
    const rules = paths.filter((path) => basename(path) === '.gitattributes');
    await this.#update(rules);
    await this.#update(paths.filter((path) => !rules.includes(path)));
  }

  async writeTree(): Promise<string> {
    return (await this.#git(['write-tree'])).toString().trim();
  }

  async entries(): Promise<GitEntries> {
    return parseEntries(await this.#git(['ls-files', '--stage', '-z']), /^(\d{6}) ([0-9a-f]+) 0\t(.*)$/s);
  }

  /**
   * What the work tree would hold at some paths after a checkout of the commit that the draft stands at. Where a file that is known
   * already would be checked in as exactly that, it is the answer: what conversions do can not always be reversed. Leaves the draft as it
   * was.
   */
  async checkedOut(commit: string | null, committed: GitEntries, known: RawFiles): Promise<Map<RelativePath, RawFile | null>> {
    const there = new Map([...known].filter(([path]) => committed.has(path)));
    await this.put(new Map([...there].filter(([, file]) => file() !== null)));
    const checkedIn = await this.entries();
    await this.load(commit);
    const others = [...there.keys()].filter((path) => !sameEntry(committed.get(path), checkedIn.get(path)) || there.get(path)?.() === null);
    this.#clear();
    if (others.length > 0) await this.#git(['checkout-index', '--force', '--quiet', '-z', '--stdin'], nulEnded(others));
    const apart = new Set(others);
    return new Map(
      [...known].map(([path, file]) => {
        if (!committed.has(path)) return [path, null];
        return [path, apart.has(path) ? this.#read(path) : file()];
      }),
    );
  }

  async #update(paths: readonly RelativePath[]): Promise<void> {
    if (paths.length > 0) await this.#git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], nulEnded(paths));
  }

  async #git(args: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const env = { GIT_WORK_TREE: this.#workTree, GIT_INDEX_FILE: `${this.#directory}/index` };
    const { stdout } = await actAsUser(this.#repository.top, [...PLAIN_INDEX, ...args], { env, ...(input === undefined ? {} : { input }) });
    return stdout;
  }

  get #workTree(): string {
    return `${this.#directory}/files`;
  }

  #at(path: RelativePath): string | Buffer {
    return toFs(`${fromText(this.#workTree)}/${path}` as ByteString);
  }

  #clear(): void {
    effects.removeTree(this.#workTree);
    effects.makeDirectories(this.#workTree);
  }

  #lay(files: RawFiles): void {
    this.#clear();
    const made = new Set<RelativePath>([ROOT]);
    for (const [path, content] of files) {
      const file = content();
      if (file === null) continue;
      if (!made.has(parent(path))) effects.makeDirectories(this.#at(parent(path)));
      made.add(parent(path));
      if (file.type === 'link') effects.symlink(file.bytes, this.#at(path));
      else this.#write(path, file);
    }
  }

  #write(path: RelativePath, { bytes, executable }: RawFile): void {
    const fd = effects.createFile(this.#at(path), executable ? 0o700 : 0o600);
    try {
      effects.writeAll(fd, bytes, this.#at(path));
    } finally {
      effects.close(fd);
    }
  }

  #read(path: RelativePath): RawFile | null {
    const stat = lstatSync(this.#at(path), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return { type: 'link', executable: false, bytes: readlinkSync(this.#at(path), { encoding: 'buffer' }) };
    if (!stat?.isFile()) return null;
    return { type: 'file', executable: (stat.mode & 0o100) !== 0, bytes: readFileSync(this.#at(path)) };
  }
}

const nulEnded = (paths: readonly RelativePath[]): Buffer => Buffer.concat(paths.map((path) => toBytes(`${path}\0` as ByteString)));
