/** Work that is over sooner is not worth a line. */
const PATIENCE = 500;
const REFRESH = 100;

/** A line on stderr that keeps changing while long work goes on; nothing where nobody watches. */
export class ProgressLine {
  readonly #label: string;
  readonly #started = Date.now();
  readonly #isWatched: boolean;
  #shown = 0;

  constructor(label: string, isWatched = process.stderr.isTTY === true) {
    this.#label = label;
    this.#isWatched = isWatched;
  }

  readonly update = (done: number, total?: number): void => {
    const now = Date.now();
    if (!this.#isWatched || now - this.#started < PATIENCE || now - this.#shown < REFRESH) return;
    this.#shown = now;
    const share = total === undefined ? '' : ` of ${total} ${bar(done / total)}`;
    process.stderr.write(`\r\u001b[K${this.#label}: ${done}${share}`);
  };

  end(): void {
    if (this.#shown > 0) process.stderr.write('\r\u001b[K');
  }
}

const bar = (share: number): string => {
  const filled = Math.round(share * 20);
  return `[${'#'.repeat(filled)}${' '.repeat(20 - filled)}]`;
};
