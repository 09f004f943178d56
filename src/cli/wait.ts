import { type RunningStep, readRunningSteps, stepsEnded, type Workspace } from '../engine/index.ts';
import { isWanted } from './confirm.ts';
import { hint, oneLine, relativeTime } from './output.ts';

interface WaitFlags {
  /** Defined for verbs that change the workspace by a plan. */
  readonly wait?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Waits for the end of steps that run, where that is asked for; on a terminal somebody is asked. */
export const waitForSteps = async (workspace: Workspace, { wait, yes, dryRun, json }: WaitFlags): Promise<void> => {
  if (wait === undefined) return;
  const steps = readRunningSteps(workspace);
  if (steps.length === 0) return;
  if (!wait) {
    if (yes || dryRun || json) return;
    for (const step of steps) hint(`Not ended yet: ${describe(step)}`);
    if (!(await isWanted('Wait for the end first?'))) return;
  }
  const told = new Set<string>();
  await stepsEnded(workspace, {
    onWait: (running) => {
      for (const step of running) {
        if (!told.has(step.toolUseId)) hint(`Waiting for the end of ${describe(step)} …`);
        told.add(step.toolUseId);
      }
    },
  });
};

const describe = ({ agent, agentType, description, since }: RunningStep): string =>
  `${oneLine(description)} (${oneLine([agent, ...(agentType === null ? [] : [agentType])].join(', '))}${since === null ? '' : `, begun ${relativeTime(since)}`})`;
