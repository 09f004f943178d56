import { reversed } from '../../diff/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { effective, extentOf } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { runningActors, toolUsesOf } from '../record/running-steps.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { type ReplayChoice, type RequestedStep, requestedStep } from './replay-request.ts';
import { refuseImported, stepsOf, workOf } from './session-work.ts';

export interface DiscardRequest extends ReplayChoice {
  readonly session?: SessionId | undefined;
  /** Back to the state at its start, whoever changed what since. */
  readonly all?: boolean | undefined;
}

const LABELS = { ours: 'now', base: "with the agent's work", theirs: "without the agent's work" };

/** Taking a session's work out of the present, with everybody else's kept (GIT-4). */
export const resolveDiscard = (workspace: Workspace, { session: named, all = false, ...choice }: DiscardRequest): RollbackRequest => {
  const work = workOf(workspace, named);
  refuseImported(work);
  const { session, start: target } = work;
  if (all) return { verb: 'Discard', target, title: `the start of session ${session}` };
  const steps = effective(stepsOf(work)).map(
    (step): RequestedStep => ({ ...requestedStep(step), labels: LABELS, takenFrom: step.beforeAt }),
  );
  const running = runningActors(workspace).filter((actor) => actor.session === session);
  const unrecorded = extentOf(running);
  if (steps.length === 0 && unrecorded === undefined) {
    throw new RetakeError('nothing-to-discard', `Nothing that session ${session} changed is in the workspace`, {
      hint: 'retake log tells what was rolled back; retake sessions lists the other sessions.',
    });
  }
  const replay = {
    steps: reversed(steps),
    ...(unrecorded === undefined ? {} : { unrecorded, unrecordedOf: toolUsesOf(running) }),
    ...choice,
  };
  return { verb: 'Discard', target, title: `session ${session}`, replay };
};
