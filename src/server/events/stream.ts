import type { LogPosition } from '../../engine/index.ts';
import { HEARTBEAT, OPENING } from './frame.ts';

/** What waits for a client that is slow; further operations are read from the log again when it has taken these. */
const MOST_WAITING = 256 * 1024;

/** A part of the log, as it goes out. */
export interface Page {
  readonly text: string;
  /** Where it ends, and where the log does. */
  readonly position: LogPosition;
  readonly end: LogPosition;
}

export interface StreamOptions {
  /** The client knows everything up to here. */
  readonly position: LogPosition;
  /** Where the log ends: what is in between is read first. */
  readonly end: LogPosition;
  /** What is told before anything else. */
  readonly first: string;
  /** What comes next after a position; undefined where that can not be told any more. */
  readonly read: (after: LogPosition) => Promise<Page | undefined>;
  /** Called once, when the client is gone or nothing more comes. */
  readonly onEnd: () => void;
}

/**
 * What one client is told, as it takes it.
 *
 * - Every operation after `position` goes out once, in the order of the log: handed over by the one who watches it, or read from it as long as
 *   the client is behind.
 * - What waits is bounded, however slow the client is.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #read: StreamOptions['read'];
  readonly #onEnd: () => void;
  /** By what they are about: of some things only the newest matters. */
  readonly #waiting = new Map<string, string>();
  #size = 0;
  #position: LogPosition;
  /** The newest operation that we heard of. */
  #known: number;
  #wake = (): void => {};
  #isOver = false;

  constructor({ position, end, first, read, onEnd }: StreamOptions) {
    this.#position = position;
    this.#known = end.sequence;
    this.#read = read;
    this.#onEnd = onEnd;
    this.#put('first', OPENING + first);
  }

  /** Characters of operations that wait to be taken. */
  get waiting(): number {
    return this.#size;
  }

  /** One more operation is in the log. */
  tellOperation(at: LogPosition, text: string): void {
    if (at.sequence <= this.#position.sequence) return;
    const isNext = !this.#isBehind && this.#size + text.length <= MOST_WAITING;
    this.#known = at.sequence;
    if (!isNext) return;
    this.#position = at;
    this.#size += text.length;
    this.#put(`operation ${at.sequence}`, text);
  }

  /** Something without a place in the log, in place of what was last said about it and is not taken yet. */
  tell(subject: string, text: string): void {
    this.#put(subject, text);
  }

  /** What came up to `end` can not be told. */
  skipTo(end: LogPosition, text: string): void {
    this.#position = end;
    this.#known = end.sequence;
    this.#put('reset', text);
  }

  beat(): void {
    this.#put('heartbeat', HEARTBEAT);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#take();
    this.#wake();
    this.#onEnd();
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    while (!this.#isOver) {
      const value = this.#waiting.size > 0 ? this.#take() : this.#isBehind ? await this.#readOn() : await this.#sleep();
      if (value !== '' && !this.#isOver) return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  /** At once, also while somebody waits for the next piece. */
  async return(): Promise<IteratorResult<string, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get #isBehind(): boolean {
    return this.#position.sequence < this.#known;
  }

  #put(subject: string, text: string): void {
    if (this.#isOver) return;
    this.#waiting.delete(subject);
    this.#waiting.set(subject, text);
    this.#wake();
  }

  #take(): string {
    const text = [...this.#waiting.values()].join('');
    this.#waiting.clear();
    this.#size = 0;
    return text;
  }

  async #readOn(): Promise<string> {
    const after = this.#position;
    const known = this.#known;
    const page = await this.#read(after).catch(() => undefined);
    // Told to skip meanwhile.
    if (this.#position !== after) return '';
    if (page === undefined) {
      // It comes again by itself, and hears then why this is not gone on with.
      this.end();
      return '';
    }
    this.#position = page.position;
    // A log can lose its end, and then what we heard of is never read.
    if (page.position === page.end && this.#known === known) this.#known = page.position.sequence;
    return page.text;
  }

  #sleep(): Promise<''> {
    return new Promise((resolve) => {
      this.#wake = () => resolve('');
    });
  }
}
