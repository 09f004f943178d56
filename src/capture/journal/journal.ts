import { lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ByteString, join, type RelativePath, systemCode, toFs } from '../../model/index.ts';
import { type Dirty, DirtyDirectories, EVERYTHING } from '../dirty.ts';
import { Cookies } from './cookies.ts';
import { eventQueue } from './event-queue.ts';
import { Watches } from './watches.ts';

/** A moment in a journal: what was heard up to it is told apart from what came later. */
export type Mark = number;

interface Change {
  readonly at: Mark;
  /** All below may be other directories than before. */
  readonly whole: boolean;
  /** Names in the directory; undefined when it may be any. */
  readonly names: Set<ByteString> | undefined;
}

/** Beyond this many names, all of a directory is looked at. */
const MOST_NAMES = 64;

/** How long the system may take to deliver an event before we look at everything ourselves. */
const PATIENCE = 1000;

/** Beyond this many changed directories, looking at everything is no dearer. */
const MOST_CHANGES = 50_000;

/** Watches made in one go, before others get their turn. */
const SLICE = 250;

/**
 * Which directories of a workspace changed, by the system's file events.
 *
 * Invariants: a directory is watched before it is looked at, so that no change falls in between; whatever may have been
 * missed (a full queue, a lost barrier, a directory that can't be watched) counts as changed; a change stays on record until
 * a capture that began after it has been kept (`settle`).
 */
export class Journal {
  readonly #root: ByteString;
  readonly #watches: Watches;
  readonly #cookies: Cookies;
  readonly #stopListening: () => void;
  readonly #identity: string | undefined;
  readonly #onNews: () => void;
  readonly #changes = new Map<RelativePath, Change>();
  /** Directories that could not be watched: looked at every time. */
  readonly #blind = new Set<RelativePath>();
  #now: Mark = 0;
  /** When it was last unknown what changed; undefined once that is settled. */
  #lostAt: Mark | undefined = 0;
  #problem: string | undefined;
  #isRefused = false;

  /** `cookies` is a directory for this journal alone. `onNews` is called often. */
  constructor(root: ByteString, cookies: string, onNews: () => void = () => {}) {
    this.#root = root;
    this.#onNews = onNews;
    this.#identity = identityOf(root);
    this.#watches = new Watches(
      root,
      (directory, name, isRename) => this.#hear(directory, name, isRename),
      (error) => this.#refuse(error),
    );
    this.#cookies = new Cookies(cookies);
    this.#stopListening = eventQueue.onOverflow(() => this.#lose());
  }

  /** How many directories are watched. */
  get watches(): number {
    return this.#watches.count;
  }

  /** Why the journal can not be relied on any more, and has to be begun anew or done without. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The problem is that the system does not let us watch: one that is begun anew would fare no better. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether everything has to be looked at. */
  get isLost(): boolean {
    return this.#lostAt !== undefined;
  }

  /** Watches these directories, letting others have their turn in between. */
  async watchAll(directories: Iterable<RelativePath>): Promise<void> {
    let made = 0;
    for (const directory of directories) {
      if (this.#problem !== undefined) return;
      this.watch(directory);
      if (++made % SLICE === 0) await nextTurn();
    }
  }

  /** To be called before a directory is looked at. */
  watch(directory: RelativePath): void {
    if (this.#problem !== undefined) return;
    try {
      if (this.#watches.add(directory)) this.#blind.delete(directory);
      else this.#blind.add(directory);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** To be called for directories that are no longer part of what is captured. */
  unwatch(directory: RelativePath): void {
    this.#watches.remove(directory);
    this.#blind.delete(directory);
  }

  /** Waits until everything that happened before the call has been heard of. */
  async barrier(): Promise<Mark> {
    const passed = await this.#cookies.pass(PATIENCE).catch(() => this.#giveUp('its own files were removed'));
    if (!passed) this.#lose();
    if (this.#identity === undefined || identityOf(this.#root) !== this.#identity) this.#giveUp('the workspace is another directory now');
    return this.#now++;
  }

  /** How many directories changed and are not settled. */
  get size(): number {
    return this.#changes.size;
  }

  /** What changed and is not settled; of that, what was heard after `mark`. */
  dirty(mark: Mark = Number.NEGATIVE_INFINITY): Dirty {
    if (this.isLost) return EVERYTHING;
    const selves = new Set(this.#blind);
    const wholes = new Set<RelativePath>();
    const names = new Map<RelativePath, ReadonlySet<ByteString>>();
    for (const [path, change] of this.#changes) {
      if (change.at <= mark) continue;
      selves.add(path);
      if (change.whole) wholes.add(path);
      if (change.names !== undefined && !this.#blind.has(path)) names.set(path, change.names);
    }
    return new DirtyDirectories(selves, wholes, names);
  }

  /** A capture that began at `mark` is what changes are told against from now on. */
  settle(mark: Mark): void {
    if (this.#lostAt !== undefined && this.#lostAt <= mark) this.#lostAt = undefined;
    for (const [path, { at }] of this.#changes) if (at <= mark) this.#changes.delete(path);
  }

  /** These directories have to be looked at again, whatever was heard. */
  suspect(directories: Iterable<RelativePath>): void {
    for (const directory of directories) this.#note(directory, undefined, false);
  }

  close(): void {
    // Whoever is still at it finds that there is nothing left to do.
    this.#problem ??= 'it was closed';
    this.#stopListening();
    this.#watches.close();
    this.#cookies.close();
  }

  #hear(directory: RelativePath, name: ByteString, isRename: boolean): void {
    this.#note(directory, name, false);
    this.#onNews();
    // The event of a directory itself carries its own name instead of one in it: then this is a path that is not there.
    const path = join(directory, name);
    if (!this.#watches.has(path) && !this.#blind.has(path)) return;
    this.#note(path, undefined, isRename);
    // Its watch follows the directory wherever it was moved; what is there now gets one when it is looked at.
    if (isRename) this.unwatch(path);
  }

  #note(directory: RelativePath, name: ByteString | undefined, whole: boolean): void {
    if (this.isLost && this.#lostAt === this.#now) return;
    const before = this.#changes.get(directory);
    const names = name === undefined || (before !== undefined && before.names === undefined) ? undefined : (before?.names ?? new Set());
    if (names !== undefined && name !== undefined) names.add(name);
    this.#changes.set(directory, {
      at: this.#now,
      whole: whole || (before?.whole ?? false),
      names: names !== undefined && names.size > MOST_NAMES ? undefined : names,
    });
    if (this.#changes.size > MOST_CHANGES) this.#lose();
  }

  #lose(): void {
    this.#lostAt = this.#now;
    this.#changes.clear();
  }

  #refuse(error: unknown): void {
    this.#isRefused = true;
    this.#giveUp(whyRefused(error));
  }

  #giveUp(problem: string): void {
    this.#problem ??= problem;
    this.#lose();
    this.#watches.close();
  }
}

const whyRefused = (error: unknown): string =>
  systemCode(error) === 'ENOSPC' || systemCode(error) === 'EMFILE'
    ? 'the system allows no more watches (fs.inotify.max_user_watches)'
    : `watching failed: ${error instanceof Error ? error.message : String(error)}`;

/** With its time of birth, because the number of a directory that was deleted is soon given to another. */
const identityOf = (root: ByteString): string | undefined => {
  const stat = lstatSync(toFs(root), { throwIfNoEntry: false });
  return stat?.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : undefined;
};
