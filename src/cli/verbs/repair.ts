import type { Command } from 'commander';
import { type RepairResult, repairStore } from '../../engine/index.ts';
import { RetakeError, shortId } from '../../model/index.ts';
import { confirm } from '../confirm.ts';
import { findingJson, printAffected, printFindings, reportJson } from '../damage.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime } from '../output.ts';
import type { Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';
import { check } from './check.ts';

interface RepairFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The verb that mends the store. */
export const addRepairVerb = (program: Command, run: Run): void => {
  program
    .command('repair')
    .description('mend what is damaged in the store as far as it goes, and list what is lost')
    .option('--dry-run', 'show what would be done and change nothing')
    .option('--yes', 'do not ask')
    .action(
      run<RepairFlags>(async (workspace, { json, dryRun = false, yes = false }) => {
        if (json && !dryRun && !yes) throw needsYes();
        const plan = await check(workspace, true);
        if (!json) {
          printFindings(plan.damage);
          if (plan.damage.length === 0) print(paint('green', 'All is well'));
        }
        if (dryRun) {
          if (json) printJson(reportJson(plan));
          return;
        }
        if (plan.damage.length > 0 && !yes && !(await confirm('Go ahead?')))
          throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed');
        const line = new ProgressLine('Files read');
        const result = plan.damage.length === 0 ? NOTHING(plan) : await repairStore(workspace, (_, done) => line.update(done));
        line.end();
        if (json) printJson(resultJson(result));
        else if (plan.damage.length > 0) describe(result);
      }),
    );
};

const NOTHING = (lost: RepairResult['lost']): RepairResult => ({
  healed: [],
  lost,
  lostOperations: [],
  untraced: 0,
  moved: [],
  movedTo: null,
});

const needsYes = (): RetakeError =>
  new RetakeError('needs-confirmation', 'This changes the store', { hint: 'Look at it with --dry-run, then add --yes.' });

const resultJson = ({ healed, lost, lostOperations, untraced, moved, movedTo }: RepairResult) => ({
  healed: healed.map(findingJson),
  lost: reportJson(lost).damage,
  affected: reportJson(lost).affected,
  lostOperations: lostOperations.map(({ id, kind, description, createdAt }) => ({ id, kind, description, createdAt })),
  untraced,
  moved,
  movedTo,
});

const describe = ({ healed, lost, lostOperations, untraced, moved, movedTo }: RepairResult): void => {
  print(`${paint('green', 'Healed')}: ${count(healed.length, 'finding')}`);
  if (movedTo !== null) hint(`${count(moved.length, 'damaged file')} moved to ${movedTo}`);
  for (const { id, description, createdAt } of lostOperations)
    print(`${paint('red', 'Lost')}: ${shortId(id)} ${relativeTime(createdAt)}  ${oneLine(description)}`);
  if (untraced > 0) print(`${paint('red', 'Lost')}: ${count(untraced, 'operation')} of which nothing else is known`);
  if (lost.damage.length === 0) return;
  print(`${paint('red', 'Lost')}: ${count(lost.damage.length, 'finding')}`);
  printFindings(lost.damage);
  if (lost.affected.length > 0) print('These lack something; all else of them can be rewound to, path by path:');
  printAffected(lost);
};
