import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs';
import {
  type BlobId,
  type ByteString,
  compareBytes,
  fromText,
  isWithin,
  join,
  type Omission,
  type OmissionReason,
  type RelativePath,
  RetakeError,
  ROOT,
  systemCode,
  type TreeId,
  toFs,
  toText,
} from '../model/index.ts';
import { describeDirectory, isExecutable, type ObjectBatch, type TreeEntry, writeMeta } from '../store/index.ts';
import { type Dirty, withDirectories } from './dirty.ts';
import { EntryReader, type ReadEntry, type Seed } from './entry-reader.ts';
import { IgnoreRules } from './ignore/rules.ts';
import { readRules } from './read-file.ts';
import { type DirectoryRecord, type Entry, encodeRecord, PackedRecord } from './record.ts';
import { Scope } from './scope.ts';
import { type RepositoryMark, Snapshot } from './snapshot.ts';
import type { RepositoryView, Surroundings } from './surroundings.ts';

export interface CaptureRequest {
  /** The workspace, absolute and without links. */
  readonly root: ByteString;
  readonly previous: Snapshot | undefined;
  readonly dirty: Dirty;
  readonly surroundings: Surroundings;
  /** Patterns of files captured even when ignored, in directories that are not. */
  readonly include: readonly string[];
  /** Paths captured even when ignored. */
  readonly named: readonly RelativePath[];
  /** Directories of our own data, never captured. */
  readonly leaveOut: ReadonlySet<RelativePath>;
  readonly limits: CaptureLimits;
  /** Ids known beforehand for files that were never read by us. */
  readonly seed?: Seed | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

export interface CaptureLimits {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly maxTotalBytes: number;
}

export interface Captured {
  readonly snapshot: Snapshot;
  /** The repositories that the workspace lies in or holds. */
  readonly repositories: readonly RepositoryView[];
}

interface Ids {
  readonly tree: TreeId;
  readonly meta: TreeId | null;
}

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

/** Where a directory's times tell reliably whether a name came or went: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs. */
const TRUSTED_FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1]);

/** Makes the tree of the workspace as it is now, writing only what is new. Changes nothing outside the store (CAP-10). */
export const captureWorkspace = (request: CaptureRequest, batch: ObjectBatch): Captured => new Walk(request, batch).run();

/**
 * Invariants: the previous snapshot is never changed, so a failure leaves it valid; a directory's record is replaced only
 * together with its tree; a file is not read again while its fingerprint is the recorded one.
 */
class Walk {
  readonly #request: CaptureRequest;
  readonly #batch: ObjectBatch;
  readonly #reader: EntryReader;
  readonly #dirty: Dirty;
  readonly #include: IgnoreRules;
  readonly #named: ReadonlySet<RelativePath>;
  readonly #fresh = new Map<RelativePath, Buffer>();
  readonly #gone: RelativePath[] = [];
  readonly #omissions: Record<string, readonly Omission[]>;
  readonly #hiddenRules: Record<string, ByteString>;
  readonly #repositories = new Map<RelativePath, RepositoryView>();
  readonly #listingsTrusted: boolean;
  readonly #namedChanged: boolean;
  readonly #someRepositoryChanged: boolean;
  #files = 0;
  #bytes = 0;

  constructor(request: CaptureRequest, batch: ObjectBatch) {
    const { previous, surroundings, limits, seed, include, named } = request;
    const before = previous?.header;
    this.#request = request;
    this.#batch = batch;
    this.#reader = new EntryReader(batch, limits.maxFileBytes, seed);
    this.#include = IgnoreRules.of([{ base: ROOT, text: fromText(include.join('\n')) }], { ignoreCase: surroundings.ignoreCase });
    this.#named = new Set(named);
    this.#omissions = { ...before?.omissions };
    this.#hiddenRules = { ...before?.hiddenRules };
    this.#dirty = withDirectories(request.dirty, [...Object.keys(this.#omissions), ...Object.keys(this.#hiddenRules)] as RelativePath[]);
    this.#listingsTrusted = TRUSTED_FILE_SYSTEMS.has(statfsSync(toFs(request.root)).type);
    this.#namedChanged = JSON.stringify(before?.named ?? []) !== JSON.stringify(sorted(named));
    this.#someRepositoryChanged = Object.entries(before?.repositories ?? {}).some(([at, mark]) => {
      const view = this.#repositoryAt(at as RelativePath);
      return view === null || !sameMark(mark, markOf(view));
    });
  }

  run(): Captured {
    const { root, previous, surroundings } = this.#request;
    const { containing } = surroundings;
    const settings = settingsWord(this.#request);
    const before = previous?.header.repositories[ROOT];
    const mark = containing === null ? undefined : markOf(containing);
    if (containing !== null) this.#repositories.set(ROOT, containing);
    const ids = this.#visit(ROOT, undefined, {
      scope: Scope.begin(surroundings, containing),
      rulesChanged: previous?.header.settings !== settings || before?.rules !== mark?.rules,
      exceptionsChanged: this.#namedChanged || before?.tracked !== mark?.tracked,
      insideIgnored: false,
    });
    if (ids === 'vanished') throw workspaceMissing(root);

    const records = new Map(previous?.records);
    for (const directory of this.#gone) records.delete(directory);
    for (const [directory, record] of this.#fresh) records.set(directory, record);
    this.#keepUnvisitedRepositories(records);
    const header = {
      settings,
      named: sorted(this.#request.named),
      repositories: Object.fromEntries([...this.#repositories].map(([at, view]) => [at, markOf(view)])),
      omissions: this.#omissions,
      hiddenRules: this.#hiddenRules,
    };
    return { snapshot: new Snapshot(header, records), repositories: [...this.#repositories.values()] };
  }

  /** The ids of a directory, looking at as little of it as the dirty set and its last record allow. */
  #visit(directory: RelativePath, known: Stats | undefined, above: Context): Ids | 'vanished' {
    const record = this.#request.previous?.record(directory);
    const where = this.#dirty.at(directory);
    const quiet = !above.rulesChanged && !above.exceptionsChanged && !this.#someRepositoryChanged;
    if (record !== undefined && where === 'no' && quiet) return record;
    const stat = known ?? this.#lstat(directory);
    if (stat === undefined || (stat.mode & FILE_TYPE) !== DIRECTORY) return 'vanished';
    if (record !== undefined) {
      const context = this.#enterRepository(directory, record.hasGit, above);
      const settled = !record.unsettled && !context.rulesChanged && !(context.exceptionsChanged && record.sensitive);
      const ids = settled ? this.#revisit(directory, record, stat, context, where === 'self') : undefined;
      if (ids !== undefined) return ids;
    }
    return this.#list(directory, stat, record, above);
  }

  /** Goes by the names of the last record; undefined when something tells that the directory must be listed again. */
  #revisit(directory: RelativePath, record: PackedRecord, stat: Stats, context: Context, look: boolean): Ids | undefined {
    if (look && !(this.#listingsTrusted && record.sameListing(stat))) return undefined;
    const scope = this.#inside(directory, context.scope);
    const changed = new Map<ByteString, Ids>();
    for (let at = record.first, left = record.count; left > 0; left--, at = record.next(at)) {
      const name = record.name(at);
      const path = join(directory, name);
      const isDirectory = record.isDirectory(at);
      const entry = look ? this.#lstat(path) : undefined;
      if (look && (entry === undefined || (isDirectory ? entry.mode !== record.mode(at) : !record.matches(at, entry)))) return undefined;
      if (!isDirectory) {
        this.#count(record.size(at));
        continue;
      }
      const before = this.#request.previous?.record(path);
      const ids = this.#visit(path, entry, { ...context, scope, insideIgnored: context.insideIgnored || record.isExcepted(at) });
      if (ids === 'vanished') return undefined;
      if (before?.tree !== ids.tree || before.meta !== ids.meta) changed.set(name, ids);
    }
    if (changed.size === 0) return record;
    const old = record.decode();
    return this.#store(directory, { ...old, entries: old.entries.map((e) => ({ ...e, id: changed.get(e.name)?.tree ?? e.id })) }, stat);
  }

  /** Lists a directory and captures its entries; once more when one of them vanished in between. */
  #list(directory: RelativePath, stat: Stats, record: PackedRecord | undefined, above: Context): Ids | 'vanished' {
    for (let attempt = 1; ; attempt++) {
      const names = this.#readNames(directory);
      if (names === 'vanished') return 'vanished';
      if (attempt > 1) this.#discardBelow(directory);
      const listing = new Listing(directory, names, attempt > 1);
      if (!this.#captureEntries(listing, record, above)) continue;
      this.#forget(directory, record, listing.entries);
      if (listing.omissions.length > 0) this.#omissions[directory] = listing.omissions;
      else delete this.#omissions[directory];
      const racy = this.#reader.isRacy(stat);
      return this.#store(
        directory,
        {
          mtimeMs: racy ? Number.NaN : stat.mtimeMs,
          ctimeMs: racy ? Number.NaN : stat.ctimeMs,
          ino: stat.ino,
          hasGit: listing.hasGit,
          sensitive: listing.sensitive,
          unsettled: listing.omissions.length > 0 || directory in this.#hiddenRules,
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
    delete this.#hiddenRules[directory];
    for (const name of listing.names) {
      const path = join(directory, name);
      if (this.#request.leaveOut.has(path)) continue;
      const stat = this.#lstat(path);
      const entry = stat === undefined ? 'vanished' : this.#captureEntry(listing, path, name, stat, known.get(name), context);
      if (entry === 'left-out') continue;
      if (typeof entry !== 'string') listing.entries.push(entry);
      else if (entry !== 'vanished') listing.omissions.push({ path, reason: entry });
      else if (!listing.again) return false;
      else if (stat !== undefined) listing.omissions.push({ path, reason: 'vanished' });
    }
    return true;
  }

  #captureEntry(
    listing: Listing,
    path: RelativePath,
    name: ByteString,
    stat: Stats,
    known: Entry | undefined,
    context: Context,
  ): Entry | OmissionReason | 'left-out' {
    const type = stat.mode & FILE_TYPE;
    if (name === '.git') return type === FILE ? this.#captureFile(path, name, stat, known, 'pointer', false) : 'left-out';
    const isDirectory = type === DIRECTORY;
    const ignored = context.insideIgnored || context.scope.ignores(path, isDirectory);
    if (ignored) {
      listing.sensitive = true;
      if (!this.#isExcepted(path, isDirectory, context)) {
        if (name === '.gitignore') this.#hideRules(listing.directory, path);
        return 'left-out';
      }
    }
    if (isDirectory) return this.#captureDirectory(path, name, stat, { ...context, insideIgnored: ignored });
    const omitted = OMITTED_TYPES.get(type);
    return omitted ?? this.#captureFile(path, name, stat, known, type === LINK ? 'link' : 'file', ignored);
  }

  #captureDirectory(path: RelativePath, name: ByteString, stat: Stats, context: Context): Entry | 'vanished' | 'left-out' {
    const ids = this.#visit(path, stat, context);
    if (ids === 'vanished') return 'vanished';
    const print = { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, mode: stat.mode };
    const entry: Entry = { name, kind: 'directory', id: ids.tree, excepted: context.insideIgnored, print };
    if (!context.insideIgnored || this.#record(path)?.count !== 0) return entry;
    // Entered for something tracked or named that is not there: ignored like any other ignored directory.
    this.#forget(path, this.#request.previous?.record(path), []);
    this.#fresh.delete(path);
    this.#gone.push(path);
    return 'left-out';
  }

  #captureFile(
    path: RelativePath,
    name: ByteString,
    stat: Stats,
    known: Entry | undefined,
    kind: ReadEntry['kind'],
    excepted: boolean,
  ): Entry | OmissionReason {
    this.#count(stat.size);
    if (known?.kind === kind && sameFingerprint(known, stat)) return { ...known, excepted };
    const read = this.#reader.read(path, this.#absolute(path), stat, kind);
    return typeof read === 'string' ? read : { name, excepted, ...read };
  }

  #isExcepted(path: RelativePath, isDirectory: boolean, context: Context): boolean {
    if (isDirectory) return context.scope.tracksUnder(path) || this.#request.named.some((named) => isWithin(named, path));
    if (context.scope.tracks(path) || this.#named.has(path)) return true;
    return !context.insideIgnored && this.#include.ignores(path, false);
  }

  /** Turns the entries of a directory into its tree and meta, and remembers them. */
  #store(directory: RelativePath, record: Omit<DirectoryRecord, 'tree' | 'meta'>, stat: Stats): Ids {
    const files: { name: ByteString; permissions: number }[] = [];
    const metas: [ByteString, TreeId][] = [];
    const entries: TreeEntry[] = [];
    let pointer: { id: BlobId; permissions: number } | null = null;
    for (const { name, kind, id, print } of record.entries) {
      const permissions = print.mode & 0o7777;
      if (kind === 'pointer') pointer = { id: id as BlobId, permissions };
      else if (kind === 'link') entries.push({ mode: LINK, name, id });
      else if (kind === 'directory') {
        entries.push({ mode: DIRECTORY, name, id });
        const meta = this.#record(join(directory, name))?.meta;
        if (meta) metas.push([name, meta]);
      } else {
        entries.push({ mode: isExecutable(permissions) ? 0o100755 : 0o100644, name, id });
        files.push({ name, permissions });
      }
    }
    // The root's own permissions are the user's affair: a rollback never changes the directory it works in.
    const own = directory === ROOT ? 0o755 : stat.mode & 0o7777;
    const tree = this.#batch.tree(entries);
    const meta = writeMeta(this.#batch, describeDirectory(own, files, pointer), metas);
    this.#fresh.set(directory, encodeRecord({ ...record, tree, meta }));
    return { tree, meta };
  }

  #enterRepository(directory: RelativePath, hasGit: boolean, above: Context): Context {
    if (directory === ROOT) return above;
    const before = this.#request.previous?.header.repositories[directory];
    const view = hasGit && !above.insideIgnored ? this.#repositoryAt(directory) : null;
    if (view === null) return before === undefined ? above : { ...above, rulesChanged: true };
    this.#repositories.set(directory, view);
    const mark = markOf(view);
    return {
      scope: Scope.begin(this.#request.surroundings, view),
      rulesChanged: above.rulesChanged || before?.rules !== mark.rules,
      exceptionsChanged: this.#namedChanged || before?.tracked !== mark.tracked,
      insideIgnored: false,
    };
  }

  #repositoryAt(at: RelativePath): RepositoryView | null {
    return at === ROOT ? this.#request.surroundings.containing : this.#request.surroundings.nested(at);
  }

  /** Repositories in parts that were not looked at still belong to the record of this capture. */
  #keepUnvisitedRepositories(records: ReadonlyMap<RelativePath, Buffer>): void {
    for (const at of Object.keys(this.#request.previous?.header.repositories ?? {}) as RelativePath[]) {
      if (this.#repositories.has(at) || this.#fresh.has(at) || !records.has(at)) continue;
      const view = this.#repositoryAt(at);
      if (view !== null) this.#repositories.set(at, view);
    }
  }

  #inside(directory: RelativePath, scope: Scope): Scope {
    return scope.with(directory, () => readRules(this.#absolute(join(directory, '.gitignore'))));
  }

  #ownRulesChanged(listing: Listing, known: ReadonlyMap<ByteString, Entry>): boolean {
    const path = join(listing.directory, '.gitignore');
    const hidden = this.#hiddenRules[listing.directory];
    const before = known.get('.gitignore' as ByteString);
    if (!listing.hasRules) return hidden !== undefined || before !== undefined;
    if (hidden !== undefined) return hidden !== readRules(this.#absolute(path));
    const stat = this.#lstat(path);
    return before === undefined || stat === undefined || !sameFingerprint(before, stat);
  }

  #hideRules(directory: RelativePath, path: RelativePath): void {
    const text = readRules(this.#absolute(path));
    if (text !== null) this.#hiddenRules[directory] = text;
  }

  /** Takes back what a first look at a directory recorded of those below it: some may be gone by the second. */
  #discardBelow(directory: RelativePath): void {
    for (const made of [this.#fresh.keys(), Object.keys(this.#omissions), Object.keys(this.#hiddenRules)].flatMap((keys) => [...keys])) {
      if (made === directory || !isWithin(made as RelativePath, directory)) continue;
      this.#fresh.delete(made as RelativePath);
      delete this.#omissions[made];
      delete this.#hiddenRules[made];
    }
  }

  /** Drops what is known of directories that are no longer among these entries. */
  #forget(directory: RelativePath, record: PackedRecord | undefined, entries: readonly Entry[]): void {
    if (record === undefined) return;
    const kept = new Set(entries.filter((entry) => entry.kind === 'directory').map((entry) => entry.name));
    for (let at = record.first, left = record.count; left > 0; left--, at = record.next(at)) {
      if (!record.isDirectory(at) || kept.has(record.name(at))) continue;
      const path = join(directory, record.name(at));
      this.#gone.push(path);
      delete this.#omissions[path];
      delete this.#hiddenRules[path];
      this.#forget(path, this.#request.previous?.record(path), []);
    }
  }

  #readNames(directory: RelativePath): ByteString[] | 'vanished' | 'unreadable' {
    try {
      // latin1: one character per byte, see model/bytes.ts.
      return (readdirSync(toFs(this.#absolute(directory)), { encoding: 'latin1' }) as ByteString[]).sort(compareBytes);
    } catch (error) {
      return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR' ? 'vanished' : 'unreadable';
    }
  }

  #record(directory: RelativePath): PackedRecord | undefined {
    const fresh = this.#fresh.get(directory);
    return fresh === undefined ? this.#request.previous?.record(directory) : new PackedRecord(fresh);
  }

  #lstat(path: RelativePath): Stats | undefined {
    try {
      return lstatSync(toFs(this.#absolute(path)), { throwIfNoEntry: false });
    } catch (error) {
      // The directory became something else, or may no longer be searched: its own listing will tell which.
      if (systemCode(error) === 'ENOTDIR' || systemCode(error) === 'EACCES' || systemCode(error) === 'ENAMETOOLONG') return undefined;
      throw error;
    }
  }

  #absolute(path: RelativePath): ByteString {
    const { root } = this.#request;
    return (path === ROOT ? root : root === '/' ? `/${path}` : `${root}/${path}`) as ByteString;
  }

  #count(size: number): void {
    const { limits, onProgress } = this.#request;
    this.#files++;
    this.#bytes += size;
    if (onProgress !== undefined && this.#files % 2000 === 0) onProgress(this.#files);
    if (this.#files > limits.maxFiles) throw overBudget(`more than ${limits.maxFiles} files`, 'capture.maxFiles');
    if (this.#bytes > limits.maxTotalBytes) throw overBudget(`more than ${limits.maxTotalBytes} bytes`, 'capture.maxTotalBytes');
  }
}

/** One directory's names, and what comes of them. */
class Listing {
  readonly directory: RelativePath;
  readonly names: readonly ByteString[];
  /** Made because something vanished during the first one. */
  readonly again: boolean;
  readonly entries: Entry[] = [];
  readonly omissions: Omission[] = [];
  readonly hasGit: boolean;
  readonly hasRules: boolean;
  sensitive = false;

  constructor(directory: RelativePath, names: readonly ByteString[] | 'unreadable', again: boolean) {
    this.directory = directory;
    this.names = names === 'unreadable' ? [] : names;
    this.again = again;
    if (names === 'unreadable') this.omissions.push({ path: directory, reason: 'unreadable' });
    this.hasGit = this.names.includes('.git' as ByteString);
    this.hasRules = this.names.includes('.gitignore' as ByteString);
  }
}

const sameFingerprint = ({ print }: Entry, stat: Stats): boolean =>
  print.mtimeMs === stat.mtimeMs &&
  print.ctimeMs === stat.ctimeMs &&
  print.size === stat.size &&
  print.ino === stat.ino &&
  print.mode === stat.mode;

const sorted = (paths: readonly RelativePath[]): RelativePath[] => [...paths].sort(compareBytes);

const word = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('hex');

const markOf = (view: RepositoryView): RepositoryMark => ({ tracked: view.signature, rules: word([view.prefix, view.rules]) });

const sameMark = (a: RepositoryMark, b: RepositoryMark): boolean => a.tracked === b.tracked && a.rules === b.rules;

const settingsWord = ({ surroundings, include, limits, leaveOut }: CaptureRequest): string =>
  word([surroundings.ignoreCase, surroundings.globalRules, include, limits.maxFileBytes, [...leaveOut]]);

const workspaceMissing = (root: ByteString): RetakeError =>
  new RetakeError('workspace-missing', `The workspace ${toText(root)} is no longer a directory`, {
    hint: 'Its checkpoints are still in the store; create the directory again to roll back to one.',
  });

const overBudget = (what: string, setting: string): RetakeError =>
  new RetakeError('over-budget', `The workspace holds ${what}`, {
    hint: `Ignore what need not be kept (.gitignore), or raise the setting ${setting}.`,
  });
