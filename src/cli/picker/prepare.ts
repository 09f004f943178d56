import {
  type Aim,
  aimRewind,
  aimUndo,
  describePlan,
  type ForkResult,
  forkConversation,
  plannedBranch,
  type RollbackPlan,
  type Workspace,
} from '../../engine/index.ts';
import { type OperationId, RetakeError } from '../../model/index.ts';
import { carryOut, preview, type Watch } from '../carry-out.ts';
import { forkLines } from '../fork-text.ts';
import { count } from '../output.ts';
import { outcomeLines, planLines } from '../plan-text.ts';
import { branchLines, branchOf } from '../recovery-branch.ts';
import { UNRECORDED, type Weighed } from './choices.ts';
import type { Order, Outcome, Prepared, RewindOrder, TalkOrder } from './order.ts';

/** What is possible at a place, before any plan is made. */
export const weigh = (workspace: Workspace, id: OperationId | null): Weighed => {
  if (id === null) return UNRECORDED;
  try {
    const { conversation } = aimRewind(workspace, id, { scope: 'conversation' });
    const { turnsBefore = 0, messages = 0 } = conversation ?? {};
    return { code: { reason: null }, conversation: { reason: null, before: turnsBefore, after: messages } };
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    return { code: { reason: null }, conversation: { reason: error.message, before: 0, after: 0 } };
  }
};

/** Works out what an order would do; changes nothing. */
export const prepare = async (workspace: Workspace, order: Order, watch: Watch): Promise<Prepared> => {
  switch (order.do) {
    case 'talk':
      return prepareTalk(workspace, order);
    case 'undo':
      return prepareAim(workspace, order, aimUndo(workspace, order.rollback), watch);
    case 'rewind':
      return prepareRewind(workspace, order, watch);
  }
};

/** What the person changed stays by default, where there is such a thing. */
const prepareRewind = async (workspace: Workspace, order: RewindOrder, watch: Watch): Promise<Prepared> => {
  const plain = await prepareAim(workspace, order, aimAt(workspace, order, false), watch);
  if (!plain.hasMine || order.keepMine === false) return plain;
  const keeping = await prepareAim(workspace, order, aimAt(workspace, order, true), watch);
  return { ...keeping, hasMine: true };
};

const aimAt = (workspace: Workspace, { target, scope, only, onConflict }: RewindOrder, keepMine: boolean): Aim =>
  aimRewind(workspace, target, { scope, only: only ?? undefined, keepMine, choice: { choices: [], rest: onConflict } });

const prepareAim = async (workspace: Workspace, order: Order, aim: Aim, watch: Watch): Promise<Prepared> => {
  const plan = await preview(workspace, aim, watch);
  const described = describePlan(workspace, plan);
  const branch = await plannedBranch(workspace, aim, {});
  return {
    order,
    lines: [...planLines(described), ...branchLines(branch)],
    planned: { aim, plan, branch },
    files: described.steps.map(({ path, type, lines }) => ({ path, type, lines })),
    hasMine: plan.shares.some(({ by }) => by === 'person' || by === 'both'),
    keepsMine: plan.keepsMine ?? false,
    conflicts: plan.conflicts.length,
    refusal: refusalOf(plan),
  };
};

const refusalOf = ({ inTheWay, conflicts, steps, conversation, git }: RollbackPlan): string | null => {
  if (inTheWay.length > 0) return 'Something is in the way: move it away first';
  if (conflicts.some(({ choice }) => choice === null))
    return 'Your changes and the agent’s meet in the same lines: choose what to do there';
  if (steps.length === 0 && conversation === undefined && git === undefined) return 'Nothing to change: the workspace is there already';
  return null;
};

const TALK = {
  fork: 'A new session goes on from here; the present one and the code stay as they are',
  from: 'A new session in which all from here on is replaced by a summary; the present one and the code stay as they are',
  upto: 'A new session in which all up to here is replaced by a summary; the present one and the code stay as they are',
} as const;

const prepareTalk = (workspace: Workspace, order: TalkOrder): Prepared => {
  const { conversation } = weigh(workspace, order.target);
  const command = workspace.settings['conversation.summarizer'];
  return {
    order,
    lines: [
      TALK[order.summary ?? 'fork'],
      `${count(conversation.before, 'turn')} before this place, ${count(conversation.after, 'message')} after it`,
      ...(order.summary === null
        ? []
        : [command === '' ? 'The summary is a plain digest' : 'The summary is made by the command that is set']),
    ],
    planned: null,
    files: [],
    hasMine: false,
    keepsMine: false,
    conflicts: 0,
    refusal: null,
  };
};

/** Does what was prepared, exactly as it was shown. */
export const fulfil = async (workspace: Workspace, { order, planned }: Prepared, watch: Watch): Promise<Outcome> => {
  if (planned === null) {
    if (order.do !== 'talk') throw new RetakeError('usage', 'There is no plan to carry out');
    const made: ForkResult = await forkConversation(workspace, order.target, order.summary === null ? {} : { summary: order.summary });
    return { lines: forkLines(made), onward: [], rollback: null };
  }
  const result = await carryOut(workspace, planned.aim, { shown: planned.plan }, watch);
  const { told, onward, hints } = outcomeLines(result);
  const { lines } = await branchOf(workspace, result, planned.branch);
  return { lines: [...told, ...lines], onward: [...onward, ...hints], rollback: result.rollback?.id ?? null };
};
