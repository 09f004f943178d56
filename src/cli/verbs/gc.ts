import type { Command } from 'commander';
import { collectGarbage } from '../../engine/index.ts';
import { print, printJson } from '../output.ts';
import type { Run } from '../program.ts';

/** The verb that keeps the store small. */
export const addGcVerb = (program: Command, run: Run): void => {
  program
    .command('gc')
    .description('pack the store and clear away what nothing refers to')
    .action(
      run(async (workspace, { json }) => {
        if (workspace.isProtected) await collectGarbage(workspace);
        if (json) printJson({ done: true });
        else print('The store is packed');
      }),
    );
};
