import { agentSession, aimAtFork, aimMerge, aimSwitchIn, compareBranches, forkConversation, viewForks } from '../../engine/index.ts';
import type { MessageId } from '../../model/index.ts';
import { comparisonJson, forkMadeJson, forksJson } from '../../shapes/forks.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';
import { perform } from '../perform.ts';

export const forkHandlers: HandlersOf<'getForkTree' | 'rollBackToFork' | 'switchBranch' | 'forkSession' | 'compareForks' | 'mergeForks'> = {
  getForkTree: ({ workspace, params, query }) => forksJson(viewForks(workspace, params.session, query)),
  rollBackToFork: (asked) => {
    const { workspace, params, body } = asked;
    const { fork, at, scope } = body;
    const place = fork !== undefined ? { fork } : at !== undefined ? { at: at as MessageId | null } : undefined;
    return perform(asked, 'rollBackToFork', aimAtFork(workspace, params.session, place, scope));
  },
  switchBranch: (asked) => {
    const { workspace, params, body } = asked;
    return perform(asked, 'switchBranch', aimSwitchIn(workspace, params.session, body.branch));
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
  mergeForks: (asked) => {
    const { workspace, body } = asked;
    return perform(asked, 'mergeForks', aimMerge(workspace, body.a, body.b, choiceOf(workspace, body)));
  },
};
