import type { Command } from 'commander';
import { count, hint, print, printJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type Guide } from '../verb.ts';

const REBUILD: Guide = {
  examples: [
    ['retake rebuild', 'nothing is lost by it'],
    ['retake -C ~/shop rebuild', 'for another directory'],
  ],
};

/** The verb that makes the index anew. */
export const addRebuildVerb = (program: Command): void => {
  describeVerb(program, 'rebuild', REBUILD)
    .description('make the SQLite index anew from the store')
    .action(
      run(async (workspace, { json }) => {
        if (!workspace.isProtected && !json) return hint('Nothing is recorded here yet: retake checkpoint');
        const operations = workspace.isProtected ? await withProgress('Operations read', (update) => workspace.rebuildIndex(update)) : 0;
        if (json) printJson({ operations });
        else print(`The index was made anew: ${count(operations, 'operation')}`);
      }),
    );
};
