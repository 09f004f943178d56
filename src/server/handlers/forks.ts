import {
  agentSession,
  compareBranches,
  forkConversation,
  resolveForkRewind,
  resolveMerge,
  resolveSwitchIn,
  viewForks,
} from '../../engine/index.ts';
import { comparisonJson, forkMadeJson, forksJson } from '../../json/forks.ts';
import type { MessageId } from '../../model/index.ts';
import { previewOrApply } from '../apply-plan.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';

export const forkHandlers: HandlersOf<'getForkTree' | 'rollBackToFork' | 'switchBranch' | 'forkSession' | 'compareForks' | 'mergeForks'> = {
  getForkTree: ({ workspace, params, query }) => forksJson(viewForks(workspace, params.session, query)),
  rollBackToFork: (context) => {
    const { workspace, params, body } = context;
    const { fork, at, scope } = body;
    const place = fork !== undefined ? { fork } : at !== undefined ? { at: at as MessageId | null } : undefined;
    return previewOrApply(context, 'rollBackToFork', resolveForkRewind(workspace, params.session, place, scope));
  },
  switchBranch: (context) => {
    const { workspace, params, body } = context;
    return previewOrApply(context, 'switchBranch', resolveSwitchIn(workspace, params.session, body.branch));
  },
  forkSession: async ({ workspace, params, query, body }) => {
    const session = agentSession(workspace, params.session);
    return forkMadeJson(
      await forkConversation(workspace, body.checkpoint, {
        session,
        branch: query.branch,
        name: body.name,
        ...(body.summary === undefined ? {} : { summary: body.summary }),
      }),
    );
  },
  compareForks: ({ workspace, body }) => comparisonJson(compareBranches(workspace, body.a, body.b)),
  mergeForks: (context) => {
    const { workspace, body } = context;
    return previewOrApply(context, 'mergeForks', resolveMerge(workspace, body.a, body.b, choiceOf(workspace, body)));
  },
};
