import { reversed } from '../../diff/index.ts';
import { type Checkpoint, type Recorded, RetakeError, sameState } from '../../model/index.ts';
import { attributeChanges, changesBy, effective, extentOf, inForce, stepOf } from '../../timeline/index.ts';
import { actorNamed } from '../attribution/actor-named.ts';
import type { Workspace } from '../core/workspace.ts';
import type { AddressOptions } from '../read/resolve.ts';
import { runningActors, runningSpans, toolUsesOf } from '../record/running-steps.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { reachabilityOf } from './reachability.ts';
import { type ReplayChoice, type RequestedStep, requestedStep } from './replay-request.ts';
import { readAll } from './session-work.ts';

export interface RevertRequest extends ReplayChoice, AddressOptions {}

/** Taking out of the present what one step, turn or agent did, with later work kept (RST-9). */
export const resolveRevert = (workspace: Workspace, address: string, { session, ...choice }: RevertRequest): RollbackRequest => {
  const attributedChanges = workspace.isProtected ? attributeChanges(readAll(workspace), runningSpans(workspace)) : [];
  const named = actorNamed(workspace, attributedChanges, address, { session });
  const { title } = named;
  const known = attributedChanges.filter(({ isGap }) => !isGap);
  const done = 'record' in named ? known.filter(({ at }) => at.id === named.record.id).map(stepOf) : changesBy(known, named.isMeant);
  const changing = effective(done);
  const steps = inForce(changing, reachabilityOf(workspace), (id) => workspace.index.get(id)?.operation);
  const last = steps.findLast(({ before, after }) => !sameState(before, after));
  if (last === undefined) throw nothing(title, changing.length > 0, known.length < attributedChanges.length);
  const labels = { ours: 'now', base: `with ${title}`, theirs: `without ${title}` };
  const request = steps.map((step): RequestedStep => ({ ...requestedStep(step), labels, takenFrom: step.beforeAt }));
  const target = workspace.store.log.read(changing.at(-1)?.checkpoint ?? last.checkpoint) as Recorded<Checkpoint>;
  const running = 'record' in named ? [] : runningActors(workspace).filter(named.isMeant);
  const unrecorded = extentOf(running);
  return {
    verb: 'Revert',
    target,
    title,
    replay: { steps: reversed(request), ...(unrecorded === undefined ? {} : { unrecorded, unrecordedOf: toolUsesOf(running) }), ...choice },
  };
};

const nothing = (title: string, wasDone: boolean, isSomeGone: boolean): RetakeError => {
  const none = `${title} changed nothing${isSomeGone ? ' that is still recorded' : ''}`;
  return new RetakeError('nothing-to-revert', wasDone ? `What ${title} changed is not in the workspace any more` : none, {
    hint: 'retake log lists the steps with what they changed, and what was rolled back.',
  });
};
