import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataDirectory, describeWriteFailure, effects, exists, gitVersion, Lock, readIfExists, replaceFile } from '../../host/index.ts';
import { OperationIndex } from '../../index/index.ts';
import { type ByteString, type Operation, type Recorded, type RelativePath, RetakeError, toFs } from '../../model/index.ts';
import { highestWritten, Store } from '../../store/index.ts';
import { healKeep } from '../keep/heal-keep.ts';
import { hasReflogLocks, releaseReflogLocks } from '../reflog/reflog-lock.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { limitsBy } from '../timing/kinds.ts';
import { Timings } from '../timing/timings.ts';
import { findLogLoss } from '../upkeep/log-loss.ts';
import { belongTo, encodeIdentity, identityFile, readIdentity, storedIdentityOf } from './directory-identity.ts';
import { type Healed, healRollback } from './heal.ts';
import { locate, type Place, realPath, refuseUnsuitable, STORE } from './locate.ts';
import { FileMemory, type Memory } from './memory.ts';

export interface OpenOptions {
  /** Any directory inside the workspace. */
  readonly directory: string;
  /** Those in force here, where they are known already. */
  readonly settings?: Settings;
  /** Nothing is completed or migrated, neither now nor before a write: for looking at a store that may be damaged, and for mending it. */
  readonly asIs?: boolean;
  /** What was cut short is completed with the first write only: for who may only look. */
  readonly isLookingOnly?: boolean;
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
  /** How long things take here. */
  readonly timings: Timings;
  /** What is known from one capture to the next; a process that stays may put a better one here. */
  memory: Memory = new FileMemory(this);
  /** Whether work that nobody waits for may be left to `settle`, which is then to be called soon. */
  defersWork = false;
  readonly #options: Omit<OpenOptions, 'directory'>;
  readonly #lock: Lock;
  #store: Store | undefined;
  /** Which directory the open store is. */
  #identity: string | undefined;
  #index: OperationIndex | undefined;
  /** Nobody else can add to the log now. */
  #isAlone = false;
  /** The index has read all of the log but `#unindexed`, and will have as long as we are alone. */
  #isIndexCurrent = false;
  /** Recorded by us, in order, and not in the index yet. */
  #unindexed: Recorded[] = [];
  #ownPaths: ReadonlySet<RelativePath> | undefined;
  #isSuitable = false;
  #isNamed = false;
  /** Which directory was found at its place, if it was the right one. */
  #foundAt: string | undefined;

  private constructor(place: Place, settings: Settings, options: Omit<OpenOptions, 'directory'>) {
    this.root = place.root;
    this.data = place.data;
    this.settings = settings;
    this.#options = options;
    this.#lock = new Lock(this.lockPath);
    this.timings = new Timings(place.data, limitsBy(settings));
  }

  /** Opens the workspace that a directory belongs to. Nothing is made on disk before the first write. */
  static async open(options: OpenOptions): Promise<Workspace> {
    return Workspace.openAt(locate(options.directory), options);
  }

  /** The same for one whose place is known; it may be gone itself, with only what was recorded of it left. */
  static async openAt(place: Place, options: Omit<OpenOptions, 'directory'>): Promise<Workspace> {
    const workspace = new Workspace(place, options.settings ?? loadSettings(place.data), options);
    if (options.asIs) return workspace;
    if (workspace.isProtected && workspace.isCutShort && !options.isLookingOnly) await workspace.#healIfAbandoned();
    if (workspace.isProtected && workspace.store.log.isBehind) await workspace.#catchUp();
    return workspace;
  }

  /** There is a store: something was recorded here before. */
  get isProtected(): boolean {
    return this.#store !== undefined || exists(this.storePath);
  }

  get storePath(): string {
    return join(this.data, STORE);
  }
  get lockPath(): string {
    return join(this.data, 'lock');
  }
  get indexPath(): string {
    return join(this.data, 'index.db');
  }
  get snapshotPath(): string {
    return join(this.data, 'snapshot');
  }
  /** git's last answer about its configuration. */
  get gitConfigPath(): string {
    return join(this.data, 'git-config.json');
  }
  get journalPath(): string {
    return join(this.data, 'journal.json');
  }

  /** What is said of commits while they are being made. */
  get keepJournalPath(): string {
    return join(this.data, 'keep.json');
  }

  /** Something was cut short, and whoever takes the lock next completes it. */
  get isCutShort(): boolean {
    return exists(this.journalPath) || exists(this.keepJournalPath) || hasReflogLocks(this.data);
  }

  /** What is locked is an empty file; one that something was written to by others can not be. */
  get canLock(): boolean {
    return statSync(this.lockPath, { throwIfNoEntry: false })?.size === 0;
  }

  /** Somebody is writing at this moment. */
  get isBusy(): boolean {
    // Where there is no file, trying would make it.
    if (!this.canLock) return false;
    if (!this.#lock.tryAcquire()) return true;
    this.#lock.release();
    return false;
  }

  get store(): Store {
    if (this.#store === undefined) {
      this.#identity = identify(this.storePath);
      this.#store = Store[this.#options.asIs ? 'openAsIs' : 'open'](this.storePath, this.settings.durability);
    }
    return this.#store;
  }

  /** The index, having read all that the log holds. */
  get index(): OperationIndex {
    this.#index ??= this.#openIndex();
    this.#addUnindexed(this.#index);
    if (!this.#isIndexCurrent) catchUp(this.store, this.#index);
    this.#isIndexCurrent = this.#isAlone;
    return this.#index;
  }

  /** Paths of the workspace that are Retake's own. */
  get ownPaths(): ReadonlySet<RelativePath> {
    this.#ownPaths ??= ownPathsIn(this.root);
    return this.#ownPaths;
  }

  /** Runs `work` as the only writer, with everything that a killed process left undone completed first. */
  async write<T>(work: () => T | Promise<T>, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<T> {
    if (!this.#isSuitable) refuseUnsuitable(this.root, this.settings);
    this.#isSuitable = true;
    if (this.#store === undefined || identify(this.storePath) !== this.#identity) this.#beginAnew();
    const { onWait } = this.#options;
    const inTurn = this.#options.asIs ? async () => work() : () => this.#prepared(work);
    const begin = (): Promise<T> => {
      this.timings.lap('waiting');
      return this.#alone(inTurn);
    };
    this.timings.lap('preparing');
    return this.#lock.hold(begin, { onWait, signal });
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#isAlone = true;
    try {
      return await work();
    } finally {
      this.#isAlone = false;
      this.#isIndexCurrent = false;
    }
  }

  async #prepared<T>(work: () => T | Promise<T>): Promise<T> {
    const isNew = !this.isProtected;
    if (isNew) await this.#create();
    else if (!this.#isNamed && this.isAtItsPlace) this.nameRoot();
    if (this.store.isOlder) this.store.migrate(await gitVersion());
    const { log } = this.store;
    log.beginTurn();
    if (this.defersWork) log.allowDeferred();
    try {
      await this.#heal();
      this.timings.lap('preparing');
      return await work();
    } catch (error) {
      // A directory that could not be recorded even once is not a workspace: nothing of it stays.
      if (isNew && log.newest === undefined) this.#discard();
      throw error;
    } finally {
      log.endTurn();
    }
  }

  /** Adds to the log. The index follows when somebody asks it, or when there is time (`close`). Needs the lock. */
  record<O extends Operation>(append: (store: Store) => Recorded<O>): Recorded<O> {
    this.#goOnAboveKnown();
    const recorded = append(this.store);
    this.#unindexed.push(recorded);
    return recorded;
  }

  /** The same for many at once. */
  recordAll(append: (store: Store) => readonly Recorded[]): readonly Recorded[] {
    this.#goOnAboveKnown();
    const recorded = append(this.store);
    this.#unindexed.push(...recorded);
    return recorded;
  }

  /** A number that the index knows is not given away again, even if the log has lost its operation. */
  #goOnAboveKnown(): void {
    if (this.#options.asIs) return;
    this.#index ??= this.#openIndex();
    this.store.log.goOnAbove(this.#index.highest);
  }

  /** Makes the index anew from the log. */
  async rebuildIndex(onProgress?: (operations: number) => void): Promise<number> {
    return this.write(() => {
      if ((findLogLoss(this)?.known.length ?? 0) > 0) throw onlyIndexKnows();
      return this.remakeIndex(onProgress);
    });
  }

  /** The same for who has the lock already. */
  remakeIndex(onProgress?: (operations: number) => void): number {
    this.#closeIndex();
    this.#unindexed = [];
    OperationIndex.discard(this.indexPath);
    this.#index = this.#openIndex();
    catchUp(this.store, this.#index, onProgress);
    return this.index.list().length;
  }

  /** Does what was put off until nobody waits for it. */
  async flush(): Promise<void> {
    // A store that was removed meanwhile does not come back for that.
    if (!this.isProtected || (this.#store !== undefined && identify(this.storePath) !== this.#identity)) return;
    if (this.store.log.isBehind) await this.#catchUp();
    if (this.#unindexed.length > 0) this.index;
  }

  close(): void {
    if (this.#unindexed.length > 0) this.index;
    if (this.isProtected) this.timings.flush();
    this.#closeIndex();
    this.#store?.objects.close();
    this.#lock.close();
  }

  #addUnindexed(index: OperationIndex): void {
    const operations = this.#unindexed;
    const [first, last] = [operations[0], operations.at(-1)];
    if (first === undefined || last === undefined) return;
    this.#unindexed = [];
    try {
      // Others may have recorded something before ours that the index has not heard of.
      if ((index.progress?.sequence ?? 0) === first.sequence - 1) index.add(operations, { last: last.id, sequence: last.sequence });
      else this.#isIndexCurrent = false;
    } catch {
      // The log holds the operations, which is what counts: the index finds that it is behind.
      this.#isIndexCurrent = false;
    }
  }

  #openIndex(): OperationIndex {
    return OperationIndex.open(this.indexPath, (index) => catchUp(this.store, index));
  }

  #closeIndex(): void {
    this.#index?.close();
    this.#index = undefined;
    this.#isIndexCurrent = false;
  }

  /** There is no store, no longer, or another one: whatever a process that stays still knows of it is void. */
  #beginAnew(): void {
    this.#unindexed = [];
    this.#closeIndex();
    this.#store?.objects.close();
    this.#store = undefined;
    this.#lock.close();
    if (exists(this.data)) return;
    try {
      effects.makeDirectories(this.data);
    } catch (error) {
      throw describeWriteFailure(error, this.data);
    }
  }

  #discard(): void {
    this.#unindexed = [];
    this.#closeIndex();
    this.#store?.objects.close();
    this.#store = undefined;
    effects.removeTree(this.storePath);
    OperationIndex.discard(this.indexPath);
  }

  async #create(): Promise<void> {
    this.nameRoot();
    // What it knows is of a store that is gone.
    OperationIndex.discard(this.indexPath);
    Store.create(this.storePath, await gitVersion(), this.settings.durability);
  }

  /** Leaves word of whose data these are. */
  nameRoot({ anew = false } = {}): void {
    const text = encodeIdentity(
      anew ? storedIdentityOf(this.root, this.data, { root: this.root }) : storedIdentityOf(this.root, this.data),
    );
    const path = identityFile(this.data);
    if (!readIfExists(path)?.equals(text)) replaceFile(path, text, { durability: this.settings.durability });
    this.#isNamed = true;
  }

  /** The data are about the directory that is at the workspace's place now, and not about another one that was there before. */
  get isAtItsPlace(): boolean {
    const found = identify(toFs(this.root));
    if (found === undefined || found !== this.#foundAt)
      this.#foundAt = belongTo(readIdentity(this.data), this.data, this.root) ? (found ?? '') : undefined;
    return this.#foundAt !== undefined;
  }

  async #heal(): Promise<void> {
    const { log } = this.store;
    // Nobody knows then how far the log went, but the operations themselves.
    const written = log.lastId === undefined ? highestWritten(this.store) : 0;
    // The very first was not reported when nothing tells of it: its writer was killed.
    if (written > 1 || log.newest !== undefined) log.goOnAbove(written);
    log.heal();
    // What was begun in one directory is not ended in another one.
    const isHere = this.isAtItsPlace;
    if (isHere && hasReflogLocks(this.data)) releaseReflogLocks(this.data);
    const healed = isHere && exists(this.journalPath) ? await healRollback(this) : undefined;
    if (healed !== undefined) this.#options.onHealed?.(healed);
    const kept = isHere && exists(this.keepJournalPath) ? await healKeep(this) : undefined;
    if (kept !== undefined) this.#options.onHealed?.(kept);
  }

  /** Whoever has the lock catches up too, so that waiting for it long is of no use: what is missing is then moments old. */
  async #catchUp(): Promise<void> {
    const { log } = this.store;
    for (let tries = 0; log.isBehind && tries < PATIENCE; tries++) {
      if (this.#lock.tryAcquire()) {
        try {
          log.catchUp();
        } finally {
          this.#lock.release();
        }
      } else await sleep(PAUSE);
    }
  }

  /** A journal whose writer still holds the lock is not abandoned. */
  async #healIfAbandoned(): Promise<void> {
    if (!this.#lock.tryAcquire()) return;
    try {
      await this.#alone(() => this.#heal());
    } finally {
      this.#lock.release();
    }
  }
}

/** Which file or directory it is that is there now. */
export const identify = (path: string | Buffer): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.birthtimeMs}`;
};

const onlyIndexKnows = (): RetakeError =>
  new RetakeError('store-damaged', 'The index knows operations that the log has lost: made anew, it would forget them', {
    hint: 'retake repair finds them again, as far as they are still there, and makes the index anew; nothing was changed.',
  });

const PATIENCE = 200;
const PAUSE = 5;

const ownPathsIn = (workspace: ByteString): ReadonlySet<RelativePath> => {
  const data = realPath(dataDirectory());
  const root = workspace === '/' ? '' : workspace;
  return new Set(data.startsWith(`${root}/`) ? [data.slice(root.length + 1) as RelativePath] : []);
};

const catchUp = (store: Store, index: OperationIndex, onProgress?: (operations: number) => void): void => {
  const { progress } = index;
  if (progress !== undefined && progress.last === store.log.lastId) return;
  const { newest } = store.log;
  if (newest === undefined || progress?.last === newest.id) return;
  // It knows operations that the log has lost: what it says of them stays until a repair.
  if (progress !== undefined && progress.sequence > newest.sequence) return;
  const isOther = progress?.sequence === newest.sequence;
  if (isOther) index.clear();
  const known = isOther ? 0 : (progress?.sequence ?? 0);
  // Mostly one came since, and looking through all refs for others takes long in a large store.
  const operations = newest.sequence === known + 1 ? [] : store.log.since(known, onProgress).operations;
  // The newest is in the log from the instant that `last` names it, a moment before its own ref is there.
  const last = operations.at(-1)?.id === newest.id ? undefined : store.log.readIfIntact(newest.id);
  if (last !== undefined) operations.push(last);
  index.add(operations, { last: newest.id, sequence: newest.sequence });
};
