import type { Command } from 'commander';
import { compareBranches, NO_AGENT_YET, readForks, resolveMerge, resolveSwitch, type Workspace } from '../../engine/index.ts';
import { comparisonJson, forksJson } from '../../json/forks.ts';
import { type PlanFlags, planFlags, showAndApply } from '../apply-plan.ts';
import { printComparison } from '../comparison.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { drawForks } from '../fork-tree.ts';
import { hint, print, printJson } from '../output.ts';
import { paged } from '../pager.ts';
import { withProgress } from '../progress.ts';
import { BRANCH_WORDS, type BranchFlags, branchFlags } from '../recovery-branch.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const BRANCH = 'a branch by its id, or by a session that is on it; @ for the present one';

const FORKS: Guide = {
  examples: [
    ['retake forks', 'conversations that were continued in several ways'],
    ['retake forks --all', 'all others too'],
  ],
};

const COMPARE: Guide = {
  examples: [
    ['retake compare @ 3f2a91c0', 'the present branch and another'],
    ['retake compare 3f2a91c0 77b04d1e', 'two others'],
  ],
  takes: { a: 'branch', b: 'branch' },
};

const SWITCH: Guide = {
  examples: [
    ['retake switch 3f2a91c0 --dry-run', 'what would change'],
    ['retake switch 3f2a91c0', 'go there'],
  ],
  takes: { branch: 'branch', expect: 'text', ...BRANCH_WORDS },
};

const MERGE: Guide = {
  examples: [
    ['retake merge 3f2a91c0 @ --dry-run', 'whether it goes without conflicts'],
    ['retake merge 3f2a91c0 @ --on-conflict manual', 'with markers in files that both changed'],
  ],
  takes: { a: 'branch', b: 'branch', expect: 'text', resolve: 'file', ...BRANCH_WORDS },
};

/** Verbs about the branches of conversations. */
export const addForkVerbs = (program: Command): void => {
  describeVerb(program, 'forks', FORKS)
    .description('the branches of the conversations here, with the code of each')
    .option('--all', 'conversations without forks too')
    .action(run<{ all?: boolean }>(listForks));

  describeVerb(program, 'compare', COMPARE)
    .description('what two branches made of the code since their ways parted')
    .argument('<a>', BRANCH)
    .argument('<b>', BRANCH)
    .action(
      run(async (workspace, { json }, [a = '', b = '']) => {
        const comparison = compareBranches(workspace, a, b);
        if (json) printJson(comparisonJson(comparison));
        else printComparison(comparison);
      }),
    );

  branchFlags(
    planFlags(
      describeVerb(program, 'switch', SWITCH)
        .description('go to another branch: its code as it was last, and its conversation')
        .argument('<branch>', BRANCH),
    ),
  ).action(
    run<PlanFlags & BranchFlags>((workspace, options, [branch = '']) => showAndApply(workspace, resolveSwitch(workspace, branch), options)),
  );

  branchFlags(
    planFlags(
      conflictFlags(
        describeVerb(program, 'merge', MERGE)
          .description('take the code of one branch into the other, which must be the present one')
          .argument('<a>', BRANCH)
          .argument('<b>', BRANCH),
      ),
    ),
  ).action(
    run<PlanFlags & BranchFlags & ConflictFlags>((workspace, options, [a = '', b = '']) =>
      showAndApply(workspace, resolveMerge(workspace, a, b, choiceOf(workspace, options)), options),
    ),
  );
};

const listForks = async (workspace: Workspace, flags: GlobalOptions & { all?: boolean }): Promise<void> => {
  const { json, all = false } = flags;
  const forks = await withProgress('Reading the conversations', () => readForks(workspace));
  if (json) return printJson(forksJson(forks));
  if (forks.tree.length === 0) return hint(NO_AGENT_YET);
  await paged(flags, () => print(drawForks(forks, all)));
  if (forks.tree.some(({ children }) => children.length > 0))
    hint('To see one beside yours: retake compare @ BRANCH · to go there: retake switch BRANCH');
};
