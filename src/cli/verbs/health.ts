import type { Command } from 'commander';
import { mendGitHealth, readHealth } from '../../engine/index.ts';
import { printMended } from '../git-health.ts';
import { printHealth } from '../health.ts';
import { printJson } from '../output.ts';
import type { Run } from '../program.ts';
import { withProgress } from '../progress.ts';
import { addVerb, type Guide } from '../verb.ts';

const HEALTH: Guide = {
  group: 'git',
  summary: 'how your git and the store are doing',
  examples: [
    ['retake health', 'verdicts, and what took long'],
    ['retake health --fix', 'have git keep its reflog for 180 days'],
  ],
};

export const addHealthVerb = (program: Command, run: Run): void => {
  addVerb(program, 'health', HEALTH)
    .description('how your git, the store and the program are doing, and what took long')
    .option('--fix', "keep reflog entries for as long as reflog.days says, in this repository's own configuration")
    .action(
      run<{ fix?: boolean }>(async (workspace, { json, fix }) => {
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
