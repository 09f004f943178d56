import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { effects, exists, git, pipeGit } from '../../host/index.ts';
import { type ByteString, fromText, RetakeError } from '../../model/index.ts';
import { readRef } from '../head.ts';
import type { UserRepository } from '../repository.ts';
import { linkPacks } from './link-packs.ts';
import { linesOf, ObjectSide, reachableFrom } from './object-side.ts';
import { readShallow, writeShallow } from './shallow.ts';

/**
 * Commits stand for all that can be reached from them; so do single objects, which are blobs or trees. The commit of a
 * submodule is neither: it is an object of another repository.
 */
export interface GitObjects {
  readonly commits: readonly string[];
  readonly objects: readonly string[];
}

export interface PinnedRef {
  readonly ref: string;
  /** What it is held for. */
  readonly ids: readonly string[];
}

const COMMITS = 'refs/held/commits';
const OBJECTS = 'refs/held/objects';

/**
 * What the user's own gc could drop and going back would need (GIT-2): a bare repository of ours that depends on nothing of
 * the user's. Invariants: a ref is made only when all that it reaches is there, as far as the user had it; git never collects
 * garbage in it by itself.
 */
export class PinnedObjects {
  readonly #directory: string;
  readonly #path: ByteString;

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = fromText(directory);
  }

  has(commit: string): boolean {
    const asRepository = { top: this.#path, gitDirectory: this.#path, commonDirectory: this.#path, objectFormat: 'sha1' } as const;
    return readRef(asRepository, `${COMMITS}/${commit}` as ByteString) !== null;
  }

  /** Something is held. */
  get isThere(): boolean {
    return exists(this.#directory);
  }

  /** All that is held, by ref: a commit, or a tree made for single objects, which are what it is for. */
  async list(): Promise<PinnedRef[]> {
    const held = ObjectSide.ours(this.#directory);
    const refs = await held.refs(COMMITS, OBJECTS);
    const trees = refs.filter(({ ref }) => ref.startsWith(OBJECTS)).map(({ id }) => id);
    const entries = await namesInTrees(held, trees);
    return refs.map(({ ref, id }) => ({ ref, ids: entries.get(id) ?? [id] }));
  }

  /** Lets go of some of it. What nothing holds any more goes when it is packed. */
  async release(refs: readonly PinnedRef[]): Promise<void> {
    if (refs.length === 0) return;
    await ObjectSide.ours(this.#directory).ask(['update-ref', '--stdin'], { input: linesOf(refs.map(({ ref }) => `delete ${ref}`)) });
  }

  /** Makes refs again for those of some objects that are there and that no ref is for: it may be lost, and they would go with the next release. */
  async pinAgain(ids: readonly string[], refs: readonly PinnedRef[]): Promise<void> {
    const held = ObjectSide.ours(this.#directory);
    const known = new Set(refs.flatMap((ref) => ref.ids));
    const types = [...(await held.typesOf(ids.filter((id) => !known.has(id))))];
    const isCommit = ([, type]: readonly [string, string]): boolean => type === 'commit';
    const single = types.filter((one) => !isCommit(one)).map(([id, type]) => ({ id, type }));
    const commits = types.filter(isCommit).map(([id]) => id);
    if (types.length > 0) await this.#makeRefs(held, commits, single);
  }

  /**
   * Packs it. What nothing holds goes only if the caller sees to it that nobody copies anything meanwhile (`isAlone`): who copies
   * takes all for held that is there.
   */
  async pack({ isAlone, signal }: { isAlone: boolean; signal?: AbortSignal | undefined }): Promise<void> {
    const packs = `${this.#directory}/objects/pack`;
    const shared = readdirSync(packs).filter((name) => name.endsWith('.pack') && statSync(join(packs, name)).nlink > 1);
    const run = (...args: string[]) => git(['--git-dir', this.#directory, ...args], { manners: 'neutral', signal });
    const garbage = isAlone ? [] : ['-k'];
    await run(
      '-c',
      'repack.writeBitmaps=false',
      'repack',
      '-a',
      '-d',
      '-l',
      '-q',
      ...garbage,
      ...shared.map((name) => `--keep-pack=${name}`),
    );
    await run('pack-refs', '--all', '--prune');
    if (isAlone) await run('prune', '--expire=now');
  }

  /** The commit that an id, or the beginning of one, names in here. */
  async commitNamed(id: string): Promise<string | undefined> {
    if (!/^[0-9a-fA-F]{4,64}$/.test(id) || !exists(this.#directory)) return undefined;
    const args = ['rev-parse', '--verify', '--quiet', `${id}^{commit}`];
    const { code, stdout } = await ObjectSide.ours(this.#directory).ask(args, { accept: [1, 128] });
    return code === 0 ? stdout.toString('latin1').trim() : undefined;
  }

  /**
   * Makes sure that all this stays. Not complete is what the user's repository lacks itself, as a partial clone does: then all
   * that is there is held.
   */
  async pin(repository: UserRepository, { commits, objects }: GitObjects): Promise<{ complete: boolean }> {
    const wanted = [...new Set([...commits.filter((id) => !this.has(id)), ...objects])];
    if (wanted.length === 0) return { complete: true };
    await this.#make(repository);
    const held = ObjectSide.ours(this.#directory);
    return ObjectSide.withUsers(repository, async (user) => {
      const [inHeld, inUsers, refs] = await Promise.all([held.typesOf(wanted), user.typesOf(wanted), held.refs(COMMITS)]);
      // A blob that is held is whole; for others this has to be seen.
      const there = [...inUsers.keys()].filter((id) => inHeld.get(id) !== 'blob');
      const before = refs.map(({ id }) => id);
      const { deepened, finish } = await this.#takeOverShallow(repository, user, held);
      const isConnected = await this.#take(repository, user, [...there, ...deepened], deepened.length > 0 ? [] : before, finish);
      const types = await held.typesOf(wanted);
      const single = objects.filter((id) => types.has(id)).map((id) => ({ id, type: types.get(id) as string }));
      await this.#makeRefs(
        held,
        commits.filter((id) => types.has(id)),
        single,
      );
      return { complete: isConnected && wanted.every((id) => types.has(id)) };
    });
  }

  /** Puts what the user's repository lacks of all this back into it, and tells how many objects that were. No ref is touched. */
  async bringBack(repository: UserRepository, { commits, objects }: GitObjects): Promise<number> {
    const wanted = [...new Set([...commits, ...objects])];
    if (wanted.length === 0) return 0;
    return ObjectSide.withUsers(repository, async (user) => {
      const tips = [...(await user.typesOf((await user.refs()).map(({ id }) => id))).keys()];
      if (await user.isConnected(wanted, tips)) return 0;
      const inUsers = await user.typesOf(wanted);
      if (!exists(this.#directory)) throw lost(wanted.filter((id) => !inUsers.has(id)));
      const held = ObjectSide.ours(this.#directory);
      const inHeld = await held.typesOf(wanted);
      const missing = wanted.filter((id) => !inHeld.has(id) && !inUsers.has(id));
      if (missing.length > 0) throw lost(missing);
      const known = [...(await held.typesOf(tips)).keys()];
      let count = 0;
      // The difference to what the user has should do, unless that has holes.
      for (const without of [known, []]) {
        const listed = await reach(held, [...inHeld.keys()], without);
        count += await carry(held, user, listed);
        if (await user.isConnected(wanted, tips)) return count;
        this.#giveBackShallow(repository, listed);
        if (await user.isConnected(wanted, tips)) return count;
      }
      throw lost(wanted);
    });
  }

  async #make(repository: UserRepository): Promise<void> {
    if (exists(this.#directory)) return;
    effects.makeDirectories(dirname(this.#directory));
    // Made under another name: what has its own name is whole.
    const temporary = `${this.#directory}.new`;
    effects.removeTree(temporary);
    const format = repository.objectFormat === 'sha1' ? [] : [`--object-format=${repository.objectFormat}`];
    await git(['init', '--quiet', '--bare', '--template=', ...format, temporary], { manners: 'neutral' });
    await git(['--git-dir', temporary, 'config', 'gc.auto', '0'], { manners: 'neutral' });
    effects.makeDirectories(`${temporary}/objects/pack`);
    effects.rename(temporary, this.#directory);
  }

  /** Where there is something to build on, only the difference is copied; else the user's packs are shared. */
  async #take(
    repository: UserRepository,
    user: ObjectSide,
    ids: readonly string[],
    before: readonly string[],
    onCopied: () => void,
  ): Promise<boolean> {
    if (ids.length === 0) return true;
    const held = ObjectSide.ours(this.#directory);
    const known = [...(await user.typesOf(before)).keys()];
    const isLinked = known.length === 0 && linkPacks(repository, `${this.#directory}/objects/pack`);
    const onlyLoose = isLinked ? ['--unpacked', '--incremental'] : [];
    const send = (without: readonly string[], ...options: string[]) =>
      user.call(['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset', '--missing=allow-any', ...options], {
        input: reachableFrom(ids, without),
      });
    const asPack = held.call(['index-pack', '--stdin']);
    await pipeGit(send(known, ...onlyLoose), isLinked || known.length > 0 ? held.call(['unpack-objects', '-q']) : asPack);
    onCopied();
    if (await held.isConnected(ids, before)) return true;
    if (user.isPartial) return false;
    await pipeGit(send([]), asPack);
    return held.isConnected(ids, []);
  }

  /**
   * Where the user's history is cut off, ours is too; but not where we have more of it. Commits at which the user's history
   * goes on by now are to be taken anew; only then may ours go on there.
   */
  async #takeOverShallow(
    repository: UserRepository,
    user: ObjectSide,
    held: ObjectSide,
  ): Promise<{ deepened: readonly string[]; finish: () => void }> {
    const [ours, theirs] = [readShallow(this.#path), readShallow(repository.commonDirectory)];
    const isNew = [...theirs].filter((id) => !ours.has(id));
    const whole = await held.typesOf(isNew);
    const cut = new Set([...ours, ...isNew.filter((id) => !whole.has(id))]);
    if (cut.size > ours.size) writeShallow(this.#path, cut);
    const deepened = [...(await user.typesOf([...ours].filter((id) => !theirs.has(id)))).keys()];
    const finish = (): void => {
      if (deepened.length > 0) writeShallow(this.#path, new Set([...cut].filter((id) => !deepened.includes(id))));
    };
    return { deepened, finish };
  }

  /** Commits brought back may lie on a boundary that the user's gc has forgotten. */
  #giveBackShallow(repository: UserRepository, listed: readonly string[]): void {
    const ours = readShallow(this.#path);
    const theirs = readShallow(repository.commonDirectory);
    const all = new Set([...theirs, ...listed.filter((id) => ours.has(id))]);
    if (all.size > theirs.size) writeShallow(repository.commonDirectory, all);
  }

  /** A tree made for them keeps single objects. */
  async #makeRefs(held: ObjectSide, commits: readonly string[], single: readonly { id: string; type: string }[]): Promise<void> {
    const refs = commits.map((id) => `update ${COMMITS}/${id} ${id}`);
    if (single.length > 0) {
      const entries = single.map(({ id, type }) => `${type === 'tree' ? '040000' : '100644'} ${type} ${id}\t${id}`);
      const { stdout } = await held.ask(['mktree'], { input: linesOf(entries) });
      const tree = stdout.toString().trim();
      refs.push(`update ${OBJECTS}/${tree} ${tree}`);
    }
    await held.ask(['update-ref', '--stdin'], { input: linesOf(refs) });
  }
}

/** All that can be reached, as far as it is there. */
const reach = async (side: ObjectSide, ids: readonly string[], without: readonly string[]): Promise<string[]> => {
  const { stdout } = await side.ask(['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin'], {
    input: reachableFrom(ids, without),
  });
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((id) => id !== '');
};

/** The names in each tree. */
const namesInTrees = async (side: ObjectSide, trees: readonly string[]): Promise<Map<string, string[]>> => {
  const { stdout } = await side.ask(['cat-file', '--batch', '--buffer'], { input: linesOf(trees) });
  const names = new Map<string, string[]>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    const [id = '', , size] = stdout.toString('latin1', at, end).split(' ');
    // Each entry is its mode, a space, its name, a zero, and the bytes of an id.
    const content = stdout.subarray(end + 1, end + 1 + Number(size ?? 0));
    names.set(id, namesInTree(content, id.length / 2));
    at = end + 2 + content.length;
  }
  return names;
};

const namesInTree = (content: Buffer, idLength: number): string[] => {
  const names: string[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at);
    names.push(content.toString('latin1', content.indexOf(' ', at) + 1, end));
    at = end + 1 + idLength;
  }
  return names;
};

const carry = async (from: ObjectSide, to: ObjectSide, ids: readonly string[]): Promise<number> => {
  const there = await to.typesOf(ids);
  const absent = ids.filter((id) => !there.has(id));
  if (absent.length > 0)
    await pipeGit(
      from.call(['pack-objects', '--stdout', '-q', '--delta-base-offset'], { input: linesOf(absent) }),
      to.call(['unpack-objects', '-q']),
    );
  return absent.length;
};

const lost = (ids: readonly string[]): RetakeError =>
  new RetakeError('store-damaged', `Neither the repository nor what Retake holds of it has all of ${ids.slice(0, 3).join(', ')}`, {
    hint: 'Without the git state, files can still go back.',
    details: { ids },
  });
