import { setTimeout as sleep } from 'node:timers/promises';
import { type CommitTime, commitLock, commitSteps, isWorkOver, Workspace } from '../engine/index.ts';
import type { Lock } from '../host/index.ts';
import { type AgentEvent, type SessionId, toText } from '../model/index.ts';
import type { Log } from './log.ts';

/** The agent gets its answer first: it tends to be on the same core. */
const AFTER_ANSWER = 3;

/** Nobody may be there to commit it later. */
const LAST: CommitTime = { after: 'after-step', isLast: true };

interface StepCommitsOptions {
  readonly log: Log;
  /** Whether the process stays, to commit later what is due later. */
  readonly stays: boolean;
}

/**
 * Makes commits of an agent's steps beside the hooks of one workspace, in the order of the steps (GIT-1, history mode `branch`). It has a
 * `Workspace` of its own, so that nothing here is in the way of those who record but the workspace's lock, for a moment each time.
 *
 * Invariant: as long as something is pending that is due, the commit lock is held, or waited for.
 */
export class StepCommits {
  readonly #place: Pick<Workspace, 'root' | 'data' | 'settings'>;
  readonly #options: StepCommitsOptions;
  readonly #lock: Lock;
  /** When commits are made of each session with something pending, in the order of the sessions. */
  readonly #pending = new Map<SessionId, CommitTime>();
  readonly #heard = new Set<SessionId>();
  /** Of sessions whose steps wait for others. */
  readonly #timers = new Map<SessionId, NodeJS.Timeout>();
  #workspace: Promise<Workspace> | undefined;
  #running: Promise<void> | undefined;
  #isClosing = false;

  constructor(place: Pick<Workspace, 'root' | 'data' | 'settings'>, options: StepCommitsOptions) {
    this.#place = place;
    this.#options = options;
    this.#lock = commitLock(place);
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** To be called before the hook has its answer: who goes back after that finds the lock held. */
  add({ session, kind }: Pick<AgentEvent, 'session' | 'kind'>): void {
    this.#heard.add(session);
    if (isWorkOver(kind)) this.#commit(session, { after: kind });
  }

  /** Commits what another process recorded and did not live to commit. Of sessions that go on, their next event takes care. */
  catchUp(sessions: readonly SessionId[]): void {
    for (const session of sessions) if (!this.#heard.has(session)) this.#commit(session, LAST);
  }

  /** Commits what is due; of what would be due later the next event of that session takes care, unless we are the ones who would. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const [session, timer] of this.#timers) {
      clearTimeout(timer);
      if (this.#options.stays) this.#commit(session, LAST);
    }
    while (this.#running !== undefined) await this.#running;
    this.#lock.close();
    (await this.#workspace?.catch(() => undefined))?.close();
  }

  #commit(session: SessionId, time: CommitTime): void {
    this.#pending.set(session, time);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      if (this.#lock.tryAcquire()) await this.#commitPending().finally(() => this.#lock.release());
      else await this.#lock.hold(() => this.#commitPending());
    } catch (error) {
      // The next event tries again.
      this.#pending.clear();
      this.#tell(error);
    }
    // Something may have come after the last look.
    this.#running = this.#pending.size > 0 ? this.#run() : undefined;
  }

  async #commitPending(): Promise<void> {
    await sleep(AFTER_ANSWER);
    for (let [next] = this.#pending; next !== undefined; [next] = this.#pending) {
      const [session, time] = next;
      this.#pending.delete(session);
      clearTimeout(this.#timers.get(session));
      this.#timers.delete(session);
      try {
        const dueIn = await commitSteps(await this.#open(), session, time);
        if (dueIn !== null && !this.#isClosing) this.#timers.set(session, this.#later(session, dueIn));
      } catch (error) {
        this.#tell(error);
      }
    }
  }

  #later(session: SessionId, delay: number): NodeJS.Timeout {
    return setTimeout(() => this.#commit(session, { after: 'after-step' }), delay);
  }

  #open(): Promise<Workspace> {
    this.#workspace ??= Workspace.openAt(this.#place, { settings: this.#place.settings });
    return this.#workspace;
  }

  #tell(error: unknown): void {
    this.#options.log(`${toText(this.#place.root)}: steps are not committed: ${error instanceof Error ? error.message : error}`);
  }
}
