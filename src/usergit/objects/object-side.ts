import { type GitCall, type GitOptions, type GitResult, git } from '../../host/index.ts';
import { inDirectory } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import { requirePlainInfo } from './info-files.ts';
import { fetchesWhatIsMissing } from './partial-clone.ts';

type Extras = Pick<GitOptions, 'input' | 'accept'>;

/** One of two repositories between which objects are carried. Nothing is fetched, no object stands for another. */
export class ObjectSide {
  /** Objects may be missing on purpose. */
  readonly isPartial: boolean;
  readonly #before: readonly string[];
  readonly #options: Pick<GitOptions, 'cwd' | 'manners'>;

  private constructor(before: readonly string[], options: Pick<GitOptions, 'cwd' | 'manners'>, isPartial: boolean) {
    this.#before = before;
    this.#options = options;
    this.isPartial = isPartial;
  }

  /** A bare repository of our own. */
  static ours(directory: string): ObjectSide {
    return new ObjectSide(['--git-dir', directory], { manners: 'neutral' }, false);
  }

  static async withUsers<T>(repository: UserRepository, work: (side: ObjectSide) => Promise<T>): Promise<T> {
    requirePlainInfo(repository);
    const isPartial = await fetchesWhatIsMissing(repository);
    // Nothing of the work tree has a say here, and a FIFO in the place of `.gitattributes` would stop git for ever.
    return inDirectory(repository.gitDirectory, (cwd) =>
      work(new ObjectSide(['--git-dir=.', '--work-tree=.'], { cwd, manners: 'user' }, isPartial)),
    );
  }

  call(args: readonly string[], extras: Extras = {}): GitCall {
    return { args: [...this.#before, '--no-replace-objects', ...args], options: { ...this.#options, ...extras } };
  }

  async ask(args: readonly string[], extras: Extras = {}): Promise<GitResult> {
    const call = this.call(args, extras);
    return git(call.args, call.options);
  }

  /** The types of those objects that are there. */
  async typesOf(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    // In a partial clone, asking for what is missing would end in trying to fetch it: only what is there is asked for.
    const { stdout } = this.isPartial
      ? await this.ask(['cat-file', '--buffer', '--batch-check=%(objectname) %(objecttype)', '--batch-all-objects'])
      : await this.ask(['cat-file', '--buffer', '--batch-check=%(objectname) %(objecttype)'], { input: linesOf(ids) });
    const wanted = new Set(ids);
    return new Map(wordsByLine(stdout).filter(([id = '', type]) => wanted.has(id) && type !== 'missing') as [string, string][]);
  }

  /** Whether all that can be reached from some objects is there, supposing that it is for some others. */
  async isConnected(ids: readonly string[], complete: readonly string[]): Promise<boolean> {
    const promised = this.isPartial ? ['--exclude-promisor-objects'] : [];
    const input = reachableFrom(ids, complete);
    const { code } = await this.ask(['rev-list', '--objects', '--quiet', ...promised, '--stdin'], { input, accept: [1, 128] });
    return code === 0;
  }

  /** The objects that refs name, below some folders of refs. */
  async refs(...folders: string[]): Promise<{ ref: string; id: string }[]> {
    const { stdout } = await this.ask(['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
    return wordsByLine(stdout).map(([id = '', ref = '']) => ({ ref, id }));
  }
}

/** What git's walkers read: all that can be reached from some objects and not from others. */
export const reachableFrom = (ids: readonly string[], without: readonly string[]): Buffer =>
  linesOf([...ids, ...without.map((id) => `^${id}`)]);

export const linesOf = (words: readonly string[]): Buffer => Buffer.from(words.map((word) => `${word}\n`).join(''), 'latin1');

const wordsByLine = (output: Buffer): string[][] =>
  output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
