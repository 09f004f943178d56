import { type Dirty, EVERYTHING, Journal, type LoadedSnapshot, type Snapshot, scan, scanAside } from '../../capture/index.ts';
import { now } from '../../host/index.ts';
import type { OperationId, RelativePath } from '../../model/index.ts';
import type { EarlierGitContext, UserGit } from './git-context.ts';
import { FileMemory, type Memory, type Recollection } from './memory.ts';
import { capturePresent, type Present } from './present.ts';
import type { Workspace } from './workspace.ts';

/** What a full look at the workspace found. */
export interface Audit {
  readonly at: string;
  /** Directories that had changed without the journal hearing of it. They are looked at again by the next capture. */
  readonly missed: readonly RelativePath[];
}

/** Beyond this many changed directories nothing is looked at before it is asked for: more is likely to change at once. */
const MOST_AHEAD = 16;

export interface WarmOptions {
  /** A directory for this process alone. */
  readonly cookies: string;
  /** Called, often, when something changed. */
  readonly onNews?: () => void;
}

/**
 * The journal tier: the snapshot stays in memory, and a journal tells what changed since. Where the journal can't be relied
 * on, everything is looked at, as in the scan tier.
 *
 * Invariants: `#known` and the journal belong together: what is not in the journal is on disk as `#known` has it. What the journal
 * heard up to the mark of `#ahead` is in `#ahead`, whose objects are in the store or in its batch.
 */
export class WarmMemory implements Memory {
  readonly #workspace: Workspace;
  readonly #files: FileMemory;
  readonly #options: WarmOptions;
  #journal: Journal | undefined;
  #problem: string | undefined;
  #known: LoadedSnapshot | undefined;
  /** A capture that nobody asked for yet. */
  #ahead: Present | undefined;
  #userGit: UserGit | undefined;
  /** Every directory of the snapshot is watched. */
  #isArmed = false;
  #unsaved: Present | undefined;
  #lastAudit: Audit | undefined;

  constructor(workspace: Workspace, options: WarmOptions) {
    this.#workspace = workspace;
    this.#files = new FileMemory(workspace);
    this.#options = options;
  }

  /** How the next capture finds out what changed. */
  get tier(): 'journal' | 'scan' {
    return this.#isArmed && this.#journal?.problem === undefined && !this.#journal?.isLost ? 'journal' : 'scan';
  }
  get watches(): number {
    return this.#journal?.watches ?? 0;
  }
  /** Why there is no journal. */
  get problem(): string | undefined {
    return this.#journal?.problem ?? this.#problem;
  }
  /** The system does not let us watch, and would not if it were asked again now. */
  get isRefused(): boolean {
    return this.#problem !== undefined || (this.#journal?.isRefused ?? false);
  }
  get lastAudit(): Audit | undefined {
    return this.#lastAudit;
  }

  get userGit(): EarlierGitContext | undefined {
    return this.#userGit ?? this.#files.userGit;
  }

  readonly beforeLooking = (directory: RelativePath): void => this.#journal?.watch(directory);

  async recall(): Promise<Recollection> {
    const mark = this.#journal && (await this.#journal.barrier());
    if (this.#journal?.problem !== undefined) this.#isArmed = false;
    const previous = this.#reference();
    const ahead = this.#takeAhead();
    if (ahead !== undefined) return { previous: ahead.snapshot, dirty: ahead.dirty, mark, unrecorded: ahead };
    if (previous === undefined) return { previous, dirty: EVERYTHING, mark, scanned: 'first-record' };
    // Without all of its watches a journal may be silent about what it did not hear.
    if (this.#journal === undefined || !this.#isArmed)
      return { previous, dirty: scan(this.#workspace.root, previous), scanned: 'not-watched' };
    if (this.#journal.isLost) return { previous, dirty: scan(this.#workspace.root, previous), mark, scanned: 'journal-lost' };
    return { previous, dirty: this.#journal.dirty(), mark };
  }

  remember(present: Present, recordedBy: OperationId): void {
    const { snapshot, userGit, mark, gone } = present;
    this.#dropAhead();
    this.#known = { snapshot, recordedBy };
    this.#userGit = userGit;
    this.#unsaved = present;
    if (this.#journal === undefined) return;
    if (mark !== undefined) this.#journal.settle(mark);
    for (const directory of gone) if (!snapshot.records.has(directory)) this.#journal.unwatch(directory);
  }

  confirm(present: Present, recordedBy: OperationId): void {
    this.remember(present, recordedBy);
  }

  /** Whether something small changed that could be looked at before anybody asks. */
  get hasNews(): boolean {
    const changed = this.#journal?.size ?? 0;
    return this.tier === 'journal' && changed > 0 && changed <= MOST_AHEAD;
  }

  /** Captures what changed, so that little is left to do for who asks next. Needs the lock. */
  async lookAhead(): Promise<void> {
    const present = await capturePresent(this.#workspace);
    if (this.tier === 'journal' && present.mark !== undefined && present.batch.isInMemory) this.#ahead = present;
    else present.batch.abandon();
  }

  /**
   * Begins to watch, if that is not so already, and finds out what changed since the snapshot was made. Captures may be made
   * meanwhile. True when the journal can be relied on afterwards. `mayWatch` is asked first whether there is room for so many.
   */
  async arm(mayWatch: (directories: number) => boolean = () => true): Promise<boolean> {
    if (this.#journal?.problem !== undefined) this.disarm();
    const snapshot = this.#reference();
    if (snapshot === undefined || (this.#journal === undefined && !mayWatch(snapshot.records.size))) return false;
    this.#journal ??= this.#begin();
    if (this.#journal === undefined) return false;
    await this.#journal.watchAll(snapshot.records.keys());
    await this.#survey();
    return this.tier === 'journal';
  }

  /** Holds all of the workspace against the snapshot, while other work goes on: what the journal did not hear of shows (CAP-1). */
  async audit(): Promise<Audit | undefined> {
    if (this.tier !== 'journal') return undefined;
    const found = await this.#survey();
    if (found === undefined) return undefined;
    this.#lastAudit = { at: now().toISOString(), missed: found };
    return this.#lastAudit;
  }

  /** Gives back all watches. */
  disarm(): void {
    this.#dropAhead();
    this.#journal?.close();
    this.#journal = undefined;
    this.#problem = undefined;
    this.#isArmed = false;
  }

  /** Leaves what is known for other processes. */
  save(): void {
    if (this.#unsaved !== undefined && this.#known !== undefined) this.#files.remember(this.#unsaved, this.#known.recordedBy);
    this.#unsaved = undefined;
  }

  /** A snapshot is good as long as the operation is there that holds its objects. */
  #reference(): Snapshot | undefined {
    if (this.#known !== undefined && this.#isThere(this.#known.recordedBy)) return this.#known.snapshot;
    // Another snapshot than the one that the journal tells changes against.
    this.#isArmed = false;
    this.#dropAhead();
    this.#known = this.#files.load();
    return this.#known?.snapshot;
  }

  /** What was captured ahead, if it still holds, and what changed since. It is handed out once. */
  #takeAhead(): (Present & { dirty: Dirty }) | undefined {
    const ahead = this.#ahead;
    if (ahead === undefined || this.tier !== 'journal' || !this.#workspace.store.objects.isStillGood(ahead.batch)) {
      this.#dropAhead();
      return undefined;
    }
    this.#ahead = undefined;
    return this.#journal && { ...ahead, dirty: this.#journal.dirty(ahead.mark) };
  }

  #dropAhead(): void {
    this.#ahead?.batch.abandon();
    this.#ahead = undefined;
  }

  #isThere(operation: OperationId): boolean {
    return this.#workspace.store.log.lastId === operation || this.#workspace.index.get(operation) !== undefined;
  }

  #begin(): Journal | undefined {
    try {
      return new Journal(this.#workspace.root, this.#options.cookies, this.#options.onNews);
    } catch (error) {
      this.#problem = `watching failed: ${error instanceof Error ? error.message : String(error)}`;
      return undefined;
    }
  }

  /** The directories that differ from the snapshot although the journal knew nothing; undefined when that can't be told. */
  async #survey(): Promise<RelativePath[] | undefined> {
    const journal = this.#journal;
    const known = this.#known;
    if (journal === undefined || known === undefined) return undefined;
    for (const directory of known.snapshot.records.keys()) journal.watch(directory);
    if (journal.problem !== undefined) return undefined;
    const wasReliable = this.tier === 'journal';
    this.#isArmed = true;
    const mark = await journal.barrier();
    const differing = await scanAside(this.#workspace.root, known.snapshot);
    await journal.barrier();
    if (this.#journal !== journal || journal.problem !== undefined || this.#known !== known) return undefined;
    const dirty = journal.dirty();
    const missed = [...differing].filter((directory) => dirty.at(directory) !== 'self' && !known.snapshot.record(directory)?.isRacy());
    journal.settle(mark);
    journal.suspect(differing);
    return wasReliable ? missed : [];
  }
}
