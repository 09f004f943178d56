import { type FSWatcher, watch } from 'node:fs';
import { newsDirectory, newsStamp, type Place } from '../../engine/index.ts';

export interface LogWatchOptions {
  /** How often to look although nobody told of a change: watches can be refused or lost, and a store be made or removed. */
  readonly pollEvery: number;
  /** Reads what is new. Where it fails it is called again at the next look. */
  readonly onNews: () => Promise<void>;
}

/** Finds out that something came to the log of a workspace, whichever process wrote it. */
export class LogWatch {
  readonly #place: Place;
  readonly #onNews: LogWatchOptions['onNews'];
  readonly #polling: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  #stamp: string | undefined;
  #isLooking = false;
  #isStale = false;
  #isClosed = false;

  constructor(place: Place, { pollEvery, onNews }: LogWatchOptions) {
    this.#place = place;
    this.#onNews = onNews;
    this.#watch();
    this.#polling = setInterval(() => {
      this.#watch();
      void this.#look();
    }, pollEvery).unref();
    void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#polling);
    this.#unwatch();
  }

  /** Anew each time: the directory may be another one by now, and a watch stays with the one that it was made for. */
  #watch(): void {
    this.#unwatch();
    try {
      this.#watcher = watch(newsDirectory(this.#place), { persistent: false }, () => void this.#look());
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      // No store yet, or no more watches to be had: looking now and then has to do.
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  async #look(): Promise<void> {
    this.#isStale = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        // Before reading: what comes while we read is news again.
        const stamp = newsStamp(this.#place);
        if (stamp === this.#stamp) continue;
        await this.#onNews();
        this.#stamp = stamp;
      }
    } catch {
      this.#stamp = undefined;
    } finally {
      this.#isLooking = false;
    }
  }
}
