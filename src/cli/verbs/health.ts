import type { Command } from 'commander';
import { mendGitHealth, readHealth } from '../../engine/index.ts';
import { printMended } from '../git-health.ts';
import { printHealth } from '../health.ts';
import { printJson } from '../output.ts';
import type { Run } from '../program.ts';

export const addHealthVerb = (program: Command, run: Run): void => {
  program
    .command('health')
    .description('how your git, the store and the program are doing, and what took long')
    .option('--fix', "keep reflog entries for 180 days, in this repository's own configuration")
    .action(
      run<{ fix?: boolean }>(async (workspace, { json, fix }) => {
        if (fix) {
          const result = await mendGitHealth(workspace);
          return json ? printJson(result) : printMended(result);
        }
        const health = await readHealth(workspace);
        if (json) printJson(health);
        else printHealth(health);
      }),
    );
};
