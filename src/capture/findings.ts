import { type ByteString, isWithin, join, type Omission, type RelativePath } from '../model/index.ts';
import { type DirectoryRecord, type Entry, encodeRecord, PackedRecord } from './record.ts';
import { Records } from './records.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * What a walk has found so far: the last snapshot with what was made anew or is gone. The last one itself is never changed, so that a walk that
 * fails leaves it valid.
 */
export class Findings {
  readonly #previous: Snapshot | undefined;
  readonly #fresh = new Map<RelativePath, Buffer>();
  readonly #gone: RelativePath[] = [];
  readonly #omissions: Map<RelativePath, readonly Omission[]>;
  readonly #hiddenRules: Map<RelativePath, ByteString>;
  readonly #linked: Set<RelativePath>;

  constructor(previous: Snapshot | undefined) {
    const before = previous?.header;
    this.#previous = previous;
    this.#omissions = new Map(before?.omissions);
    this.#hiddenRules = new Map(before?.hiddenRules);
    this.#linked = new Set(before?.linked);
  }

  /** Directories in which something may change without the system telling: looked at by every walk. */
  get uncertain(): RelativePath[] {
    return [...this.#omissions.keys(), ...this.#hiddenRules.keys(), ...this.#linked];
  }

  /** Of all directories, as of now. */
  get records(): Records {
    return this.#previous === undefined ? new Records(this.#fresh) : this.#previous.records.with(this.#fresh, this.#gone);
  }

  /** The parts of the next snapshot's header that are about single directories. */
  get header() {
    return { omissions: [...this.#omissions], hiddenRules: [...this.#hiddenRules], linked: [...this.#linked] };
  }

  get gone(): readonly RelativePath[] {
    return this.#gone;
  }

  isFresh(directory: RelativePath): boolean {
    return this.#fresh.has(directory);
  }

  /** As the walk left it, or as it was before. */
  record(directory: RelativePath): PackedRecord | undefined {
    const fresh = this.#fresh.get(directory);
    return fresh === undefined ? this.#previous?.record(directory) : new PackedRecord(fresh);
  }

  store(directory: RelativePath, record: DirectoryRecord): void {
    this.#fresh.set(directory, encodeRecord(record));
    if (record.entries.some(({ linked }) => linked)) this.#linked.add(directory);
    else this.#linked.delete(directory);
  }

  omit(directory: RelativePath, omissions: readonly Omission[]): void {
    if (omissions.length > 0) this.#omissions.set(directory, omissions);
    else this.#omissions.delete(directory);
  }

  /** The rules in a file of rules that is itself left out. */
  hiddenRules(directory: RelativePath): ByteString | undefined {
    return this.#hiddenRules.get(directory);
  }
  hideRules(directory: RelativePath, text: ByteString | null): void {
    if (text === null) this.#hiddenRules.delete(directory);
    else this.#hiddenRules.set(directory, text);
  }

  /** A directory is not captured after all. */
  leaveOut(directory: RelativePath): void {
    this.forgetBelow(directory, []);
    this.#fresh.delete(directory);
    this.#gone.push(directory);
  }

  /** Takes back what a first look at a directory recorded of those below it: some may be gone by the second. */
  discardBelow(directory: RelativePath): void {
    for (const made of [this.#fresh, this.#omissions, this.#hiddenRules, this.#linked]) {
      for (const path of [...made.keys()]) if (path !== directory && isWithin(path, directory)) made.delete(path);
    }
  }

  /** Drops what was known before of directories that are no longer among these entries. */
  forgetBelow(directory: RelativePath, entries: readonly Entry[]): void {
    const record = this.#previous?.record(directory);
    if (record === undefined) return;
    const kept = new Set(entries.filter((entry) => entry.kind === 'directory').map((entry) => entry.name));
    for (const at of record.offsets()) {
      if (!record.isDirectory(at) || kept.has(record.name(at))) continue;
      const path = join(directory, record.name(at));
      this.#gone.push(path);
      this.#omissions.delete(path);
      this.#hiddenRules.delete(path);
      this.#linked.delete(path);
      this.forgetBelow(path, []);
    }
  }
}
