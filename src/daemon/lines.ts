const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines, however they were split on the way. */
export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void, limit = Number.POSITIVE_INFINITY) {
    this.#onLine = onLine;
    this.#limit = limit;
  }

  /** Says whether the line that is coming in is still within the limit. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false;
      const line = this.#parts.length === 1 ? String(this.#parts[0]) : Buffer.concat(this.#parts).toString();
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      this.#onLine(line);
    }
    return this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): boolean {
    this.#length += part.length;
    if (this.#length > this.#limit) return false;
    this.#parts.push(part);
    return true;
  }
}
