import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkHealthDaily,
  hasToPin,
  pinObjects,
  recordForks,
  type Settings,
  sessionsToCommit,
  WarmMemory,
  Workspace,
} from '../engine/index.ts';
import { exists } from '../host/index.ts';
import { type AgentEvent, type RelativePath, toText } from '../model/index.ts';
import type { Log } from './log.ts';
import type { WatchedWorkspace } from './protocol.ts';
import { StepCommits } from './step-commits.ts';

/** How long nothing must have happened before work that nobody waits for. */
const QUIET = 1500;

/**
 * The same, before what is known of the workspace is written down for processes that have to do without us. What they find may be
 * old: they look at every file anyway, and only read more of them.
 */
const LONG_QUIET = 20_000;

/**
 * How long after an answer its record is put in its place. The system tends to run who waited for the answer on the same core, so
 * that going on at once would keep it waiting. It needs a moment only.
 */
const AFTER_ANSWER = 3;

/** A workspace that is looked into without anybody having ended a turn. */
const AUDIT_EVERY = 30 * 60_000;

/** How often to ask whether the user's git and the store are to be looked at again. */
const CHECK_HEALTH_EVERY = 3_600_000;

/** How soon after a change it is looked at, although nobody asked: the hook that will ask takes longer to start. */
const FORESIGHT = 10;

/** That is to take no more than this share of a core. */
const FORESIGHT_SHARE = 0.04;

/** Without a request for so long, no agent is at work, and nothing is looked at before it is asked for. */
const LIVELY = 60_000;

/** How long to do without what was refused: watches, or copies of objects. */
const REFUSED = 60_000;

/** Whether the process stays for more requests, so that it is worth preparing for them. */
export type Life = 'stays' | 'once';

export interface KeepOptions {
  readonly life?: Life;
  readonly settings?: Settings;
  /** Asked before so many directories are watched. */
  readonly mayWatch?: (warm: WarmWorkspace, directories: number) => boolean;
}

/** One workspace kept warm: opened once, watched, and used by one request after the other. */
export class WarmWorkspace {
  readonly workspace: Workspace;
  readonly #memory: WarmMemory;
  readonly #commits: StepCommits;
  readonly #log: Log;
  readonly #life: Life;
  readonly #mayWatch: NonNullable<KeepOptions['mayWatch']>;
  readonly #signal = new AbortController();
  #turn: Promise<unknown> = Promise.resolve();
  #running = 0;
  #settling: NodeJS.Timeout | undefined;
  #chores: Promise<void> | undefined;
  #isCaughtUp = false;
  #shallAudit = false;
  #hasNewWords = false;
  #auditedAt = performance.now();
  #armAfter = 0;
  #holdAfter = 0;
  #checkHealthAfter = 0;
  #foresight: NodeJS.Timeout | undefined;
  #foreseeAfter = 0;
  #isTooLarge = false;
  lastUsed = performance.now();

  private constructor(workspace: Workspace, log: Log, { life = 'stays', mayWatch = () => true }: KeepOptions) {
    this.workspace = workspace;
    this.#log = log;
    this.#life = life;
    this.#mayWatch = mayWatch;
    this.#commits = new StepCommits(workspace, { log, stays: life === 'stays' });
    this.#memory = new WarmMemory(workspace, {
      cookies: join(workspace.data, `cookies-${process.pid}`),
      onNews: () => this.#foresee(),
    });
    workspace.memory = this.#memory;
    workspace.defersWork = true;
  }

  static async open(directory: string, log: Log, options: KeepOptions = {}): Promise<WarmWorkspace> {
    const onHealed = () => log(`a rollback that was cut short was healed in ${directory}`);
    const { settings } = options;
    return new WarmWorkspace(await Workspace.open({ directory, onHealed, ...(settings === undefined ? {} : { settings }) }), log, options);
  }

  get watches(): number {
    return this.#memory.watches;
  }
  /** The system refused to watch it. */
  get isRefused(): boolean {
    return this.#memory.isRefused;
  }
  get isBusy(): boolean {
    return this.#running > 0 || this.#commits.isBusy;
  }

  status(): WatchedWorkspace {
    const { lastAudit } = this.#memory;
    return {
      root: toText(this.workspace.root),
      tier: this.#memory.tier,
      watches: this.watches,
      problem: this.#memory.problem ?? (this.#isTooLarge ? TOO_LARGE : null),
      lastAudit: lastAudit === undefined ? null : { at: lastAudit.at, differences: lastAudit.missed.length },
    };
  }

  /** One after the other, in the order of the calls. `asked` is when somebody began to wait for it. */
  run<T>(work: (workspace: Workspace) => Promise<T>, asked = performance.now()): Promise<T> {
    this.#running++;
    this.lastUsed = performance.now();
    const result = this.#turn.then(() => {
      this.workspace.timings.askedAt = asked;
      return work(this.workspace);
    });
    this.#turn = result.catch(() => {}).finally(() => this.#finish());
    return result;
  }

  /** What the agent did becomes a commit, where that is wanted (GIT-1): beside the requests, which do not wait for it. */
  commitStepsSoon(event: Pick<AgentEvent, 'session' | 'kind'>): void {
    if (this.workspace.settings['history.mode'] === 'branch') this.#commits.add(event);
  }

  /** Gets ready for requests that are sure to come. */
  warmUp(): void {
    this.#beginChores();
  }

  /** Looks at what was heard to have changed, so that who asks next finds little left to do. */
  lookAhead(): Promise<unknown> {
    this.#turn = this.#turn.then(() => this.#lookAhead());
    return this.#turn;
  }

  /** A turn is over: what the system did not tell of is to be found before the next one (CAP-1). */
  auditSoon(): void {
    this.#shallAudit = true;
  }

  /** Something was said: the conversation may have been continued from an earlier place (FRK-1). */
  lookForForksSoon(): void {
    this.#hasNewWords = true;
  }

  /** Gives back all watches; they are taken again when the workspace is used again. */
  giveBackWatches(): void {
    this.#memory.disarm();
  }

  async close(): Promise<void> {
    this.#signal.abort();
    clearTimeout(this.#foresight);
    clearTimeout(this.#settling);
    await this.#turn;
    await this.#commits.close();
    await this.#settle();
    await this.#chores;
    this.#memory.disarm();
    this.#memory.save();
    this.workspace.close();
  }

  #finish(): void {
    this.#running--;
    this.workspace.timings.askedAt = undefined;
    this.lastUsed = performance.now();
    if (this.#signal.signal.aborted) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#turn = this.#turn.then(() => this.#settle());
    }, AFTER_ANSWER);
    if (this.#life === 'stays') this.#beginChores();
  }

  async #settle(): Promise<void> {
    try {
      await this.workspace.flush();
    } catch (error) {
      this.#log(`${toText(this.workspace.root)}: ${error instanceof Error ? error.message : error}`);
    }
  }

  #foresee(): void {
    const time = performance.now();
    if (this.#foresight !== undefined || this.#life === 'once' || time - this.lastUsed > LIVELY) return;
    this.#foresight = setTimeout(() => this.lookAhead(), Math.max(FORESIGHT, this.#foreseeAfter - time)).unref();
  }

  async #lookAhead(): Promise<void> {
    this.#foresight = undefined;
    // A store that was removed is not to come back for that.
    if (this.#signal.signal.aborted || !this.#memory.hasNews || !exists(this.workspace.storePath)) return;
    const before = process.cpuUsage();
    try {
      await this.workspace.write(() => this.#memory.lookAhead());
      const { user, system } = process.cpuUsage(before);
      this.#foreseeAfter = performance.now() + (user + system) / 1000 / FORESIGHT_SHARE;
    } catch {
      // Whoever asks is told why.
      this.#foreseeAfter = performance.now() + LIVELY;
    }
  }

  #beginChores(): void {
    this.#chores ??= this.#doChores()
      .catch((error) => {
        if (!this.#signal.signal.aborted) this.#log(`upkeep of ${toText(this.workspace.root)} failed: ${error}`);
      })
      .finally(() => {
        this.#chores = undefined;
      });
  }

  /** What makes the next request fast: done when a request is answered, between requests, and out of their way. */
  async #doChores(): Promise<void> {
    if (!this.workspace.isProtected) return;
    await this.#arm();
    if (!this.#isCaughtUp) this.#commits.catchUp(sessionsToCommit(this.workspace));
    this.#isCaughtUp = true;
    do {
      await this.#quiet(QUIET);
      if (this.#hasNewWords) await this.#lookForForks();
      if (this.#mayHold) await this.#hold();
      if (this.#isAuditDue) await this.#audit();
      await this.#checkHealth();
      this.workspace.timings.flush();
      await this.#quiet(LONG_QUIET, () => this.#hasWork);
    } while (this.#hasWork);
    this.#memory.save();
  }

  get #hasWork(): boolean {
    return this.#isAuditDue || this.#hasNewWords || this.#mayHold || this.workspace.timings.isPending;
  }

  get #isAuditDue(): boolean {
    return this.#shallAudit || performance.now() - this.#auditedAt > AUDIT_EVERY;
  }

  /** Where the system refused, it is asked again only after a while: asking takes as long as watching does. */
  async #arm(): Promise<void> {
    if (this.#memory.tier === 'journal' || performance.now() < this.#armAfter) return;
    this.#isTooLarge = false;
    const isArmed = await this.#memory.arm((directories) => {
      this.#isTooLarge = !this.#mayWatch(this, directories);
      return !this.#isTooLarge;
    });
    if (!isArmed && (this.isRefused || this.#isTooLarge)) this.#armAfter = performance.now() + REFUSED;
  }

  /** What writes comes after the requests that came before it, and before those that come then: they have one lock. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #lookForForks(): Promise<void> {
    this.#hasNewWords = false;
    await this.#inTurn(() => recordForks(this.workspace)).catch((error) =>
      this.#log(`looking for forks in ${toText(this.workspace.root)} failed: ${error}`),
    );
  }

  get #mayHold(): boolean {
    return performance.now() >= this.#holdAfter && hasToPin(this.workspace);
  }

  /** Git processes do the work, so that requests are answered meanwhile. */
  async #hold(): Promise<void> {
    try {
      await pinObjects(this.workspace, (work) => this.#inTurn(work));
    } catch (error) {
      this.#holdAfter = performance.now() + REFUSED;
      this.#log(`keeping objects of git for ${toText(this.workspace.root)} failed: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Whether the user's git keeps long enough what it leaves behind (GIT-7), and the store is well. Only looks, so that requests need not wait. */
  async #checkHealth(): Promise<void> {
    if (performance.now() < this.#checkHealthAfter) return;
    this.#checkHealthAfter = performance.now() + CHECK_HEALTH_EVERY;
    await checkHealthDaily(this.workspace).catch((error) =>
      this.#log(`looking at the health of ${toText(this.workspace.root)} failed: ${error}`),
    );
  }

  async #audit(): Promise<void> {
    this.#shallAudit = false;
    this.#auditedAt = performance.now();
    const audit = await this.#memory.audit();
    if (audit !== undefined && audit.missed.length > 0)
      this.#log(`audit of ${toText(this.workspace.root)}: unheard changes in ${audit.missed.slice(0, 10).map(showDirectory).join(', ')}`);
  }

  /** Waits until nothing has happened for so long, or there is something better to do. */
  async #quiet(duration: number, isOver = () => false): Promise<void> {
    for (let wait = duration; wait > 0 && !isOver(); wait = this.lastUsed + duration - performance.now()) {
      await sleep(Math.min(Math.max(wait, 1), QUIET), undefined, { ref: false, signal: this.#signal.signal });
      // The watches may have been lost or given back meanwhile.
      await this.#arm();
    }
  }
}

const TOO_LARGE = 'it has more directories than may be watched (daemon.maxWatches)';

const showDirectory = (directory: RelativePath): string => (directory === '' ? '.' : toText(directory));
