import { exists } from '../../host/index.ts';
import type { UserRepository } from '../repository.ts';
import { type GitEntries, parseTree } from '../staging/tree-entries.ts';
import { linesOf, ObjectSide } from './object-side.ts';

/** A commit as it was written. */
export interface ReadCommit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** The second at which it was made. */
  readonly at: number;
  readonly message: string;
  /** The user's repository does not have it any more; our copy of its objects has. */
  readonly isOnlyHeld: boolean;
}

/**
 * Reads commits as git stores them, from the user's repository and, where that lost them, from our copy. Nothing is written, fetched or
 * converted, and no command of the user's runs: no textconv, no filter, no external diff.
 */
export class CommitReader {
  readonly #users: ObjectSide;
  readonly #held: ObjectSide | undefined;

  private constructor(users: ObjectSide, held: ObjectSide | undefined) {
    this.#users = users;
    this.#held = held;
  }

  static with<T>(repository: UserRepository, held: string, work: (reader: CommitReader) => Promise<T>): Promise<T> {
    return ObjectSide.withUsers(repository, (users) => work(new CommitReader(users, exists(held) ? ObjectSide.ours(held) : undefined)));
  }

  /** The commits whose ids begin so. */
  async named(prefix: string): Promise<string[]> {
    const found = await Promise.all(this.#sides.map((side) => commitsLike(side, prefix)));
    return [...new Set(found.flat())].sort();
  }

  /** Undefined where it is nowhere. */
  async read(id: string): Promise<ReadCommit | undefined> {
    const own = (await readObjects(this.#users, [id])).get(id);
    const bytes = own ?? (this.#held === undefined ? undefined : (await readObjects(this.#held, [id])).get(id));
    return bytes && { ...parseCommit(id, bytes), isOnlyHeld: own === undefined };
  }

  /** All that a commit has, by path from the repository's top; undefined where some of its trees are missing. */
  async entries(commit: string): Promise<GitEntries | undefined> {
    for (const side of this.#sides) {
      const { code, stdout } = await side.ask(['ls-tree', '-r', '-z', '--full-tree', commit], { accept: [1, 128] });
      if (code === 0) return parseTree(stdout);
    }
    return undefined;
  }

  /** The contents of blobs; those that are nowhere are left out. */
  async contents(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const own = await readObjects(this.#users, ids);
    const missing = ids.filter((id) => !own.has(id));
    if (missing.length === 0 || this.#held === undefined) return own;
    return new Map([...own, ...(await readObjects(this.#held, missing))]);
  }

  get #sides(): ObjectSide[] {
    return this.#held === undefined ? [this.#users] : [this.#users, this.#held];
  }
}

const commitsLike = async (side: ObjectSide, prefix: string): Promise<string[]> => {
  const { stdout } = await side.ask(['rev-parse', `--disambiguate=${prefix.toLowerCase()}`], { accept: [1, 128] });
  const types = await side.typesOf(stdout.toString('latin1').split('\n').filter(Boolean));
  return [...types].flatMap(([id, type]) => (type === 'commit' ? [id] : []));
};

const readObjects = async (side: ObjectSide, ids: readonly string[]): Promise<Map<string, Buffer>> => {
  // In a partial clone only what is there may be asked for.
  const there = side.isPartial ? [...(await side.typesOf(ids)).keys()] : ids;
  if (there.length === 0) return new Map();
  const { stdout } = await side.ask(['cat-file', '--batch', '--buffer'], { input: linesOf(there) });
  const found = new Map<string, Buffer>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    const [id = '', type, size = ''] = stdout.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing' || type === undefined) continue;
    found.set(id, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
};

const parseCommit = (id: string, bytes: Buffer): Omit<ReadCommit, 'isOnlyHeld'> => {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const header = end < 0 ? text : text.slice(0, end);
  return {
    id,
    parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent),
    author: /^author (.*) \d+ [-+]\d+$/m.exec(header)?.[1] ?? '',
    at: Number(/^committer .* (\d+) [-+]\d+$/m.exec(header)?.[1] ?? 0),
    message: end < 0 ? '' : text.slice(end + 2),
  };
};
