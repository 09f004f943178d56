import { ask } from '../client/ask.ts';
import type { Branch, Scope } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { usePlans } from '../plan/plans.tsx';
import { forkPointPlan, mergePlan, switchPlan } from './fork-plans.ts';
import type { Fork } from './fork-tree.ts';

type Named = Pick<Branch, 'branch' | 'title'>;

/** What can be done with branches: each is shown as a plan first. */
export const useForkPlans = () => {
  const { runPlan } = usePlans();
  const where = { ask, workspace: useWorkspaceId() };
  return {
    switchTo: (branch: Named & Pick<Branch, 'sessionId'>): void => runPlan(switchPlan(where, branch)),
    backTo: (fork: Fork, sessionId: string, scope: Scope): void => runPlan(forkPointPlan(where, { sessionId, fork, scope })),
    merge: (present: Named, other: Named): void => runPlan(mergePlan(where, present, other)),
  };
};
