import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from 'node:vm';

const DAY = 24 * 3_600_000;

/** Where something begins that V8 takes as it lies there. */
const aligned = (length: number): number => Math.ceil(length / 8) * 8;

/** Bytes of the checksum, after which stands how long the table of contents is; that begins at `START`. */
const SUM = 20;
const START = 24;

const sumOf = (whole: Buffer): Buffer => hash('sha1', whole.subarray(SUM), 'buffer');

/**
 * What V8 compiled of the program's files the last times. Node's own cache holds what is compiled before a file runs, and not the functions
 * that are compiled when they are called, which is most of it. This one is taken when a command has done its work. There is a file for
 * each verb, which is replaced once a day: another time other functions may be called.
 *
 * V8 trusts what it is given. So files of the program are named by what is in them, and what was kept is looked at before it is used: one
 * byte that changed could end the program.
 */
export class CompiledCode {
  readonly #file: string | undefined;
  readonly #known: ReadonlyMap<string, Buffer>;
  readonly #scripts = new Map<string, Script>();
  #isToSave = false;

  constructor(verb: string) {
    const directory = process.env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : ownDirectory();
    this.#file = directory && join(directory, `${process.version}-${/^[a-z]+$/.test(verb) ? verb : 'other'}`);
    this.#known = this.#read();
  }

  of(name: string): Buffer | undefined {
    return this.#known.get(name);
  }

  /** A file that was loaded; it knows whether what was known of it served. */
  add(name: string, script: Script): void {
    this.#scripts.set(name, script);
    this.#isToSave ||= !this.#known.has(name) || script.cachedDataRejected === true;
  }

  /** For the next time; what can not be kept is compiled again. */
  save(): void {
    if (this.#file === undefined || !this.#isToSave) return;
    const parts = [...this.#scripts].map(([name, script]) => [name, script.createCachedData()] as const);
    const head = Buffer.from(JSON.stringify(parts.map(([name, { length }]) => [name, length])));
    const pieces = [head, ...parts.map(([, code]) => code)];
    const whole = Buffer.alloc(START + pieces.reduce((sum, { length }) => sum + aligned(length), 0));
    whole.writeUInt32LE(head.length, SUM);
    let at = START;
    for (const piece of pieces) {
      piece.copy(whole, at);
      at += aligned(piece.length);
    }
    sumOf(whole).copy(whole);
    const beside = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(beside, whole, { mode: 0o600 });
      renameSync(beside, this.#file);
    } catch {
      // Somebody is clearing up, or the disk is full.
    }
  }

  #read(): Map<string, Buffer> {
    const known = new Map<string, Buffer>();
    if (this.#file === undefined) return known;
    try {
      const { mtimeMs } = statSync(this.#file);
      const whole = readFileSync(this.#file);
      if (!sumOf(whole).equals(whole.subarray(0, SUM))) return known;
      const length = whole.readUInt32LE(SUM);
      let at = START + aligned(length);
      for (const [name, size] of JSON.parse(whole.toString('utf8', START, START + length)) as [string, number][]) {
        known.set(name, whole.subarray(at, at + size));
        at += aligned(size);
      }
      this.#isToSave = Date.now() - mtimeMs > DAY;
    } catch {
      // There is none yet, or none that can be read: it is made anew.
    }
    return known;
  }
}

/** A directory that nobody else can write to: what lies there is run. */
const ownDirectory = (): string | undefined => {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `retake-compiled-${uid}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stat = lstatSync(directory);
    return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o022) === 0 ? directory : undefined;
  } catch {
    return undefined;
  }
};
