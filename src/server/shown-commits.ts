import { commitsToBe, type KeepPlan, type Recovering, type RecoveryInGit, type Workspace } from '../engine/index.ts';
import { recoveryCommitsJson } from '../json/recovery.ts';
import { type MergeChoice, RetakeError } from '../model/index.ts';

const MARK = '~commits:';

/** The word for a plan that was shown, with the commits that were shown beside it: none but those are made. */
export const sealedWith = (planned: RecoveryInGit<KeepPlan>, expectedTree = ''): string =>
  typeof planned === 'object' ? `${expectedTree}${MARK}${planned.expected}` : expectedTree;

export interface Shown {
  readonly expectedTree: string | undefined;
  readonly commits: Pick<KeepPlan, 'expected'> | undefined;
}

export const shownBy = (word: string | undefined): Shown => {
  const [expectedTree = '', expected] = word?.split(MARK) ?? [];
  return { expectedTree: expectedTree === '' ? undefined : expectedTree, commits: expected === undefined ? undefined : { expected } };
};

interface Previewed {
  readonly expectedTree?: string;
  readonly conflicts: readonly { readonly choice: MergeChoice | null }[];
}

/** Refuses to make commits that were not shown; `preview` tells what they are shown with. */
export const assertCommitsShown = async (
  workspace: Workspace,
  recovering: Recovering,
  shown: Shown,
  preview: () => Promise<Previewed>,
): Promise<void> => {
  if (!recovering.commits || shown.commits !== undefined) return;
  const previewed = await preview();
  const planned = await commitsToBe(workspace, recovering, previewed.conflicts);
  if (typeof planned !== 'object') return;
  throw new RetakeError('needs-confirmation', 'These commits were not shown yet; nothing was changed', {
    hint: 'Look at details.plan, and ask again with its expectedTree.',
    details: { plan: { ...previewed, ...recoveryCommitsJson(planned), expectedTree: sealedWith(planned, previewed.expectedTree) } },
  });
};
