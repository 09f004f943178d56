import { presentThrough } from '../../daemon/through.ts';
import type { Workspace } from '../../engine/index.ts';
import { RetakeError, type WorkspaceState } from '../../model/index.ts';
import type { Watch } from '../carry-out.ts';
import { describeError } from '../output.ts';
import { readContents, readDetails, readSteps, readWords } from './contents.ts';
import { look } from './look.ts';
import { fulfil, prepare, weigh } from './prepare.ts';
import type { Answer, Answers } from './receive.ts';
import type { Wish } from './wishes.ts';

interface Running {
  readonly wish: Wish;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/** Work that is to end. */
const isEnding = (wish: Wish | undefined): boolean => wish?.is === 'work' && wish.isStopping;

/** Milliseconds for which the present is taken to be the same: whoever moves through the list looks at it again and again. */
const FRESH = 2000;
const REFRESH = 100;

/**
 * Reads and does what is wished for, one after the other: the workspace is one, and the newest wishes are the only ones that count. Those
 * that nobody has any more are given up, but for work, which ends only when somebody wants that.
 */
export class Errands {
  readonly #workspace: Workspace;
  readonly #session: string | undefined;
  readonly #onAnswer: (answer: Answer) => void;
  readonly #onProgress: (text: string) => void;
  #wanted: readonly Wish[] = [];
  #running: Running | null = null;
  #told = 0;
  #present: { readonly at: number; readonly state: Promise<WorkspaceState> } | null = null;

  constructor(
    workspace: Workspace,
    options: {
      readonly session: string | undefined;
      readonly onAnswer: (answer: Answer) => void;
      readonly onProgress: (text: string) => void;
    },
  ) {
    this.#workspace = workspace;
    this.#session = options.session;
    this.#onAnswer = options.onAnswer;
    this.#onProgress = options.onProgress;
  }

  /** From now on, these and no others. */
  want(wishes: readonly Wish[]): void {
    this.#wanted = wishes;
    const { wish, ending } = this.#running ?? {};
    if (wish !== undefined) {
      const still = wishes.find(({ name }) => name === wish.name);
      if (wish.is === 'work' ? isEnding(still) : still === undefined) ending?.abort();
    }
    // Not at once: a key that is pressed meanwhile may change what is wanted.
    setImmediate(() => this.#next());
  }

  /** Begins nothing else, and returns when nothing is under way any more. */
  async close(): Promise<void> {
    this.#wanted = [];
    while (this.#running !== null) await this.#running.ended;
  }

  #next(): void {
    const [wish] = this.#wanted;
    if (this.#running !== null || wish === undefined) return;
    const ending = new AbortController();
    // Somebody may have had second thoughts before it began.
    if (isEnding(wish)) ending.abort();
    const ended = this.#answer(wish, ending.signal).then((answer) => {
      this.#running = null;
      // Of what was given up nobody wants to know why.
      const isWanted = wish.is === 'work' || this.#wanted.some(({ name }) => name === wish.name);
      this.#wanted = this.#wanted.filter(({ name }) => name !== wish.name);
      if (isWanted) this.#onAnswer(answer);
      else this.#next();
    });
    this.#running = { wish, ending, ended };
  }

  /** Now and then: nobody reads faster. */
  #tell(progress: string): void {
    if (Date.now() - this.#told < REFRESH) return;
    this.#told = Date.now();
    this.#onProgress(progress);
  }

  #presentState(): Promise<WorkspaceState> {
    if (this.#present === null || Date.now() - this.#present.at > FRESH)
      this.#present = { at: Date.now(), state: presentThrough(this.#workspace) };
    return this.#present.state;
  }

  async #answer(wish: Wish, signal: AbortSignal): Promise<Answer> {
    try {
      return { wish, came: { value: await this.#fulfil(wish, signal) } } as Answer;
    } catch (error) {
      return { wish, came: { failure: describeError(error) } } as Answer;
    }
  }

  #fulfil(wish: Wish, signal: AbortSignal): Answers[keyof Answers] | Promise<Answers[keyof Answers]> {
    const workspace = this.#workspace;
    const watch: Watch = {
      signal,
      onScan: (files) => this.#tell(`${files} files looked at`),
      onApply: (done, total) => this.#tell(`${done} of ${total} changes made`),
    };
    switch (wish.is) {
      case 'contents':
        return readContents(workspace, wish.view, this.#session);
      case 'words':
        return readWords(workspace, wish.places);
      case 'steps':
        return readSteps(workspace, wish.place);
      case 'details':
        return readDetails(workspace, wish.places);
      case 'sight':
        return look(workspace, wish.place, wish.looking, { present: () => this.#presentState(), signal });
      case 'weigh':
        return weigh(workspace, wish.place.address);
      case 'plan':
        return prepare(workspace, wish.order, watch);
      case 'work':
        if (signal.aborted) throw new RetakeError('interrupted', 'Ended before it began; nothing was changed');
        this.#present = null;
        return fulfil(workspace, wish.prepared, watch);
    }
  }
}
