import type { Command } from 'commander';
import { mendGitHealth, planGitMend, readHealth } from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { printMended, printMendPlan } from '../git-health.ts';
import { printHealth } from '../health.ts';
import { printJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type Guide } from '../verb.ts';

const HEALTH: Guide = {
  examples: [
    ['retake health', 'verdicts, and what took long'],
    ['retake health --fix', 'have git keep its reflog for 180 days'],
  ],
};

export const addHealthVerb = (program: Command): void => {
  describeVerb(program, 'health', HEALTH)
    .description('how your git, the store and the program are doing, and what took long')
    .option('--fix', "keep reflog entries for as long as reflog.days says, in this repository's own configuration")
    .option('--dry-run', 'with --fix: show what would be set and change nothing')
    .action(
      run<{ fix?: boolean; dryRun?: boolean }>(async (workspace, { json, fix, dryRun }) => {
        if (dryRun && !fix)
          throw new RetakeError('usage', '--dry-run is for --fix', { hint: 'retake health changes nothing without --fix.' });
        if (dryRun) {
          const plan = await planGitMend(workspace);
          return json ? printJson(plan) : printMendPlan(plan);
        }
        if (fix) {
          const result = await withProgress('Looking at the reflogs', () => mendGitHealth(workspace));
          return json ? printJson(result) : printMended(result);
        }
        const health = await withProgress('Looking at git and the store', () => readHealth(workspace));
        if (json) printJson(health);
        else printHealth(health);
      }),
    );
};
