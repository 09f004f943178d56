import { join } from 'node:path';
import { dataDirectory, describeWriteFailure, effects, exists, gitVersion, Lock, replaceFile } from '../host/index.ts';
import { OperationIndex } from '../index/index.ts';
import { type ByteString, type Operation, type Recorded, type RelativePath, toText } from '../model/index.ts';
import { Store } from '../store/index.ts';
import { type Healed, healRollback } from './heal.ts';
import { locate, type Place, realPath, refuseUnsuitable, STORE } from './locate.ts';
import { loadSettings, type Settings } from './settings.ts';

export interface OpenOptions {
  /** Any directory inside the workspace. */
  readonly directory: string;
  /** Called when the process had to wait for another one. */
  readonly onWait?: () => void;
  /** Called when a rollback that was cut short was finished or taken back. */
  readonly onHealed?: (healed: Healed) => void;
}

/** One protected directory: its place, its store, its index, and the lock that all writers take. */
export class Workspace {
  readonly root: ByteString;
  readonly data: string;
  readonly settings: Settings;
  readonly #options: OpenOptions;
  readonly #lock: Lock;
  #store: Store | undefined;
  #index: OperationIndex | undefined;

  private constructor(place: Place, settings: Settings, options: OpenOptions) {
    this.root = place.root;
    this.data = place.data;
    this.settings = settings;
    this.#options = options;
    this.#lock = new Lock(join(place.data, 'lock'));
  }

  /** Opens the workspace that a directory belongs to. Nothing is made on disk before the first write. */
  static async open(options: OpenOptions): Promise<Workspace> {
    const settings = loadSettings();
    const workspace = new Workspace(locate(options.directory), settings, options);
    if (workspace.isProtected && exists(workspace.journalPath)) await workspace.#healIfAbandoned();
    return workspace;
  }

  /** There is a store: something was recorded here before. */
  get isProtected(): boolean {
    return this.#store !== undefined || exists(this.storePath);
  }

  get storePath(): string {
    return join(this.data, STORE);
  }
  get indexPath(): string {
    return join(this.data, 'index.db');
  }
  get snapshotPath(): string {
    return join(this.data, 'snapshot');
  }
  get journalPath(): string {
    return join(this.data, 'journal.json');
  }

  get store(): Store {
    this.#store ??= Store.open(this.storePath, this.settings.durability);
    return this.#store;
  }

  /** The index, having read all that the log holds. */
  get index(): OperationIndex {
    this.#index ??= OperationIndex.open(this.indexPath, (index) => catchUp(this.store, index));
    catchUp(this.store, this.#index);
    return this.#index;
  }

  /** Paths of the workspace that are Retake's own. */
  get ownPaths(): ReadonlySet<RelativePath> {
    const data = realPath(dataDirectory());
    const root = this.root === '/' ? '' : this.root;
    return new Set(data.startsWith(`${root}/`) ? [data.slice(root.length + 1) as RelativePath] : []);
  }

  /** Runs `work` as the only writer, with everything that a killed process left undone completed first. */
  async write<T>(work: () => T | Promise<T>): Promise<T> {
    refuseUnsuitable(this.root, this.settings);
    this.#makeDataDirectory();
    const { onWait } = this.#options;
    return this.#lock.hold(() => this.#alone(work), onWait === undefined ? {} : { onWait });
  }

  async #alone<T>(work: () => T | Promise<T>): Promise<T> {
    const isNew = !this.isProtected;
    if (isNew) await this.#create();
    await this.#heal();
    try {
      return await work();
    } catch (error) {
      // A directory that could not be recorded even once is not a workspace: nothing of it stays.
      if (isNew && this.store.log.newest === undefined) this.#discard();
      throw error;
    }
  }

  /** Adds to the log. The index follows; if it can't, it catches up later. Needs the lock. */
  record<O extends Operation>(append: (store: Store) => Recorded<O>): Recorded<O> {
    const { index } = this;
    const recorded = append(this.store);
    try {
      index.add([recorded], { last: recorded.id, sequence: recorded.sequence });
    } catch {
      // The log holds the operation, which is what counts; the next question to the index finds it behind.
      this.#closeIndex();
    }
    return recorded;
  }

  /** Makes the index anew from the log. */
  async rebuildIndex(): Promise<number> {
    return this.write(() => {
      this.#closeIndex();
      OperationIndex.discard(this.indexPath);
      return this.index.list().length;
    });
  }

  close(): void {
    this.#closeIndex();
    this.#store?.objects.close();
    this.#lock.close();
  }

  #closeIndex(): void {
    this.#index?.close();
    this.#index = undefined;
  }

  #makeDataDirectory(): void {
    if (exists(this.data)) return;
    try {
      effects.makeDirectories(this.data);
    } catch (error) {
      throw describeWriteFailure(error, this.data);
    }
  }

  #discard(): void {
    this.#closeIndex();
    this.#store?.objects.close();
    this.#store = undefined;
    effects.removeTree(this.storePath);
    OperationIndex.discard(this.indexPath);
  }

  async #create(): Promise<void> {
    const { durability } = this.settings;
    replaceFile(join(this.data, 'workspace.json'), Buffer.from(`${JSON.stringify({ root: toText(this.root) })}\n`), { durability });
    Store.create(this.storePath, await gitVersion(), durability);
  }

  async #heal(): Promise<void> {
    this.store.log.heal();
    const healed = exists(this.journalPath) ? await healRollback(this) : undefined;
    if (healed !== undefined) this.#options.onHealed?.(healed);
  }

  /** A journal whose writer still holds the lock is not abandoned. */
  async #healIfAbandoned(): Promise<void> {
    if (!this.#lock.tryAcquire()) return;
    try {
      await this.#heal();
    } finally {
      this.#lock.release();
    }
  }
}

const catchUp = (store: Store, index: OperationIndex): void => {
  const { progress } = index;
  if (progress !== undefined && progress.last === store.log.lastId) return;
  const { newest } = store.log;
  if (newest === undefined || progress?.last === newest.id) return;
  const isAhead = progress !== undefined && progress.sequence >= newest.sequence;
  // An index that knows more than the log belongs to another log.
  if (isAhead) index.clear();
  const { operations } = store.log.since(isAhead ? 0 : (progress?.sequence ?? 0));
  // The newest is in the log from the instant that `last` names it, a moment before its own ref is there.
  const last = operations.at(-1)?.id === newest.id ? undefined : store.log.readIfIntact(newest.id);
  if (last !== undefined) operations.push(last);
  index.add(operations, { last: newest.id, sequence: newest.sequence });
};
