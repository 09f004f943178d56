import { type Command, InvalidArgumentError, Option } from 'commander';
import { aimMerge, aimSwitch, compareBranches, type MergeChoice, readForks, type Workspace } from '../../engine/index.ts';
import { printComparison } from '../comparison.ts';
import { CHOICES } from '../conflicts.ts';
import { drawForks } from '../fork-tree.ts';
import { comparisonJson, forksJson } from '../forks-json.ts';
import { hint, print, printJson } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import { type PlanFlags, perform, planFlags } from '../perform.ts';
import type { GlobalOptions, Run } from '../program.ts';

const BRANCH = 'a branch by its id, or by a session that is on it; @ for the present one';

interface MergeFlags extends PlanFlags {
  readonly onConflict?: MergeChoice | 'abort';
  readonly resolve?: readonly Resolution[];
}

type Resolution = readonly [path: string, choice: MergeChoice];

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
    program
      .command('merge')
      .description('take the code of one branch into the other, which must be the present one')
      .argument('<a>', BRANCH)
      .argument('<b>', BRANCH)
      .addOption(new Option('--on-conflict <choice>', 'for every file that both changed').choices([...Object.keys(CHOICES), 'abort']))
      .option('--resolve <path=choice...>', 'for one file', resolution, []),
  ).action(
    run<MergeFlags>(async (workspace, options, [a = '', b = '']) => {
      const { onConflict, resolve = [], directory } = options;
      const choices = resolve.flatMap(([path, choice]) =>
        workspacePaths(workspace, directory, [path]).map((one) => [one, choice] as const),
      );
      const rest = onConflict === 'abort' ? undefined : onConflict;
      await perform(workspace, aimMerge(workspace, a, b, { choices, rest }), options);
    }),
  );
};

const isChoice = (text: string): text is MergeChoice => Object.hasOwn(CHOICES, text);

const resolution = (text: string, before: readonly Resolution[]): Resolution[] => {
  const at = text.lastIndexOf('=');
  const choice = text.slice(at + 1);
  if (at < 1 || !isChoice(choice)) throw new InvalidArgumentError(`expected PATH=${Object.keys(CHOICES).join('|')}.`);
  return [...before, [text.slice(0, at), choice]];
};

const listForks = async (workspace: Workspace, { json, all = false }: GlobalOptions & { all?: boolean }): Promise<void> => {
  const forks = await readForks(workspace);
  if (json) return printJson(forksJson(forks));
  if (forks.tree.length === 0) return hint('No agent has worked here yet, as far as Retake knows: retake setup claude-code');
  print(drawForks(forks, all));
};
