import type { LogPosition, Workspace } from '../../engine/index.ts';
import type { Jobs } from '../jobs.ts';
import { BadRequest } from '../problem.ts';
import { idOf, type Workspaces } from '../workspaces.ts';
import { Channel, startAfter } from './channel.ts';
import type { EventStream } from './stream.ts';

const MOST_STREAMS = 1000;

export interface HubOptions {
  readonly workspaces: Workspaces;
  readonly jobs: Jobs;
  readonly log: (line: string) => void;
  /** How often something is said on a connection although nothing happens. */
  readonly beatEvery?: number;
  /** How often a log is looked at although nobody told of a change. */
  readonly pollEvery?: number;
}

/** What is held for those who listen. */
export interface Held {
  readonly streams: number;
  /** Workspaces whose log is watched. */
  readonly watches: number;
  /** Characters that clients have not taken yet. */
  readonly waiting: number;
  /** There is a timer, and the jobs are listened to. */
  readonly isAwake: boolean;
}

/** Tells what happens in workspaces to all who listen. Where nobody does, it holds nothing and looks at nothing. */
export class EventHub {
  readonly #options: Required<HubOptions>;
  /** By the id of their workspace. */
  readonly #channels = new Map<string, Channel>();
  #sleep: (() => void) | undefined;
  #isClosed = false;

  constructor(options: HubOptions) {
    this.#options = { beatEvery: 15_000, pollEvery: 2_000, ...options };
  }

  get held(): Held {
    return { streams: this.#sum('size'), watches: this.#channels.size, waiting: this.#sum('waiting'), isAwake: this.#sleep !== undefined };
  }

  /** A stream of what happens after the event with this id, or from now on, until the client goes. */
  open(workspace: Workspace, lastId: string | undefined, signal: AbortSignal): EventStream {
    if (this.#isClosed || this.#sum('size') >= MOST_STREAMS) {
      throw new BadRequest('busy', 'Too many listen already', { hint: 'Try again in a moment.' });
    }
    const start = startAfter(workspace, lastId);
    const stream = this.#channelOf(workspace, start.end).open(start);
    // The body's end is not told when the client went before it began.
    if (signal.aborted) stream.end();
    else signal.addEventListener('abort', () => stream.end(), { once: true });
    return stream;
  }

  /** Ends all streams; who may still listen comes again. */
  endAll(): void {
    for (const channel of this.#channels.values()) channel.end();
  }

  /** Ends all streams, and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  #sum(count: 'size' | 'waiting'): number {
    return [...this.#channels.values()].reduce((sum, channel) => sum + channel[count], 0);
  }

  /** A new one begins where the log ended when its first listener was told: read again, it might end after a record that nobody tells of. */
  #channelOf({ root, data }: Workspace, end: LogPosition): Channel {
    const id = idOf({ data });
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const onEmpty = (): void => {
      this.#channels.delete(id);
      if (this.#channels.size === 0) this.#sleep?.();
    };
    const channel = new Channel(end, { ...this.#options, place: { root, data }, onEmpty });
    this.#channels.set(id, channel);
    this.#wakeUp();
    return channel;
  }

  #wakeUp(): void {
    if (this.#sleep !== undefined) return;
    const beating = setInterval(() => {
      for (const channel of this.#channels.values()) channel.beat();
    }, this.#options.beatEvery).unref();
    const stopListening = this.#options.jobs.listen((state) => this.#channels.get(state.workspace)?.tellProgress(state));
    this.#sleep = () => {
      clearInterval(beating);
      stopListening();
      this.#sleep = undefined;
    };
  }
}
