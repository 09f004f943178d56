import { styleText } from 'node:util';
import { bytes, noteStandingLine } from './output.ts';
import { cutTo } from './width.ts';

/** Work that is over sooner is not worth a line. */
const PATIENCE = 500;
const REFRESH = 100;
/** From then on it can be told how long the rest will take. */
const EXPERIENCE = 3000;
const CLEAR = '\r\u001b[K';
const ENDINGS = ['SIGINT', 'SIGTERM'] as const;

/** What a line is drawn on. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly screen?: Screen;
  readonly clock?: () => number;
  /** What is counted is bytes. */
  readonly inBytes?: boolean;
}

/** A line on stderr that keeps changing while long work goes on; nothing where nobody watches. */
export class ProgressLine {
  readonly #label: string;
  readonly #screen: Screen;
  readonly #clock: () => number;
  readonly #inBytes: boolean;
  readonly #started: number;
  /** When it was drawn last; undefined while nothing of it stands there. */
  #drawn: number | undefined;
  /** Others have not had their turn since it was drawn. */
  #isWaiting = false;
  #isListening = false;
  /** Where the counting began, and when: other work may have come before it. */
  #begun: { readonly at: number; readonly done: number } | undefined;

  constructor(label: string, { screen = process.stderr, clock = Date.now, inBytes = false }: ProgressOptions = {}) {
    this.#label = label;
    this.#screen = screen;
    this.#clock = clock;
    this.#inBytes = inBytes;
    this.#started = clock();
  }

  /** How much is done, of how much; without numbers, for how long it has been going on. */
  readonly update = (done?: number, total?: number): void => {
    const now = this.#clock();
    if (done !== undefined) this.#begun ??= { at: now, done };
    if (this.#screen.isTTY !== true || now - this.#started < PATIENCE || now - (this.#drawn ?? 0) < REFRESH) return;
    this.#drawn = now;
    this.#listenIfHeard();
    const text = this.#describe(now - this.#started, done, total);
    // One column is left free: a line that is full makes some terminals begin another.
    noteStandingLine(CLEAR);
    this.#screen.write(`${CLEAR}${cutTo(text, (this.#screen.columns || 80) - 1)}`);
  };

  /** Takes the line away; to be called whatever became of the work. */
  end(): void {
    this.#listen(false);
    if (this.#drawn === undefined) return;
    this.#drawn = undefined;
    noteStandingLine('');
    this.#screen.write(CLEAR);
  }

  /**
   * Whoever listens to a signal has to see to the end of the process, and hears of it between two pieces of work only. So we listen while
   * there are such moments; where one piece goes on and on, the system ends the process at once and the line stays.
   */
  #listenIfHeard(): void {
    if (this.#isWaiting) {
      this.#listen(false);
      return;
    }
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#listen(this.#drawn !== undefined);
    }).unref();
  }

  #listen(isWanted: boolean): void {
    if (isWanted === this.#isListening) return;
    this.#isListening = isWanted;
    for (const signal of ENDINGS) process[isWanted ? 'on' : 'off'](signal, this.#leave);
  }

  /** Nothing of it stays on the screen; then the process ends as it would have, unless somebody else sees to that. */
  readonly #leave = (signal: NodeJS.Signals): void => {
    this.end();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };

  #describe(passed: number, done: number | undefined, total: number | undefined): string {
    const amount = (number: number): string => (this.#inBytes ? bytes(number) : String(number));
    if (done === undefined) return `${this.#label} … ${duration(passed)}`;
    if (total === undefined || total <= 0) return `${this.#label}: ${amount(done)}`;
    const share = Math.min(1, done / total);
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    return `${this.#label}: ${bar(share)}${percent}  ${amount(done)} of ${amount(total)}${this.#left(done, total)}`;
  }

  /** At the pace so far. */
  #left(done: number, total: number): string {
    const { at, done: before } = this.#begun ?? { at: this.#started, done: 0 };
    const passed = this.#clock() - at;
    if (passed < EXPERIENCE || done <= before || done >= total) return '';
    return `, ${duration((passed / (done - before)) * (total - done))} left`;
  }
}

const BAR = 20;

const bar = (share: number): string => {
  const filled = Math.round(share * BAR);
  const paint = (style: 'cyan' | 'dim', text: string): string => styleText(style, text, { stream: process.stderr });
  return `${paint('cyan', '█'.repeat(filled))}${paint('dim', '░'.repeat(BAR - filled))}`;
};

const duration = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/**
 * Some work with a line that tells how far it is; as long as it gives no numbers, for how long it has been going on. Where somebody else is
 * about to write on the terminal, `quiet` takes the line away for good.
 */
export const withProgress = async <T>(
  label: string,
  work: (update: ProgressLine['update'], quiet: () => void) => T | Promise<T>,
): Promise<T> => {
  const line = new ProgressLine(label);
  const timer = setInterval(() => line.update(), REFRESH);
  const update: ProgressLine['update'] = (...numbers) => {
    clearInterval(timer);
    line.update(...numbers);
  };
  const quiet = (): void => {
    clearInterval(timer);
    line.end();
  };
  try {
    return await work(update, quiet);
  } finally {
    quiet();
  }
};
