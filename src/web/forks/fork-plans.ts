import type { Client } from '../../api/index.ts';
import type { Done, Scope } from '../client/types.ts';
import type { Branching } from '../plan/recovery-branch.ts';
import { type Branch, type Fork, titleOf } from './fork-tree.ts';

/** Where a plan is asked for, and carried out. */
interface Where {
  readonly ask: Client;
  readonly workspace: string;
}

interface Carrying {
  readonly expectedTree: string;
  readonly job: string;
  readonly branching?: Branching;
}

interface Choosing {
  readonly onConflict: 'ours' | 'theirs' | 'manual' | 'skip' | 'abort';
  readonly resolve: readonly { readonly path: string; readonly choice: 'ours' | 'theirs' | 'manual' | 'skip' }[];
}

type Named = Pick<Branch, 'branch' | 'title'>;

/** Going to a branch: its code as it was last, and its conversation. */
export const switchPlan = ({ ask, workspace }: Where, branch: Named & Pick<Branch, 'sessionId'>) => {
  const where = { params: { session: branch.sessionId }, workspace };
  const body = { branch: branch.branch };
  return {
    title: `Switch to “${titleOf(branch)}”`,
    action: 'Switch',
    preview: (_: Choosing, signal: AbortSignal) => ask('switchBranch', { ...where, body: { ...body, dryRun: true }, signal }),
    apply: async ({ expectedTree, job, branching }: Carrying) =>
      (await ask('switchBranch', { ...where, body: { ...body, expectedTree, job, ...branching } })) as Done,
    said: () => `You are on “${titleOf(branch)}” now`,
  };
};

/** Going back to where a branch parted from the others. */
export const forkPointPlan = (
  { ask, workspace }: Where,
  { sessionId, fork, scope }: { readonly sessionId: string; readonly fork: Pick<Fork, 'id' | 'at'>; readonly scope: Scope },
) => {
  const where = { params: { session: sessionId }, workspace };
  // One that nobody has recorded yet is known by its message.
  const body = { ...(fork.id === null ? { at: fork.at } : { fork: fork.id }), scope };
  return {
    title: 'Roll back to the fork point',
    action: 'Roll back',
    preview: (_: Choosing, signal: AbortSignal) => ask('rollBackToFork', { ...where, body: { ...body, dryRun: true }, signal }),
    apply: async ({ expectedTree, job, branching }: Carrying) =>
      (await ask('rollBackToFork', { ...where, body: { ...body, expectedTree, job, ...branching } })) as Done,
    said: () => 'You are back at the fork point',
  };
};

/** Taking the code of another branch into the present one. */
export const mergePlan = ({ ask, workspace }: Where, present: Named, other: Named) => {
  const asking = ({ onConflict, resolve }: Choosing) => ({ a: present.branch, b: other.branch, onConflict, resolve: [...resolve] });
  return {
    title: `Merge “${titleOf(other)}” into “${titleOf(present)}”`,
    action: 'Merge',
    preview: (choices: Choosing, signal: AbortSignal) =>
      ask('mergeForks', { workspace, body: { ...asking(choices), dryRun: true }, signal }),
    apply: async ({ expectedTree, job, branching, ...choices }: Carrying & Choosing) =>
      (await ask('mergeForks', { workspace, body: { ...asking(choices), expectedTree, job, ...branching } })) as Done,
    said: () => `The code of “${titleOf(other)}” is in “${titleOf(present)}” now`,
  };
};
