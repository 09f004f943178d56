import type { Command } from 'commander';
import { type CheckReport, checkStore, type Workspace } from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { printAffected, printFindings, reportJson } from '../damage.ts';
import { count, hint, oneLine, paint, print, printJson } from '../output.ts';
import { ProgressLine } from '../progress.ts';
import { runAsIs } from '../run.ts';
import { describeVerb, type Guide } from '../verb.ts';

const CHECK: Guide = {
  examples: [
    ['retake check', 'a quick look'],
    ['retake check --full', 'read every byte'],
  ],
};

/** The verb that tells whether the store is sound. */
export const addCheckVerb = (program: Command): void => {
  describeVerb(program, 'check', CHECK)
    .description('look whether all that was recorded is there and name what is not; changes nothing')
    .option('--full', 'read every byte')
    .action(
      runAsIs<{ full?: boolean }>(async (workspace, { json, full = false }) => {
        const report = await check(workspace, full);
        const isSound = report.damage.length === 0;
        if (json && isSound) printJson(reportJson(report));
        else if (!json && workspace.isProtected) describe(report);
        else if (!json) hint('Nothing is recorded here yet: retake checkpoint');
        if (isSound) return;
        throw new RetakeError('store-damaged', 'Something in the store is damaged', {
          hint: 'Everything that does not need it is intact and can be rewound to. retake repair --dry-run shows what can be mended.',
          details: reportJson(report),
        });
      }),
    );
};

/** Looks with a line that tells how far it is. */
export const check = async (workspace: Workspace, full: boolean): Promise<CheckReport> => {
  if (!workspace.isProtected) return { full, operations: 0, objects: 0, damage: [], remarks: [], affected: [] };
  const lines = { objects: new ProgressLine('Objects looked at'), files: new ProgressLine('Files read') };
  try {
    return await checkStore(workspace, { full, onProgress: (what, done) => lines[what].update(done) });
  } finally {
    lines.objects.end();
    lines.files.end();
  }
};

const describe = (report: CheckReport): void => {
  print(`${count(report.operations, 'operation')}, ${count(report.objects, 'object')} ${report.full ? 'read' : 'looked at'}`);
  printFindings(report.damage);
  if (report.affected.length > 0) print('Affected:');
  printAffected(report);
  for (const { file, remark } of report.remarks) hint(`${oneLine(file)}: ${remark}`);
  if (report.damage.length === 0) print(paint('green', 'All is well'));
};
