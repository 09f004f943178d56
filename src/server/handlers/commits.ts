import { agentSession, commitAt, readSessionSteps, resolveRevert } from '../../engine/index.ts';
import { gitCommitJson } from '../../json/git-commit.ts';
import { operationJson } from '../../json/operation.ts';
import { previewOrApply } from '../apply-plan.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';
import { pageOf } from '../page.ts';

export const commitHandlers: HandlersOf<'listCommits' | 'getGitCommit' | 'revertCommit'> = {
  listCommits: ({ workspace, params, query }) => {
    const steps = readSessionSteps(workspace, params.session, query);
    const { items, total, next } = pageOf(steps, ({ operation }) => operation.id, query);
    return { commits: items.map(operationJson), total, next };
  },
  getGitCommit: async ({ workspace, params }) => gitCommitJson(await commitAt(workspace, params.commit)),
  revertCommit: (context) => {
    const { workspace, params, body } = context;
    const session = body.session === undefined ? undefined : agentSession(workspace, body.session);
    return previewOrApply(context, 'revertCommit', resolveRevert(workspace, params.commit, { session, ...choiceOf(workspace, body) }));
  },
};
