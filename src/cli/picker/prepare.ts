import {
  describePlan,
  type ForkResult,
  forkConversation,
  isIdle,
  isPersons,
  plannedBranch,
  type RollbackPlan,
  type RollbackRequest,
  resolveRewind,
  resolveUndo,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { forkLines } from '../fork-text.ts';
import { count } from '../output.ts';
import { apply, preview, type Watch } from '../plan-client.ts';
import { outcomeLines, planLines } from '../plan-text.ts';
import { branchLines, branchOf } from '../recovery-branch.ts';
import { NO_RECORD, type Weighed } from './choices.ts';
import type { Order, Outcome, Prepared, RewindOrder, TalkOrder } from './order.ts';
import type { Place } from './places.ts';

/** What is possible at a place, before any plan is made. */
export const weigh = (workspace: Workspace, { target, session }: Place['address']): Weighed => {
  try {
    const { conversation, isUnrecorded } = resolveRewind(workspace, target, { scope: 'conversation', session });
    const { turnsBefore = 0, messages = 0 } = conversation ?? {};
    return {
      code: { reason: isUnrecorded ? NO_RECORD : null },
      conversation: { reason: null, before: turnsBefore, after: messages },
    };
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    // A turn that has no record is called by its number.
    return { code: { reason: session === undefined ? null : NO_RECORD }, conversation: { reason: error.message, before: 0, after: 0 } };
  }
};

/** Works out what an order would do; changes nothing. */
export const prepare = async (workspace: Workspace, order: Order, watch: Watch): Promise<Prepared> => {
  switch (order.do) {
    case 'talk':
      return prepareTalk(workspace, order);
    case 'undo':
      return prepareRequest(workspace, order, resolveUndo(workspace, order.rollback), watch);
    case 'rewind':
      return prepareRequest(workspace, order, requestAt(workspace, order), watch);
  }
};

const requestAt = (workspace: Workspace, { target, session, scope, only, keepMine, onConflict }: RewindOrder): RollbackRequest =>
  resolveRewind(workspace, target, {
    session,
    scope,
    only: only ?? undefined,
    keepMine: keepMine ?? undefined,
    choice: { choices: [], rest: onConflict },
  });

const prepareRequest = async (workspace: Workspace, order: Order, request: RollbackRequest, watch: Watch): Promise<Prepared> => {
  const plan = await preview(workspace, request, watch);
  const described = describePlan(workspace, plan);
  const branch = await plannedBranch(workspace, request, {});
  return {
    order,
    lines: [...planLines(described), ...branchLines(branch)],
    planned: { request, plan, branch },
    files: described.steps.map(({ path, type, lines }) => ({ path, type, lines })),
    hasMine: plan.shares.some(isPersons),
    keepsMine: plan.keepsMine ?? false,
    conflicts: plan.conflicts.length,
    refusal: refusalOf(plan),
  };
};

const refusalOf = (plan: RollbackPlan): string | null => {
  const { inTheWay, conflicts } = plan;
  if (inTheWay.length > 0) return 'Something is in the way: move it away first';
  if (conflicts.some(({ choice }) => choice === null))
    return 'Your changes and the agent’s meet in the same lines: choose what to do there';
  if (isIdle(plan)) return 'Nothing to change: the workspace is there already';
  return null;
};

const TALK = {
  fork: 'A new session goes on from here; the present one and the code stay as they are',
  from: 'A new session in which all from here on is replaced by a summary; the present one and the code stay as they are',
  upto: 'A new session in which all up to here is replaced by a summary; the present one and the code stay as they are',
} as const;

const prepareTalk = (workspace: Workspace, order: TalkOrder): Prepared => {
  const { conversation } = weigh(workspace, order);
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
    const made: ForkResult = await forkConversation(workspace, order.target, {
      session: order.session,
      ...(order.summary === null ? {} : { summary: order.summary }),
    });
    return { lines: forkLines(made), onward: [], rollback: null };
  }
  const result = await apply(workspace, planned.request, { shown: planned.plan }, watch);
  const { told, onward, hints } = outcomeLines(result);
  const { lines } = await branchOf(workspace, result, planned.branch);
  return { lines: [...told, ...lines], onward: [...onward, ...hints], rollback: result.rollback?.id ?? null };
};
