import type { Command } from 'commander';
import { type RepairResult, repairStore } from '../../engine/index.ts';
import { assertConfirmed, needsYes } from '../confirm.ts';
import { findingJson, printAffected, printFindings, reportJson } from '../damage.ts';
import { shownId } from '../ids.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime } from '../output.ts';
import { withProgress } from '../progress.ts';
import { runAsIs } from '../run.ts';
import { describeVerb, type Guide } from '../verb.ts';
import { check } from './check.ts';

interface RepairFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const REPAIR: Guide = {
  examples: [
    ['retake repair --dry-run', 'what would be done'],
    ['retake repair --yes', 'do it without asking'],
  ],
};

/** The verb that mends the store. */
export const addRepairVerb = (program: Command): void => {
  describeVerb(program, 'repair', REPAIR)
    .description('mend what is damaged in the store as far as it goes, and list what is lost')
    .option('--dry-run', 'show what would be done and change nothing')
    .option('--yes', 'do not ask')
    .action(
      runAsIs<RepairFlags>(async (workspace, { json, dryRun = false, yes = false }) => {
        if (json && !dryRun && !yes) throw needsYes('This changes the store');
        const plan = await check(workspace, true);
        if (!json) {
          printFindings(plan.damage);
          if (plan.damage.length === 0) print(paint('green', 'All is well'));
        }
        if (dryRun) {
          if (json) printJson(reportJson(plan));
          return;
        }
        if (plan.damage.length > 0 && !yes) await assertConfirmed('Go ahead?');
        const mend = () => withProgress('Files read', (update) => repairStore(workspace, (_, done) => update(done)));
        const result = plan.damage.length === 0 ? NOTHING(plan) : await mend();
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
    print(`${paint('red', 'Lost')}: ${shownId(id)} ${relativeTime(createdAt)}  ${oneLine(description)}`);
  if (untraced > 0) print(`${paint('red', 'Lost')}: ${count(untraced, 'operation')} of which nothing else is known`);
  if (lost.damage.length === 0) return;
  print(`${paint('red', 'Lost')}: ${count(lost.damage.length, 'finding')}`);
  printFindings(lost.damage);
  if (lost.affected.length > 0) print('These lack something; all else of them can be rewound to, path by path:');
  printAffected(lost);
};
