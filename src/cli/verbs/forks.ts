import type { Command } from 'commander';
import { aimMerge, aimSwitch, compareBranches, readForks, type Workspace } from '../../engine/index.ts';
import { comparisonJson, forksJson } from '../../shapes/forks.ts';
import { printComparison } from '../comparison.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { drawForks } from '../fork-tree.ts';
import { hint, print, printJson } from '../output.ts';
import { type PlanFlags, perform, planFlags } from '../perform.ts';
import type { GlobalOptions, Run } from '../program.ts';

const BRANCH = 'a branch by its id, or by a session that is on it; @ for the present one';

/** Verbs about the branches of conversations. */
export const addForkVerbs = (program: Command, run: Run): void => {
  program
    .command('forks')
    .description('the branches of the conversations here, with the code of each')
    .option('--all', 'conversations without forks too')
    .action(run<{ all?: boolean }>(listForks));

  program
    .command('compare')
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

  planFlags(
    program
      .command('switch')
      .description('go to another branch: its code as it was last, and its conversation')
      .argument('<branch>', BRANCH),
  ).action(run<PlanFlags>((workspace, options, [branch = '']) => perform(workspace, aimSwitch(workspace, branch), options)));

  planFlags(
    conflictFlags(
      program
        .command('merge')
        .description('take the code of one branch into the other, which must be the present one')
        .argument('<a>', BRANCH)
        .argument('<b>', BRANCH),
    ),
  ).action(
    run<PlanFlags & ConflictFlags>((workspace, options, [a = '', b = '']) =>
      perform(workspace, aimMerge(workspace, a, b, choiceOf(workspace, options)), options),
    ),
  );
};

const listForks = async (workspace: Workspace, { json, all = false }: GlobalOptions & { all?: boolean }): Promise<void> => {
  const forks = await readForks(workspace);
  if (json) return printJson(forksJson(forks));
  if (forks.tree.length === 0) return hint('No agent has worked here yet, as far as Retake knows: retake setup claude-code');
  print(drawForks(forks, all));
};
