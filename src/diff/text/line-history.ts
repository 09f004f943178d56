import type { ByteString } from '../../model/index.ts';
import { diffLines } from './line-diff.ts';

type Lines = readonly ByteString[];

/** A text through its versions, with a note for each line that it keeps as long as it stays. */
export class LineHistory<T> {
  #lines: Lines = [];
  #notes: readonly T[] = [];
  /** By what stands for their content, the versions so far, oldest first. */
  readonly #versions = new Map<string, { readonly sequence: number; readonly notes: readonly T[] }[]>();
  /** By line, the note of the last that went. */
  readonly #gone = new Map<ByteString, T>();

  get lines(): readonly { readonly text: ByteString; readonly note: T }[] {
    return this.#lines.map((text, at) => ({ text, note: this.#notes[at] as T }));
  }

  /** The next version; lines that it adds get the note. */
  change(key: string, sequence: number, lines: Lines, note: T): void {
    this.#become(key, sequence, lines, () => note);
  }

  /**
   * A version made of what was there before, as it was at `target` if it is the same: lines that return have the note that they had,
   * and only what no version ever had gets this one.
   */
  bringBack(key: string, sequence: number, lines: Lines, note: T, target: number): void {
    const same = this.#versions.get(key) ?? [];
    const known = same.findLast((version) => version.sequence <= target) ?? same.at(-1);
    this.#become(key, sequence, lines, (line) => this.#gone.get(line) ?? note, known?.notes);
  }

  #become(key: string, sequence: number, lines: Lines, fresh: (line: ByteString) => T, known?: readonly T[]): void {
    const carried: T[] = [];
    const went: [ByteString, T][] = [];
    let old = 0;
    for (const { oldStart, oldCount, newStart, newCount } of diffLines(this.#lines, lines)) {
      while (old < oldStart) carried.push(this.#notes[old++] as T);
      for (let at = newStart; at < newStart + newCount; at++) carried.push(fresh(lines[at] as ByteString));
      for (; old < oldStart + oldCount; old++) went.push([this.#lines[old] as ByteString, this.#notes[old] as T]);
    }
    while (old < this.#lines.length) carried.push(this.#notes[old++] as T);
    for (const [line, note] of went) this.#gone.set(line, note);
    this.#lines = lines;
    this.#notes = known ?? carried;
    this.#versions.set(key, [...(this.#versions.get(key) ?? []), { sequence, notes: this.#notes }]);
  }
}
