import { setTimeout as sleep } from 'node:timers/promises';
import { refuseIfAborted } from '../../host/index.ts';
import type { OperationId, SessionId } from '../../model/index.ts';
import type { Actor, OpenSpan } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type OpenStep, OpenSteps } from './open-steps.ts';

/** A step that an agent began and has told no end of, and that can change something. */
export interface RunningStep {
  readonly session: SessionId;
  readonly agent: string;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly tool: string | null;
  readonly toolUseId: string;
  readonly description: string;
  /** ISO time; null where it is not known. */
  readonly since: string | null;
}

export const readRunningSteps = (workspace: Workspace): RunningStep[] =>
  openSteps(workspace).map(
    ({ session, agent = '', agentId = null, agentType = null, tool = null, toolUseId, description = 'A step', since = null }) => ({
      session,
      agent,
      agentId,
      agentType,
      tool,
      toolUseId,
      description,
      since,
    }),
  );

/** The same as those who may have changed what is not recorded yet. */
export const runningActors = (workspace: Workspace): Actor[] => runningSpans(workspace).map(({ actor }) => actor);

/** With when they began: what others recorded since may be their doing too. */
export const runningSpans = (workspace: Workspace): OpenSpan[] =>
  openSteps(workspace).map((step) => ({ began: step.began, actor: actorOf(step) }));

export const toolUsesOf = (running: readonly Actor[]): string[] => running.flatMap(({ toolUseId }) => toolUseId ?? []);

const actorOf = ({ session, toolUseId, agent = '', description = 'A step', turn = 0, ...step }: OpenStep): Actor => ({
  // There is no record of it yet.
  id: '' as OperationId,
  session,
  agent,
  agentId: step.agentId ?? null,
  agentType: step.agentType ?? null,
  turn,
  tool: step.tool ?? null,
  toolUseId,
  description,
  touches: step.touches ?? null,
});

const openSteps = (workspace: Workspace): OpenStep[] => (workspace.isProtected ? new OpenSteps(workspace).running() : []);

interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: (steps: readonly RunningStep[]) => void;
}

const PAUSE = 200;

/** Returns when no step runs any more. */
export const stepsEnded = async (workspace: Workspace, { signal, onWait }: Waiting = {}): Promise<void> => {
  for (let steps = readRunningSteps(workspace); steps.length > 0; steps = readRunningSteps(workspace)) {
    onWait?.(steps);
    await sleep(PAUSE);
    refuseIfAborted(signal);
  }
};

/** Whoever goes back should know that the agent goes on, and which files are its. */
export const warningsOfRunning = (steps: readonly RunningStep[]): string[] =>
  steps.map(
    ({ agent, agentType, description, since }) =>
      `${agent || 'an agent'}${agentType === null ? '' : ` (${agentType})`} began a step${since === null ? '' : ` at ${since}`} and has not told of its end: ${description}; ` +
      "what changed since counts as the agent's, and it may change more afterwards",
  );
