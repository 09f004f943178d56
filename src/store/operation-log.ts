import {
  type BlobId,
  type ByteString,
  type GitDetails,
  type ObjectId,
  type Operation,
  type OperationId,
  type OutsideFile,
  type PlanStep,
  type Recorded,
  RetakeError,
  type SessionId,
  type TreeId,
  type WorkspaceState,
} from '../model/index.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { decodeManifest, encodeManifest, type Manifest } from './manifest.ts';
import { type CommitFields, type ObjectBatch, type ObjectStore, objectId, type TreeEntry } from './objects/index.ts';
import type { Refs } from './refs.ts';

export const OPERATIONS = 'refs/retake/ops/';
/** The newest operation. Moving it is the one instant at which an operation comes to exist. */
export const LAST = 'refs/heads/last';

type Unrecorded<O> = O extends Operation ? Omit<O, 'sequence'> : never;

export interface Content {
  readonly state: WorkspaceState;
  readonly manifest: Manifest;
  /** What a rollback did, step by step: undoing it is the exact inverse. */
  readonly plan?: readonly PlanStep[];
  readonly outside?: readonly OutsideFile[];
  /** Where its entries are kept, the user's index is part of it. */
  readonly git?: GitDetails | null;
  /** The user's reflogs, one blob each. */
  readonly reflog?: TreeId | undefined;
}

/**
 * The log: one commit and one ref per operation, nothing ever overwritten. Appending writes the objects, moves `last`
 * (from then on the operation exists), and makes the operation's own ref; a process killed between the two leaves the
 * second step to whoever comes next. Callers hold the store's lock for everything but reading.
 */
export class OperationLog {
  readonly #objects: ObjectStore;
  readonly #refs: Refs;
  readonly #ledger: Ledger;
  /** The newest operation when we last looked, whether or not something was left to heal about it. */
  #seen: { readonly id: OperationId; readonly sequence: number; readonly isWhole: boolean } | undefined;
  /** The highest number that anybody knows to be taken, whether or not a ref tells of it. */
  #floor = 0;
  #isOurTurn = false;
  #mayDefer = false;
  #last: OperationId | undefined;

  constructor(objects: ObjectStore, refs: Refs, ledger: Ledger) {
    this.#objects = objects;
    this.#refs = refs;
    this.#ledger = ledger;
  }

  /** Between these two nobody else adds to the log: the caller holds the lock. */
  beginTurn(): void {
    this.catchUp();
    this.#last = this.#readLast();
    this.#isOurTurn = true;
  }
  endTurn(): void {
    this.#isOurTurn = false;
  }

  /** The newest operation's id, as `last` has it: the cheap way to see whether anything was added. */
  get lastId(): OperationId | undefined {
    return this.#isOurTurn ? this.#last : this.#readLast();
  }

  #readLast(): OperationId | undefined {
    return this.#refs.read(LAST) as OperationId | undefined;
  }

  /** The newest operation's id and number; where `last` is lost or its operation damaged, as far as the refs tell. */
  get newest(): { id: OperationId; sequence: number } | undefined {
    const id = this.lastId;
    if (id !== undefined && id === this.#seen?.id) return this.#seen;
    const sequence = id && this.readIfIntact(id)?.sequence;
    if (id !== undefined && sequence !== undefined) {
      this.#seen = { id, sequence, isWhole: false };
      return this.#seen;
    }
    let highest: { id: OperationId; sequence: number } | undefined;
    for (const [ref, held] of this.#refs.list(OPERATIONS)) {
      if (sequenceIn(ref) > (highest?.sequence ?? 0)) highest = { id: held as OperationId, sequence: sequenceIn(ref) };
    }
    return highest;
  }

  /** The highest number that is taken. What is recorded next goes on above it. */
  get highest(): number {
    return Math.max(this.#floor, this.newest?.sequence ?? 0);
  }

  /**
   * Numbers up to this one are taken, although refs may not tell: an operation whose ref is lost shows as a gap then, which stays until a
   * repair. Were its number given away again, nobody would miss it.
   */
  goOnAbove(sequence: number): void {
    this.#floor = Math.max(this.#floor, sequence);
  }

  /** With `later` the operation is written down at once and put in its place by `catchUp`. */
  append<O extends Operation>(
    batch: ObjectBatch,
    unrecorded: Unrecorded<O>,
    content: Content | null,
    { deferred = false }: { deferred?: boolean } = {},
  ): Recorded<O> {
    const operation = { sequence: this.highest + 1, ...unrecorded } as unknown as O;
    const id = this.write(batch, operation, batch.tree(content === null ? [] : rootEntries(batch, content)));
    const refs = [LAST, refOf(operation)].map((name) => [name, id] as const);
    const objects = deferred ? batch.handOver() : undefined;
    if (objects === undefined || !this.#ledger.append({ objects, refs })) {
      this.#objects.place(objects ?? []);
      batch.flush();
      this.#point(refs);
    }
    this.#last = id;
    this.#seen = { id, sequence: operation.sequence, isWhole: true };
    return { ...operation, id, state: content?.state ?? null };
  }

  /** Writes an operation down, without adding it to the log: it is known by its id alone. */
  write(batch: ObjectBatch, operation: Operation, tree: TreeId): OperationId {
    return batch.commit(commitOf(operation, tree)) as OperationId;
  }

  /** The tree that an operation was written with. */
  treeOf(id: OperationId): TreeId {
    return this.#objects.readCommit(id).tree;
  }

  /**
   * Adds operations that were written before, oldest first, with numbers that follow the newest: all at one instant. Their refs go into the
   * ledger together, so that whoever comes after a process that was killed finds all of them or none.
   */
  appendAll(batch: ObjectBatch, written: readonly { readonly id: OperationId; readonly operation: Operation }[]): void {
    const newest = written.at(-1);
    if (newest === undefined) return;
    batch.flush();
    this.allowDeferred();
    const refs = [...written.map(({ id, operation }) => [refOf(operation), id] as const), [LAST, newest.id] as const];
    if (this.#ledger.append({ objects: [], refs })) this.catchUp();
    else this.#point(refs);
    this.#last = newest.id;
    this.#seen = { id: newest.id, sequence: newest.operation.sequence, isWhole: true };
  }

  /** Puts operations in their places that were only written down. Told twice, it does the same again. */
  catchUp(): void {
    if (this.#ledger.isEmpty) return;
    for (const { objects, refs } of this.#ledger.read()) {
      this.#objects.place(objects);
      if (!this.#isOutdated(refs)) this.#point(refs);
    }
    this.#ledger.clear();
  }

  /** Written down before operations that are in their places: moving `last` back to it would take those away. */
  #isOutdated(refs: LedgerEntry['refs']): boolean {
    const [name, id] = refs.findLast(([one]) => one !== LAST) ?? [];
    // What we wrote down last ourselves is the newest there is.
    return name !== undefined && id !== this.#seen?.id && (this.newest?.sequence ?? 0) > sequenceIn(name);
  }

  /** Whether there is something for `catchUp`. Until then other readers don't know of it. */
  get isBehind(): boolean {
    return !this.#ledger.isEmpty;
  }

  /** The refs of operations that `catchUp` is to put in their places. */
  get waiting(): ReadonlyMap<string, OperationId> {
    const entries = this.#ledger.isEmpty ? [] : this.#ledger.read().flatMap(({ refs }) => refs);
    return new Map(entries.filter(([name]) => name !== LAST) as [string, OperationId][]);
  }

  /** Whether what was written down last is not whole. */
  get isLedgerTorn(): boolean {
    return this.#ledger.isTorn;
  }

  /** Whether something that is no file stands where that is written. */
  get isLedgerNoFile(): boolean {
    return this.#ledger.isNoFile;
  }

  /** From now on operations can be written down first. Needs the lock, and nothing left to catch up with. */
  allowDeferred(): void {
    if (!this.#mayDefer) this.#ledger.clear();
    this.#mayDefer = true;
  }

  #point(refs: LedgerEntry['refs']): void {
    for (const [name, id] of refs) {
      if (name === LAST) this.#refs.move(name, id);
      else this.#refs.write(name, id);
    }
  }

  /** Completes the newest operation if its writer was killed before its ref was made, or its deletion carried out. */
  heal(): void {
    const { newest } = this;
    if (newest === undefined || (newest === this.#seen && this.#seen.isWhole)) return;
    if (this.lastId !== newest.id) {
      // Where a newer one is lost, `last` would hide that.
      if (this.#floor > newest.sequence) return;
      this.#refs.write(LAST, newest.id);
    }
    this.#last = newest.id;
    const last = this.readIfIntact(newest.id);
    if (last === undefined) return;
    if (this.#refs.read(refOf(last)) === undefined) this.#refs.write(refOf(last), last.id);
    this.forget(forgottenBy(last));
    this.#seen = { ...newest, isWhole: true };
  }

  /** Removes the refs of operations that a `delete` or a `prune` names. */
  forget(ids: readonly OperationId[]): void {
    if (ids.length === 0) return;
    const wanted = new Set<string>(ids);
    const held = this.#refs.list(OPERATIONS);
    this.#refs.remove([...held].flatMap(([name, id]) => (wanted.has(id) ? [name] : [])));
  }

  /** Puts the refs of all operations into one file. */
  packRefs(): void {
    this.#refs.pack(OPERATIONS);
  }

  read(id: OperationId): Recorded {
    const { tree, message } = this.#objects.readCommit(id);
    const operation = parseOperation(id, message.toString('utf8'));
    return { ...operation, id, state: this.#stateIn(tree) };
  }

  readIfIntact(id: OperationId): Recorded | undefined {
    try {
      return this.read(id);
    } catch (error) {
      if (error instanceof RetakeError && error.code === 'store-damaged') return undefined;
      throw error;
    }
  }

  /** The operations after a sequence number, oldest first; damaged ones are told apart, not hidden. */
  since(sequence: number, onProgress?: (operations: number) => void): { operations: Recorded[]; damaged: OperationId[] } {
    const operations: Recorded[] = [];
    const damaged: OperationId[] = [];
    for (const id of this.#refs.list(OPERATIONS, (ref) => sequenceIn(ref) > sequence).values()) {
      const operation = this.readIfIntact(id as OperationId);
      if (operation === undefined) damaged.push(id as OperationId);
      else operations.push(operation);
      onProgress?.(operations.length);
    }
    return { operations: operations.sort((a, b) => a.sequence - b.sequence), damaged };
  }

  manifest(id: OperationId): Manifest {
    return decodeManifest(this.#part(id, 'manifest'));
  }

  plan(id: OperationId): readonly PlanStep[] {
    return JSON.parse(this.#part(id, 'plan').toString());
  }

  /** The reflogs that were copied with an operation, if any were. */
  reflog(id: OperationId): TreeId | undefined {
    const entries = this.#objects.readTree(this.#objects.readCommit(id).tree);
    return entries.find(({ name }) => name === 'reflog')?.id as TreeId | undefined;
  }

  #part(id: OperationId, wanted: string): Buffer {
    const entry = this.#objects.readTree(this.#objects.readCommit(id).tree).find(({ name }) => name === wanted);
    if (entry === undefined) throw damagedOperation(id, `it has no ${wanted}`);
    return this.#objects.readBlob(entry.id as BlobId);
  }

  #stateIn(root: TreeId): WorkspaceState | null {
    const entries = this.#objects.readTree(root);
    const find = (wanted: string) => (entries.find(({ name }) => name === wanted)?.id as TreeId | undefined) ?? null;
    const files = find('files');
    return files === null ? null : { files, meta: find('meta') };
  }
}

/** What an operation takes out of the log. */
export const forgottenBy = (operation: Operation): readonly OperationId[] => {
  if (operation.kind === 'prune') return operation.targets;
  return operation.kind === 'delete' ? [operation.target] : [];
};

/** How many operations of this log are gone of which this one tells: it, or those that went with it. */
export const countForgotten = (operation: Operation): number =>
  operation.imported === undefined ? forgottenBy(operation).length + (operation.kind === 'prune' ? operation.toldOf : 0) : 0;

const entry = (mode: number, name: string, id: ObjectId): TreeEntry => ({ mode, name: name as ByteString, id });

const rootEntries = (batch: ObjectBatch, { state, manifest, plan, git, outside = [], reflog }: Content): TreeEntry[] => {
  const staging = git?.staging;
  const outsideEntries = outside.flatMap(({ path, content }) =>
    content === null ? [] : [entry(0o100644, encodeURIComponent(path), content.blob)],
  );
  return [
    entry(0o40000, 'files', state.files),
    ...(state.meta === null ? [] : [entry(0o40000, 'meta', state.meta)]),
    entry(0o100644, 'manifest', batch.blob(encodeManifest(manifest))),
    ...(plan === undefined ? [] : [entry(0o100644, 'plan', batch.blob(Buffer.from(`${JSON.stringify(plan)}\n`)))]),
    ...(staging != null && 'entries' in staging ? [entry(0o40000, 'staging', staging.entries)] : []),
    ...(outsideEntries.length === 0 ? [] : [entry(0o40000, 'outside', batch.tree(outsideEntries))]),
    ...(reflog === undefined ? [] : [entry(0o40000, 'reflog', reflog)]),
  ];
};

export const refOf = ({ session, sequence }: Pick<Operation, 'session' | 'sequence'>): string =>
  `${OPERATIONS}${encodeSession(session)}/${String(sequence).padStart(10, '0')}`;

export const sequenceIn = (ref: string): number => Number(ref.slice(ref.lastIndexOf('/') + 1));

/** Longer names are cut and told apart by a digest: a file name has 255 bytes at most. */
const LONGEST_NAME = 180;

/** Session ids come from agents: anything that a ref name can't hold is written as %XX. */
const encodeSession = (session: SessionId): string => {
  const encoded = Buffer.from(session)
    .toString('latin1')
    .replace(/[^A-Za-z0-9_-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return encoded.length <= LONGEST_NAME ? encoded : `${encoded.slice(0, LONGEST_NAME - 41)}-${objectId('blob', Buffer.from(session))}`;
};

/** A NUL in a commit is damage to git; the JSON has it all the same. */
const headline = (operation: Operation): string =>
  `${operation.kind}: ${operation.description}`.replaceAll('\0', ' ').replaceAll(/\s+/g, ' ').slice(0, 100);

/** The commit that an operation is kept as. */
export const commitOf = (operation: Operation, tree: TreeId): CommitFields => ({
  tree,
  message: Buffer.from(`${headline(operation)}\n\n${JSON.stringify(operation)}\n`),
  time: new Date(operation.createdAt),
});

const parseOperation = (id: OperationId, message: string): Operation => {
  const lines = message.trimEnd().split('\n');
  try {
    return JSON.parse(lines.at(-1) ?? '') as Operation;
  } catch (cause) {
    throw damagedOperation(id, 'its message can not be read', cause);
  }
};

/** Commits of the user's own, in packs shared with them, may end in a line of JSON too. */
export const isOperation = ({ sequence, session, kind }: Recorded): boolean =>
  Number.isSafeInteger(sequence) && sequence > 0 && typeof session === 'string' && typeof kind === 'string';

const damagedOperation = (id: ObjectId, why: string, cause?: unknown): RetakeError =>
  new RetakeError('store-damaged', `Operation ${id} is damaged: ${why}`, { details: { id, problem: 'corrupt' }, cause });
