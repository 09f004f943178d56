import { presentThrough } from '../../daemon/ask-or-run.ts';
import type { Workspace } from '../../engine/index.ts';
import { RetakeError, type WorkspaceState } from '../../model/index.ts';
import { describeError } from '../output.ts';
import type { Watch } from '../plan-client.ts';
import { readContents, readDetails, readSteps, readWords } from './contents.ts';
import { look } from './look.ts';
import type { PendingLoad } from './pending-loads.ts';
import { fulfil, prepare, weigh } from './prepare.ts';
import type { Answer, Answers } from './receive.ts';

interface Running {
  readonly load: PendingLoad;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/** Work that is to end. */
const isEnding = (load: PendingLoad | undefined): boolean => load?.is === 'work' && load.isStopping;

/** Milliseconds for which the present is taken to be the same: whoever moves through the list looks at it again and again. */
const FRESH = 2000;
const REFRESH = 100;

/**
 * Reads and does what is pending, one after the other: the workspace is one, and the newest loads are the only ones that count. Those
 * that nobody has any more are given up, but for work, which ends only when somebody wants that.
 */
export class LoadRunner {
  readonly #workspace: Workspace;
  readonly #session: string | undefined;
  readonly #onAnswer: (answer: Answer) => void;
  readonly #onProgress: (text: string) => void;
  #wanted: readonly PendingLoad[] = [];
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
  want(loads: readonly PendingLoad[]): void {
    this.#wanted = loads;
    const { load, ending } = this.#running ?? {};
    if (load !== undefined) {
      const still = loads.find(({ name }) => name === load.name);
      if (load.is === 'work' ? isEnding(still) : still === undefined) ending?.abort();
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
    const [load] = this.#wanted;
    if (this.#running !== null || load === undefined) return;
    const ending = new AbortController();
    // Somebody may have had second thoughts before it began.
    if (isEnding(load)) ending.abort();
    const ended = this.#answer(load, ending.signal).then((answer) => {
      this.#running = null;
      // Of what was given up nobody wants to know why.
      const isWanted = load.is === 'work' || this.#wanted.some(({ name }) => name === load.name);
      this.#wanted = this.#wanted.filter(({ name }) => name !== load.name);
      if (isWanted) this.#onAnswer(answer);
      else this.#next();
    });
    this.#running = { load, ending, ended };
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

  async #answer(load: PendingLoad, signal: AbortSignal): Promise<Answer> {
    try {
      return { load, came: { value: await this.#fulfil(load, signal) } } as Answer;
    } catch (error) {
      return { load, came: { failure: describeError(error) } } as Answer;
    }
  }

  #fulfil(load: PendingLoad, signal: AbortSignal): Answers[keyof Answers] | Promise<Answers[keyof Answers]> {
    const workspace = this.#workspace;
    const watch: Watch = {
      signal,
      onScan: (files) => this.#tell(`${files} files looked at`),
      onApply: (done, total) => this.#tell(`${done} of ${total} changes made`),
    };
    switch (load.is) {
      case 'contents':
        return readContents(workspace, load.view, this.#session);
      case 'words':
        return readWords(workspace, load.places);
      case 'steps':
        return readSteps(workspace, load.place);
      case 'details':
        return readDetails(workspace, load.places);
      case 'sight':
        return look(workspace, load.place, load.looking, { present: () => this.#presentState(), signal });
      case 'weigh':
        return weigh(workspace, load.place.address);
      case 'plan':
        return prepare(workspace, load.order, watch);
      case 'work':
        if (signal.aborted) throw new RetakeError('interrupted', 'Ended before it began; nothing was changed');
        this.#present = null;
        return fulfil(workspace, load.prepared, watch);
    }
  }
}
