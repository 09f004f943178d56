import { RetakeError, type WorkspaceState } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { ReplayChoice } from '../recover/replay-request.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { readConversations, resolveBranch } from './branches.ts';
import { partingOf } from './compare.ts';
import { lastOf } from './switch.ts';

/** Taking the code of one branch into the other, which must be the one that is gone on with: its code is the present (FRK-6). */
export const resolveMerge = (workspace: Workspace, addressA: string, addressB: string, choice: ReplayChoice): RollbackRequest => {
  const conversations = readConversations(workspace);
  const [a, b] = [resolveBranch(conversations, addressA), resolveBranch(conversations, addressB)];
  const { states } = partingOf(workspace, conversations, a, b);
  const { current } = conversations;
  if (current !== a && current !== b) {
    throw new RetakeError('other-branch', 'Neither of them is the branch that is gone on with', {
      hint: `Go to one of them first: retake switch ${a.id}`,
    });
  }
  const [ours, theirs] = current === a ? [a, b] : [b, a];
  const target = lastOf(workspace, conversations, theirs);
  const step = {
    id: target.id,
    title: theirs.title,
    before: states.base,
    after: target.state as WorkspaceState,
    labels: { ours: ours.title, base: 'where they parted', theirs: theirs.title },
    standsFor: [],
    takenFrom: target.id,
  };
  return { verb: 'Merge', target, title: theirs.title, replay: { steps: [step], ...choice } };
};
