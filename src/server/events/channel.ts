import { type LogPosition, type News, type Place, positionOf, readLogEnd, readNews, type Workspace } from '../../engine/index.ts';
import type { JobState } from '../jobs.ts';
import type { Workspaces } from '../workspaces.ts';
import { frame } from './frame.ts';
import { LogWatch } from './log-watch.ts';
import { decodePosition, encodePosition } from './position.ts';
import { EventStream, type Page, type StreamOptions } from './stream.ts';
import { framesOf } from './told.ts';

/** Who missed more than that is better off reading anew what it shows. */
const MOST_MISSED = 1000;

/** Read from the log at once. */
const PAGE = 100;

export interface ChannelOptions {
  readonly place: Place;
  readonly workspaces: Workspaces;
  readonly pollEvery: number;
  readonly log: (line: string) => void;
  /** Called when the last of its streams ended. */
  readonly onEmpty: () => void;
}

/** Where a stream begins, and with what. */
export type Start = Pick<StreamOptions, 'position' | 'end' | 'first'>;

/** All who listen to one workspace, and the one watch of its log that they share. */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #streams = new Set<EventStream>();
  readonly #watch: LogWatch;
  /** Up to here everything was handed over. */
  #position: LogPosition;
  #turn: Promise<unknown> = Promise.resolve();
  #problem = '';

  /** What is recorded after `position` is told, whoever listens by then. */
  constructor(position: LogPosition, options: ChannelOptions) {
    const { place, pollEvery } = options;
    this.#options = options;
    this.#position = position;
    this.#watch = new LogWatch(place, { pollEvery, onNews: () => this.#inTurn((leased) => this.#tellNews(leased)) });
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Characters that wait to be taken. */
  get waiting(): number {
    return [...this.#streams].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** The channel ends with the last of them. */
  open(start: Start): EventStream {
    const stream: EventStream = new EventStream({
      ...start,
      read: (after) => this.#inTurn((leased) => pageAfter(leased, after)),
      onEnd: () => this.#remove(stream),
    });
    this.#streams.add(stream);
    return stream;
  }

  tellProgress(state: JobState): void {
    const text = frame({ event: 'progress', data: { ...state } });
    for (const stream of this.#streams) stream.tell(`job ${state.id}`, text);
  }

  beat(): void {
    for (const stream of this.#streams) stream.beat();
  }

  end(): void {
    for (const stream of this.#streams) stream.end();
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#watch.close();
    this.#options.onEmpty();
  }

  #tellNews(workspace: Workspace): void {
    for (;;) {
      const news = readNews(workspace, this.#position, PAGE);
      if (news === undefined || missed(this.#position, news.end) > MOST_MISSED) {
        this.#position = readLogEnd(workspace);
        const text = reset(this.#position, news);
        for (const stream of this.#streams) stream.skipTo(this.#position, text);
        return;
      }
      for (const entry of news.entries) {
        const text = framesOf(entry, news.end.log);
        for (const stream of this.#streams) stream.tellOperation(positionOf(entry.operation, news.end.log), text);
      }
      this.#position = news.position;
      if (news.position === news.end) return;
    }
  }

  /** However many listen, at most one workspace is taken for them, and for a moment only. */
  #inTurn<T>(work: (workspace: Workspace) => T): Promise<T> {
    const done = this.#turn.then(async () => {
      const lease = await this.#options.workspaces.lease(this.#options.place);
      try {
        return work(lease.workspace);
      } finally {
        lease.release();
      }
    });
    this.#turn = done.then(
      () => this.#note(''),
      (error: unknown) => this.#note(`events of ${this.#options.place.data} can not be read: ${error}`),
    );
    return done;
  }

  /** Tried again and again, it fails in the same way for a while. */
  #note(problem: string): void {
    if (problem !== '' && problem !== this.#problem) this.#options.log(problem);
    this.#problem = problem;
  }
}

/** Goes on after the event with this id, or begins with now. */
export const startAfter = (workspace: Workspace, lastId: string | undefined): Start => {
  const end = readLogEnd(workspace);
  if (lastId === undefined) return { position: end, end, first: frame({ event: 'hello', data: {} }, encodePosition(end)) };
  const position = decodePosition(lastId);
  const news = position && readNews(workspace, position, 1);
  if (position === undefined || news === undefined || missed(position, end) > MOST_MISSED)
    return { position: end, end, first: reset(end, news) };
  return { position, end, first: '' };
};

const missed = (position: LogPosition, end: LogPosition): number => end.sequence - position.sequence;

const reset = (end: LogPosition, news: News | undefined): string =>
  frame({ event: 'reset', data: { reason: news === undefined ? 'other-log' : 'too-many' } }, encodePosition(end));

const pageAfter = (workspace: Workspace, after: LogPosition): Page | undefined => {
  const news = readNews(workspace, after, PAGE);
  return news && { text: news.entries.map((entry) => framesOf(entry, news.end.log)).join(''), position: news.position, end: news.end };
};
