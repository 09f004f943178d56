import { randomUUID } from 'node:crypto';
import type { Progress } from '../daemon/calls.ts';
import { now } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';
import { BadRequest } from './problem.ts';

/** Work that takes a while, as it is told to those who follow it. */
export interface JobState {
  readonly id: string;
  /** The route's name. */
  readonly kind: string;
  /** The workspace's id. */
  readonly workspace: string;
  readonly startedAt: string;
  readonly progress: Progress | null;
  readonly state: 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
}

/** The work's side of it. */
export interface Job {
  readonly id: string;
  /** Aborted when it is to end at the next safe point. */
  readonly signal: AbortSignal;
  tell(progress: Progress): void;
}

const MOST_AT_ONCE = 64;

/** What is under way, who wants to know of it, and how it is ended. */
export class Jobs {
  readonly #running = new Map<string, { state: JobState; readonly end: AbortController }>();
  readonly #idle: (() => void)[] = [];
  readonly #listeners = new Set<(state: JobState) => void>();

  list(): JobState[] {
    return [...this.#running.values()].map(({ state }) => state);
  }

  /** Tells of each job from its beginning to its end. Returns what takes the listener off again. */
  listen(listener: (state: JobState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Does a piece of work under a name that nothing else has now. */
  async run<T>(named: { id?: string | undefined; kind: string; workspace: string }, work: (job: Job) => Promise<T>): Promise<T> {
    const { id = randomUUID(), kind, workspace } = named;
    if (this.#running.has(id))
      throw new BadRequest('bad-request', `There is a job ${id} already`, { hint: 'Give each a name of its own.' });
    if (this.#running.size >= MOST_AT_ONCE) throw new BadRequest('busy', 'Too much is under way', { hint: 'Try again in a moment.' });
    const end = new AbortController();
    this.#running.set(id, { end, state: { id, kind, workspace, startedAt: now().toISOString(), progress: null, state: 'running' } });
    this.#change(id, {});
    try {
      const result = await work({ id, signal: end.signal, tell: (progress) => this.#change(id, { progress }) });
      this.#change(id, { state: 'done' });
      return result;
    } catch (error) {
      // What was to be cancelled may have failed by itself, which is something else.
      this.#change(id, { state: error instanceof RetakeError && error.code === 'interrupted' ? 'cancelled' : 'failed' });
      throw error;
    } finally {
      this.#running.delete(id);
      for (const tell of this.#idle.splice(0)) tell();
    }
  }

  /** Asks it to end; undefined where there is none. It may still be done before it hears of it. */
  cancel(id: string): JobState | undefined {
    const job = this.#running.get(id);
    if (job === undefined || job.end.signal.aborted) return job?.state;
    job.end.abort();
    return this.#change(id, { state: 'cancelling' });
  }

  /** Asks all to end, and waits until they have: at a safe point, or done. */
  async end(): Promise<void> {
    for (const id of this.#running.keys()) this.cancel(id);
    while (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #change(id: string, change: Partial<JobState>): JobState | undefined {
    const job = this.#running.get(id);
    if (job === undefined) return undefined;
    job.state = { ...job.state, ...change };
    for (const listener of this.#listeners) listener(job.state);
    return job.state;
  }
}
