import type { Command } from 'commander';
import { checkStore } from '../../engine/index.ts';
import { RetakeError, shortId } from '../../model/index.ts';
import { count, hint, paint, print, printJson } from '../output.ts';
import type { Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

/** Verbs that tell whether the store is sound, and mend it. */
export const addCheckVerbs = (program: Command, run: Run): void => {
  program
    .command('check')
    .description('read everything recorded and name what is damaged; changes nothing')
    .action(
      run(async (workspace, { json }) => {
        if (!workspace.isProtected)
          return json
            ? printJson({ operations: 0, objects: 0, damage: [], damagedPacks: [], tornRefs: [] })
            : hint('Nothing is recorded here yet');
        const line = new ProgressLine('Objects read');
        const report = checkStore(workspace, line.update);
        line.end();
        const isSound = report.damage.length + report.damagedPacks.length + report.tornRefs.length === 0;
        if (json && isSound) printJson(report);
        else if (!json) {
          print(`${count(report.operations, 'operation')}, ${count(report.objects, 'object')} read`);
          for (const { object, problem, operations } of report.damage) {
            print(`${paint('red', problem)} ${object}, needed by ${operations.map(shortId).join(', ')}`);
          }
          for (const name of [...report.damagedPacks, ...report.tornRefs]) print(`${paint('red', 'unreadable')} ${name}`);
        }
        if (!isSound) {
          throw new RetakeError('store-damaged', 'Something in the store can not be read', {
            hint: 'Everything that does not need it is intact and can be rewound to.',
            details: { ...report },
          });
        }
        if (!json) print(paint('green', 'All is well'));
      }),
    );

  program
    .command('rebuild')
    .description('make the SQLite index anew from the store')
    .action(
      run(async (workspace, { json }) => {
        const operations = workspace.isProtected ? await workspace.rebuildIndex() : 0;
        if (json) printJson({ operations });
        else print(`The index was made anew: ${count(operations, 'operation')}`);
      }),
    );
};
