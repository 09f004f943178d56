import { join } from 'node:path';
import { hasEnded, type ProcessName } from '../../host/index.ts';
import type { RelativePath, SessionId } from '../../model/index.ts';
import { isObject, readList, writeList } from '../core/list-file.ts';
import type { Workspace } from '../core/workspace.ts';

/** A step that an agent began and has not ended. */
export interface OpenStep {
  readonly session: SessionId;
  readonly toolUseId: string;
  /** The newest operation when it began, or was last rolled back meanwhile. */
  readonly began: number;
  /** Absent in those that an older version noted. */
  readonly agent?: string;
  readonly agentType?: string;
  readonly tool?: string;
  readonly description?: string;
  readonly turn?: number;
  /** When it began. ISO time. */
  readonly since?: string;
  /** The agent's. */
  readonly process?: ProcessName;
  /** A subagent's: it may go on when the turn that sent it has ended. */
  readonly agentId?: string;
  /** All that it can change; absent when that may be anything. */
  readonly touches?: readonly RelativePath[];
}

/** More than any agent has under way at once: those left over from killed agents are forgotten, oldest first. */
const MOST = 1000;

/** The steps under way in a workspace, whichever process heard of them. Needs the lock. */
export class OpenSteps {
  readonly #path: string;
  #steps: OpenStep[];

  constructor({ data }: Workspace) {
    this.#path = join(data, 'open-steps.json');
    this.#steps = readList(this.#path, isObject);
  }

  /** Begun twice, the first time counts. */
  begin(step: OpenStep): void {
    if (this.began(step.session, step.toolUseId) !== undefined) return;
    this.#write([...this.#steps, step].slice(-MOST));
  }

  began(session: SessionId, toolUseId: string): number | undefined {
    return this.#steps.find((step) => step.session === session && step.toolUseId === toolUseId)?.began;
  }

  /** Those of a session that can change something; the agent's own, or its subagents' too. */
  changing(session: SessionId, { isOwn = false } = {}): OpenStep[] {
    return this.#steps.filter((step) => step.session === session && step.touches?.length !== 0 && !(isOwn && step.agentId !== undefined));
  }

  /** Those of all sessions that can change something, and whose agent is not known to have ended. */
  running(): OpenStep[] {
    return this.#steps.filter(({ touches, process }) => touches?.length !== 0 && !(process !== undefined && hasEnded(process)));
  }

  /** What they did up to an operation is recorded: the rest is what comes after it. */
  goOnFrom(sequence: number): void {
    if (this.#steps.length > 0) this.#replace(this.#steps.map((step) => ({ ...step, began: sequence })));
  }

  /** When the oldest that a session has under way began, its subagents' among them. */
  firstBegun(session: SessionId): number {
    return Math.min(...this.#steps.filter((step) => step.session === session).map(({ began }) => began));
  }

  end(session: SessionId, toolUseId: string): void {
    this.#write(this.#steps.filter((step) => step.session !== session || step.toolUseId !== toolUseId));
  }

  /** A turn that is over has no steps of the agent itself under way, whatever was not heard of them. */
  endTurn(session: SessionId): void {
    this.#write(this.#steps.filter((step) => step.session !== session || step.agentId !== undefined));
  }

  endSession(session: SessionId): void {
    this.#write(this.#steps.filter((step) => step.session !== session));
  }

  #write(steps: OpenStep[]): void {
    if (steps.length !== this.#steps.length) this.#replace(steps);
  }

  #replace(steps: OpenStep[]): void {
    this.#steps = steps;
    writeList(this.#path, steps);
  }
}
