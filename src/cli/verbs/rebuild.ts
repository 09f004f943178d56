import type { Command } from 'commander';
import { count, print, printJson } from '../output.ts';
import type { Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

/** The verb that makes the index anew. */
export const addRebuildVerb = (program: Command, run: Run): void => {
  program
    .command('rebuild')
    .description('make the SQLite index anew from the store')
    .action(
      run(async (workspace, { json }) => {
        const line = new ProgressLine('Operations read');
        const operations = workspace.isProtected ? await workspace.rebuildIndex(line.update) : 0;
        line.end();
        if (json) printJson({ operations });
        else print(`The index was made anew: ${count(operations, 'operation')}`);
      }),
    );
};
