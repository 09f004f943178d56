import { hash } from 'node:crypto';
import { type ByteString, compareBytes, join, type OmissionReason, type RelativePath, RetakeError, ROOT, toText } from '../model/index.ts';
import type { ObjectBatch } from '../store/index.ts';
import { Budget } from './budget.ts';
import { buildDirectory, type DirectoryIds } from './build-directory.ts';
import { ancestors, type Dirty, DirtyDirectories } from './dirty.ts';
import { Disk } from './disk.ts';
import { EntryReader, type ReadEntry } from './entry-reader.ts';
import { Findings } from './findings.ts';
import type { IgnoreRules } from './ignore/rules.ts';
import { Listing } from './listing.ts';
import { patternRules } from './pattern-rules.ts';
import type { DirectoryRecord, Entry, FileStat, Fingerprint, PackedRecord } from './record.ts';
import { Repositories } from './repositories.ts';
import type { Captured, CaptureRequest } from './request.ts';
import { Scope } from './scope.ts';
import { Snapshot } from './snapshot.ts';

/** What a directory inherits from those above it. */
interface Context {
  readonly scope: Scope;
  /** A rule above changed: what was ignored may be captured now, and the other way round. */
  readonly rulesChanged: boolean;
  /** What is tracked or named may have changed: the same, for entries that a rule ignores. */
  readonly exceptionsChanged: boolean;
  /** Inside a directory that is ignored, and entered only for what is tracked or named in it. */
  readonly insideIgnored: boolean;
}

/** A file known from the last record that is no longer what was read. */
interface Edited {
  readonly name: ByteString;
  readonly path: RelativePath;
  readonly stat: FileStat;
  readonly kind: ReadEntry['kind'];
  readonly excepted: boolean;
}

const FILE_TYPE = 0o170000;
const OMITTED_TYPES: ReadonlyMap<number, OmissionReason> = new Map([
  [0o010000, 'fifo'],
  [0o140000, 'socket'],
  [0o020000, 'device'],
  [0o060000, 'device'],
]);
const DIRECTORY = 0o040000;
const LINK = 0o120000;
const FILE = 0o100000;

/** Makes the tree of the workspace as it is now, writing only what is new. Changes nothing outside the store (CAP-10). */
export const captureWorkspace = (request: CaptureRequest, batch: ObjectBatch): Captured => new Walk(request, batch).run();

/**
 * Invariants: a directory's record is replaced only together with its tree; a file is not read again while its fingerprint is the
 * recorded one.
 */
class Walk {
  readonly #request: CaptureRequest;
  readonly #batch: ObjectBatch;
  readonly #disk: Disk;
  readonly #reader: EntryReader;
  readonly #dirty: Dirty;
  readonly #include: IgnoreRules;
  readonly #exclude: IgnoreRules;
  readonly #named: ReadonlySet<RelativePath>;
  /** Directories that hold something named. */
  readonly #namedBelow: ReadonlySet<RelativePath>;
  readonly #findings: Findings;
  readonly #repositories: Repositories;
  readonly #budget: Budget;
  readonly #namedChanged: boolean;
  readonly #someRepositoryChanged: boolean;

  constructor(request: CaptureRequest, batch: ObjectBatch) {
    const { previous, gitContext, limits, seed, include, exclude, named } = request;
    this.#request = request;
    this.#batch = batch;
    this.#disk = new Disk(request.root, request.prefetch);
    this.#reader = new EntryReader(batch, limits.maxFileBytes, seed);
    this.#include = patternRules(include, gitContext);
    this.#exclude = patternRules(exclude, gitContext);
    this.#named = new Set(named);
    this.#namedBelow = ancestors(named);
    this.#findings = new Findings(previous);
    this.#dirty = request.dirty instanceof DirtyDirectories ? request.dirty.with(this.#findings.uncertain) : request.dirty;
    this.#repositories = new Repositories(gitContext, previous);
    this.#budget = new Budget(limits, request.onProgress);
    this.#namedChanged = JSON.stringify(previous?.header.named ?? []) !== JSON.stringify(sorted(named));
    this.#someRepositoryChanged = this.#repositories.someChanged();
  }

  run(): Captured {
    const { root, previous, gitContext } = this.#request;
    const settings = settingsWord(this.#request);
    const containing = this.#repositories.meet(ROOT);
    const changes = this.#repositories.changesAt(ROOT, containing);
    const ids = this.#visit(ROOT, undefined, {
      scope: Scope.begin(gitContext, containing),
      rulesChanged: previous?.header.settings !== settings || changes.rules,
      exceptionsChanged: this.#namedChanged || changes.tracked,
      insideIgnored: false,
    });
    if (ids === 'vanished') throw workspaceMissing(root);

    const { records, gone } = this.#findings;
    this.#repositories.keepUnvisited((at) => records.has(at) && !this.#findings.isFresh(at));
    const header = {
      settings,
      named: sorted(this.#request.named),
      repositories: this.#repositories.marks,
      ...this.#findings.header,
    };
    return { snapshot: new Snapshot(header, records), repositories: this.#repositories.all, gone };
  }

  /** The ids of a directory, looking at as little of it as the dirty set and its last record allow. */
  #visit(directory: RelativePath, known: FileStat | undefined, above: Context): DirectoryIds | 'vanished' {
    const record = this.#request.previous?.record(directory);
    const where = this.#dirty.at(directory);
    if (record !== undefined && where === 'no' && this.#isQuiet(above)) return record;
    this.#request.beforeLooking?.(directory);
    const stat = known ?? this.#disk.lstat(directory);
    if (typeof stat === 'string' || (stat.mode & FILE_TYPE) !== DIRECTORY) return 'vanished';
    if (record !== undefined) {
      const context = this.#enterRepository(directory, record.hasGit, above);
      const settled = !record.unsettled && !context.rulesChanged && !(context.exceptionsChanged && record.sensitive);
      const look = where === 'self' ? (this.#dirty.names?.(directory) ?? 'all') : 'none';
      const ids = settled ? this.#revisit(directory, record, stat, context, look) : undefined;
      if (ids !== undefined) return ids;
    }
    return this.#list(directory, stat, record, above);
  }

  /** Nothing but the disk itself could have changed what is captured here. */
  #isQuiet({ rulesChanged, exceptionsChanged }: Context): boolean {
    return !rulesChanged && !exceptionsChanged && !this.#someRepositoryChanged;
  }

  /** Goes by the names of the last record; undefined when something tells that the directory must be listed again. */
  #revisit(
    directory: RelativePath,
    record: PackedRecord,
    stat: Fingerprint,
    context: Context,
    look: 'all' | 'none' | ReadonlySet<ByteString>,
  ): DirectoryIds | undefined {
    if (look === 'all' && !(this.#disk.listingsTrusted && record.sameListing(stat))) return undefined;
    if (typeof look === 'object' && this.#hasNews(directory, record, look)) return undefined;
    const news = look === 'none' ? { edited: [], directories: undefined } : this.#compare(directory, record, look);
    if (news === undefined) return undefined;
    const replaced = new Map<ByteString, Partial<Entry>>();
    for (const { name, path, stat, kind, excepted } of news.edited) {
      const entry = this.#captureFile(path, name, stat, undefined, kind, excepted);
      if (typeof entry === 'string') return undefined;
      replaced.set(name, entry);
    }
    const scope = this.#inside(directory, context.scope);
    const entered = this.#isQuiet(context) ? this.#dirty.entered?.(directory) : undefined;
    for (const at of record.offsets()) {
      if (entered?.size === 0 || !record.isDirectory(at)) continue;
      const name = record.name(at);
      if (entered !== undefined && !entered.has(name)) continue;
      const path = join(directory, name);
      const before = this.#request.previous?.record(path);
      // Below what is ignored, all but submodules is captured as an exception.
      const below = { ...context, scope, insideIgnored: record.isExcepted(at) };
      const ids = this.#visit(path, news.directories?.get(name), below);
      if (ids === 'vanished') return undefined;
      if (before?.tree !== ids.tree || before.meta !== ids.meta) replaced.set(name, { id: ids.tree });
    }
    if (replaced.size === 0) return record;
    const old = record.decode();
    const entries = old.entries.map((entry) => {
      const news = replaced.get(entry.name);
      return news === undefined ? entry : { ...entry, ...news };
    });
    // Where nothing below had a meta, only what was made anew can have one now.
    return this.#store(directory, { ...old, entries }, stat, old.meta === null ? (name) => replaced.has(name) : undefined);
  }

  /** Whether one of these names is there and was not when the record was made. */
  #hasNews(directory: RelativePath, record: PackedRecord, names: ReadonlySet<ByteString>): boolean {
    const known = new Set<ByteString>();
    for (const at of record.offsets()) known.add(record.name(at));
    return [...names].some((name) => name === '.git' || (!known.has(name) && this.#disk.lstat(join(directory, name)) !== 'vanished'));
  }

  /** Holds the entries of a record against the disk: files edited since, and directories for looking further. */
  #compare(
    directory: RelativePath,
    record: PackedRecord,
    names: 'all' | ReadonlySet<ByteString>,
  ): { edited: Edited[]; directories: Map<ByteString, FileStat> } | undefined {
    const edited: Edited[] = [];
    const directories = new Map<ByteString, FileStat>();
    let bytes = 0;
    for (const at of record.offsets()) {
      const name = record.name(at);
      if (names !== 'all' && !names.has(name)) continue;
      const path = join(directory, name);
      const stat = this.#disk.lstat(path);
      if (typeof stat === 'string') return undefined;
      const kind = record.kind(at);
      if (kind === 'directory') {
        if (stat.mode !== record.mode(at)) return undefined;
        directories.set(name, stat);
      } else if (record.matches(at, stat)) bytes += stat.size;
      else if (name === '.gitignore' || (stat.mode & FILE_TYPE) !== (record.mode(at) & FILE_TYPE)) return undefined;
      else edited.push({ name, path, stat, kind, excepted: record.isExcepted(at) });
    }
    this.#budget.spend((names === 'all' ? record.count : names.size) - directories.size - edited.length, bytes);
    return { edited, directories };
  }

  /** Lists a directory and captures its entries; once more when one of them vanished in between. */
  #list(directory: RelativePath, stat: Fingerprint, record: PackedRecord | undefined, above: Context): DirectoryIds | 'vanished' {
    for (let attempt = 1; ; attempt++) {
      const names = this.#disk.names(directory);
      if (names === 'vanished') return 'vanished';
      if (attempt > 1) this.#findings.discardBelow(directory);
      const listing = new Listing(directory, names, attempt > 1);
      if (!this.#captureEntries(listing, record, above)) continue;
      this.#findings.forgetBelow(directory, listing.entries);
      this.#findings.omit(directory, listing.omissions);
      const racy = this.#reader.isRacy(stat);
      return this.#store(
        directory,
        {
          mtimeMs: racy ? Number.NaN : stat.mtimeMs,
          ctimeMs: racy ? Number.NaN : stat.ctimeMs,
          ino: stat.ino,
          hasGit: listing.hasGit,
          sensitive: listing.sensitive,
          unsettled: listing.omissions.length > 0 || this.#findings.hiddenRules(directory) !== undefined,
          entries: listing.entries,
        },
        stat,
      );
    }
  }

  /** False when an entry vanished and the listing should be made again. */
  #captureEntries(listing: Listing, record: PackedRecord | undefined, above: Context): boolean {
    const { directory } = listing;
    const known = new Map(record?.decode().entries.map((entry) => [entry.name, entry]));
    const entered = this.#enterRepository(directory, listing.hasGit, above);
    const scope = listing.hasRules ? this.#inside(directory, entered.scope) : entered.scope;
    const context = { ...entered, scope, rulesChanged: entered.rulesChanged || this.#ownRulesChanged(listing, known) };
    this.#findings.hideRules(directory, null);
    for (const name of listing.names) {
      const path = join(directory, name);
      if (this.#request.leaveOut.has(path)) continue;
      const stat = this.#disk.lstat(path);
      const entry = typeof stat === 'string' ? stat : this.#captureEntry(listing, path, name, stat, known.get(name), context);
      if (entry === 'left-out') continue;
      if (typeof entry !== 'string') listing.entries.push(entry);
      else if (entry !== 'vanished') listing.omissions.push({ path, reason: entry });
      else if (!listing.again) return false;
      else if (typeof stat !== 'string') listing.omissions.push({ path, reason: 'vanished' });
    }
    return true;
  }

  #captureEntry(
    listing: Listing,
    path: RelativePath,
    name: ByteString,
    stat: FileStat,
    known: Entry | undefined,
    context: Context,
  ): Entry | OmissionReason | 'left-out' {
    const type = stat.mode & FILE_TYPE;
    if (name === '.git') return this.#captureGit(path, name, stat, known);
    const isDirectory = type === DIRECTORY;
    // What the user does not want recorded is not, whoever tracks, includes or names it.
    const excluded = this.#exclude.ignores(path, isDirectory);
    const ruledOut = !excluded && (context.insideIgnored || context.scope.ignores(path, isDirectory));
    if (ruledOut) listing.sensitive = true;
    // A submodule is tracked, and what is in it is a matter of its own rules.
    const ignored = ruledOut && !(isDirectory && context.scope.tracksSubmodule(path));
    if (excluded || (ignored && !this.#isExcepted(path, isDirectory, context))) {
      if (name === '.gitignore') this.#findings.hideRules(listing.directory, this.#disk.rulesIn(listing.directory));
      return 'left-out';
    }
    if (isDirectory) return this.#captureDirectory(path, name, stat, { ...context, insideIgnored: ignored });
    const omitted = OMITTED_TYPES.get(type);
    return omitted ?? this.#captureFile(path, name, stat, known, type === LINK ? 'link' : 'file', ignored);
  }

  #captureDirectory(path: RelativePath, name: ByteString, stat: FileStat, context: Context): Entry | 'vanished' | 'left-out' {
    const ids = this.#visit(path, stat, context);
    if (ids === 'vanished') return 'vanished';
    const print = { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, mode: stat.mode };
    const entry: Entry = { name, kind: 'directory', id: ids.tree, excepted: context.insideIgnored, linked: false, print };
    if (!context.insideIgnored || this.#named.has(path) || this.#findings.record(path)?.count !== 0) return entry;
    // Entered for something tracked or named that is not there: ignored like any other ignored directory.
    this.#findings.leaveOut(path);
    return 'left-out';
  }

  #captureFile(
    path: RelativePath,
    name: ByteString,
    stat: FileStat,
    known: Entry | undefined,
    kind: ReadEntry['kind'],
    excepted: boolean,
  ): Entry | OmissionReason {
    if (kind !== 'link' && stat.size > this.#request.limits.maxFileBytes) return 'too-large';
    this.#budget.spend(1, stat.size);
    if (known?.kind === kind && sameFingerprint(known, stat)) return { ...known, excepted };
    const read = this.#reader.read(path, this.#disk.absolute(path), stat, kind);
    return typeof read === 'string' ? read : { name, excepted, ...read };
  }

  /** A `.git` that leads to a repository elsewhere is remembered; one that is a repository is not ours to copy. */
  #captureGit(path: RelativePath, name: ByteString, stat: FileStat, known: Entry | undefined): Entry | OmissionReason | 'left-out' {
    const type = stat.mode & FILE_TYPE;
    if (type === FILE) return this.#captureFile(path, name, stat, known, 'pointer', false);
    return type === LINK ? this.#captureFile(path, name, stat, known, 'pointer-link', false) : 'left-out';
  }

  #isExcepted(path: RelativePath, isDirectory: boolean, context: Context): boolean {
    if (isDirectory) return context.scope.tracksUnder(path) || this.#namedBelow.has(path) || this.#named.has(path);
    if (context.scope.tracks(path) || this.#named.has(path)) return true;
    return !context.insideIgnored && this.#include.ignores(path, false);
  }

  /** Makes the tree and meta of a directory, and remembers them. */
  #store(
    directory: RelativePath,
    record: Omit<DirectoryRecord, 'tree' | 'meta'>,
    stat: Fingerprint,
    mayHaveMeta: (name: ByteString) => boolean = () => true,
  ): DirectoryIds {
    const metaBelow = (name: ByteString) => (mayHaveMeta(name) ? (this.#findings.record(join(directory, name))?.meta ?? null) : null);
    const ids = buildDirectory(this.#batch, directory, stat.mode, record.entries, metaBelow);
    this.#findings.store(directory, { ...record, ...ids });
    return ids;
  }

  #enterRepository(directory: RelativePath, hasGit: boolean, above: Context): Context {
    if (directory === ROOT) return above;
    const view = hasGit && !above.insideIgnored ? this.#repositories.meet(directory) : null;
    if (view === null) return this.#repositories.knew(directory) ? { ...above, rulesChanged: true } : above;
    const changes = this.#repositories.changesAt(directory, view);
    return {
      scope: Scope.begin(this.#request.gitContext, view),
      rulesChanged: above.rulesChanged || changes.rules,
      exceptionsChanged: this.#namedChanged || changes.tracked,
      insideIgnored: false,
    };
  }

  #inside(directory: RelativePath, scope: Scope): Scope {
    return scope.with(directory, () => this.#disk.rulesIn(directory));
  }

  #ownRulesChanged(listing: Listing, known: ReadonlyMap<ByteString, Entry>): boolean {
    const path = join(listing.directory, '.gitignore');
    const hidden = this.#findings.hiddenRules(listing.directory);
    const before = known.get('.gitignore' as ByteString);
    if (!listing.hasRules) return hidden !== undefined || before !== undefined;
    if (hidden !== undefined) return hidden !== this.#disk.rulesIn(listing.directory);
    const stat = this.#disk.lstat(path);
    return before === undefined || typeof stat === 'string' || !sameFingerprint(before, stat);
  }
}

const sameFingerprint = ({ print }: Entry, stat: Fingerprint): boolean =>
  print.mtimeMs === stat.mtimeMs &&
  print.ctimeMs === stat.ctimeMs &&
  print.size === stat.size &&
  print.ino === stat.ino &&
  print.mode === stat.mode;

const sorted = (paths: readonly RelativePath[]): RelativePath[] => [...paths].sort(compareBytes);

const settingsWord = ({ gitContext: { ignoreCase, globalRules }, include, exclude, limits, leaveOut }: CaptureRequest): string =>
  hash('sha1', JSON.stringify([RULES, ignoreCase, globalRules, include, exclude, limits.maxFileBytes, [...leaveOut]]));

/** Counted up when other files are captured than before: what an earlier version left out is looked at again. */
const RULES = 2;

export const workspaceMissing = (root: ByteString): RetakeError =>
  new RetakeError('workspace-missing', `The workspace ${toText(root)} is no longer a directory`, {
    hint: 'Its checkpoints are still in the store: create the directory again, run retake adopt in it, and go back to one.',
  });
