import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, encodeNews } from '../agents/index.ts';
import { currentSettings, isProtected, placeOfWorkspace, recordEvent, type Settings, settingsAsFarAsRight } from '../engine/index.ts';
import { dataDirectory, effects } from '../host/index.ts';
import { type AgentEvent, type ErrorCode, RetakeError, systemCode, toText } from '../model/index.ts';
import { answerCall, type Listener } from './calls.ts';
import { describe, type Log } from './log.ts';
import type { DaemonCall, HookAnswer, HookEvent, PoolStatus } from './protocol.ts';
import { spoolEvent } from './spool.ts';
import { startDaemon } from './start.ts';
import { noteTrouble, type Trouble } from './trouble.ts';
import { Upkeep } from './upkeep.ts';
import { type Life, WarmWorkspace } from './warm-workspace.ts';

/** What may be otherwise in a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['no-space', 'permission', 'store-busy']);

/** Workspaces kept open; those used longest ago are closed. */
const MOST_KEPT = 16;

/**
 * Keeps the workspaces that are worked in warm, within what the machine gives: watches and memory go to those used last.
 */
export class WorkspacePool {
  readonly #log: Log;
  readonly #life: Life;
  readonly #warm = new Map<string, Promise<WarmWorkspace>>();
  readonly #open = new Set<WarmWorkspace>();
  readonly #upkeep: Upkeep;
  readonly #roots = new Map<string, { readonly data: string; readonly identity: string }>();
  /** What was said of the settings of a workspace last, by its data directory. */
  readonly #wrongSettings = new Map<string, string>();

  constructor(log: Log, life: Life = 'stays') {
    this.#log = log;
    this.#life = life;
    this.#upkeep = new Upkeep(log);
  }

  /** Records an agent's event. Rejects only when nothing can be recorded now; whatever else is wrong is noted for the user. */
  async record(event: HookEvent, late?: { readonly ms: number }, asked?: number): Promise<HookAnswer> {
    let decoded: AgentEvent | null = null;
    try {
      decoded = decodeEvent(event.agent, event.payload);
      if (decoded === null) return { output: '' };
      const told = decoded;
      const data = this.#dataOf(told.directory);
      const settings = this.#settingsFor(event, told, data);
      const isLate = late !== undefined && late.ms > settings['hook.deadlineMs'];
      const isRecorded = await this.#recordApart(event, told, data);
      const warm = await this.#keep(told.directory, data, settings);
      if (isRecorded) {
        warm.warmUp();
        return { output: '' };
      }
      const circumstances = { late: isLate ? Math.round(late.ms) : undefined, isUnheard: late !== undefined, process: event.process };
      const { news } = await warm.run((workspace) => recordEvent(workspace, told, circumstances), asked);
      warm.commitStepsSoon(told);
      if (told.kind === 'turn-end') warm.auditSoon();
      if (told.place.toolUseId === undefined) warm.lookForForksSoon();
      if (news !== null) return { output: encodeNews(event.agent, event.payload, news) };
    } catch (error) {
      // Not the event's fault: whoever sent it keeps it and tries again.
      if (error instanceof RetakeError && PASSING.has(error.code)) throw error;
      if (!(error instanceof RetakeError)) this.#log(`an event of ${event.agent} failed: ${describe(error)}`);
      this.#note({ agent: event.agent, problem: describeBriefly(error), ...(decoded === null ? {} : { directory: decoded.directory }) });
    }
    return { output: '' };
  }

  /** Wrong ones are told of, once as long as they stay the same, and stop no recording. */
  #settingsFor({ agent }: HookEvent, { directory }: AgentEvent, data: string): Settings {
    const { settings, problem } = settingsAsFarAsRight(data);
    const problemText = problem === null ? '' : describeBriefly(problem);
    if (problemText !== '' && problemText !== this.#wrongSettings.get(data))
      this.#note({ agent, problem: `${problemText}. What is built in counts meanwhile`, directory });
    this.#wrongSettings.set(data, problemText);
    return settings;
  }

  /** An event that nobody can record is not to be tried for ever only because nobody can be told. */
  #note(trouble: Omit<Trouble, 'at'>): void {
    try {
      noteTrouble(trouble);
    } catch (error) {
      this.#log(`${trouble.problem}; and that could not be noted: ${describe(error)}`);
    }
  }

  /**
   * The first record of a large workspace takes memory that a process never gives back, so that another one makes it. False
   * where that is not called for, or did not work out.
   */
  async #recordApart(event: HookEvent, { directory }: AgentEvent, data: string): Promise<boolean> {
    if (this.#life === 'once' || this.#warm.has(data) || isProtected(directory)) return false;
    const path = spoolEvent(event);
    await startDaemon('once').ended;
    if (!existsSync(path)) return true;
    effects.unlink(path);
    return false;
  }

  /** The same for all events of a workspace. */
  laneOf({ agent, payload }: HookEvent): string {
    try {
      const event = decodeEvent(agent, payload);
      return event === null ? '' : this.#dataOf(event.directory);
    } catch {
      return '';
    }
  }

  /** Anything else that a face asks for. */
  async call(call: DaemonCall, listener: Listener): Promise<unknown> {
    const warm = await this.#keep(call.directory);
    return warm.run((workspace) => answerCall(workspace, call, listener));
  }

  get isBusy(): boolean {
    return [...this.#open].some((warm) => warm.isBusy);
  }

  /** Has stores looked after that nobody has used for a while; to be called now and then. */
  maintainIdle(): void {
    this.#upkeep.consider(this.#open);
  }

  status(): PoolStatus {
    return { workspaces: [...this.#open].map((warm) => warm.status()) };
  }

  async close(): Promise<void> {
    const all = [...this.#warm.values()];
    this.#warm.clear();
    for (const opening of all) await this.#end(opening);
  }

  async #keep(directory: string, data = this.#dataOf(directory), settings = currentSettings(data)): Promise<WarmWorkspace> {
    const before = await this.#warm.get(data)?.catch(() => undefined);
    // Settings that changed, for all workspaces or for this one, are in force for the next request.
    if (before?.workspace.settings === settings) {
      await this.#makeRoom(before);
      return before;
    }
    if (before !== undefined) await this.#close(data);
    const opening =
      this.#warm.get(data) ??
      WarmWorkspace.open(directory, this.#log, { life: this.#life, settings, mayWatch: (...asked) => this.#mayWatch(...asked) });
    this.#warm.set(data, opening);
    try {
      const warm = await opening;
      this.#open.add(warm);
      await this.#makeRoom(warm);
      return warm;
    } catch (error) {
      this.#warm.delete(data);
      throw error;
    }
  }

  /** Those that name the root of a workspace are told apart by two questions, as long as it is the same directory. */
  #dataOf(directory: string): string {
    const stat = statSync(directory, { throwIfNoEntry: false });
    const known = this.#roots.get(directory);
    // Folders come and go there when a directory adopts what was recorded elsewhere.
    const folders = statSync(join(dataDirectory(), 'workspaces'), { throwIfNoEntry: false });
    const identity = `${stat?.dev} ${stat?.ino} ${stat?.birthtimeMs} ${folders?.mtimeMs}`;
    if (known?.identity === identity && this.#warm.has(known.data)) return known.data;
    const { data, root } = placeOfWorkspace(directory);
    if (toText(root) === directory) this.#roots.set(directory, { data, identity });
    return data;
  }

  async #makeRoom(newest: WarmWorkspace): Promise<void> {
    const others = [...this.#open].filter((warm) => warm !== newest && !warm.isBusy).sort((a, b) => a.lastUsed - b.lastUsed);
    while (this.#open.size > MOST_KEPT && others.length > 0) await this.#close((others.shift() as WarmWorkspace).workspace.data);
    // The system's own limit was met before ours.
    if (newest.isRefused) others.find((warm) => warm.watches > 0)?.giveBackWatches();
    this.#freeWatches(newest, newest.watches, newest.workspace.settings['daemon.maxWatches']);
  }

  /** Whether a workspace of so many directories can be watched; those used longest ago make room for it. */
  #mayWatch(newest: WarmWorkspace, directories: number): boolean {
    const most = newest.workspace.settings['daemon.maxWatches'];
    if (directories > most) return false;
    this.#freeWatches(newest, directories, most);
    return true;
  }

  #freeWatches(newest: WarmWorkspace, needed: number, most: number): void {
    const others = [...this.#open].filter((warm) => warm !== newest && warm.watches > 0).sort((a, b) => a.lastUsed - b.lastUsed);
    let watches = others.reduce((sum, warm) => sum + warm.watches, needed);
    for (const warm of others.filter(({ isBusy }) => !isBusy)) {
      if (watches <= most) return;
      watches -= warm.watches;
      warm.giveBackWatches();
    }
  }

  async #close(data: string): Promise<void> {
    const opening = this.#warm.get(data);
    this.#warm.delete(data);
    if (opening !== undefined) await this.#end(opening);
  }

  async #end(opening: Promise<WarmWorkspace>): Promise<void> {
    const warm = await opening.catch(() => undefined);
    if (warm === undefined) return;
    this.#open.delete(warm);
    this.#roots.delete(toText(warm.workspace.root));
    await warm.close().catch((error) => this.#log(`closing ${warm.workspace.data} failed: ${describe(error)}`));
  }
}

const describeBriefly = (error: unknown): string =>
  error instanceof RetakeError ? error.message : `${systemCode(error) ?? 'unexpected'}: ${error instanceof Error ? error.message : error}`;
