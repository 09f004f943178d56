import type { Command } from 'commander';
import { inspectAgents } from '../../agents/setup.ts';
import { readTrouble, type Trouble } from '../../daemon/trouble.ts';
import { listOffered, readStatus, type Settings, type Status, type Workspace, whyGitIsUnusable } from '../../engine/index.ts';
import type { OperationId } from '../../model/index.ts';

import { hintAdoptable, hintNothingYet } from '../adoptable.ts';
import { printHealthWarning } from '../git-health.ts';
import { printHooks } from '../hooks.ts';
import { shownId } from '../ids.ts';
import { bytes as amount, count, hint, oneLine, paint, print, printJson, relativeTime } from '../output.ts';
import { run } from '../run.ts';
import { printTrouble } from '../trouble.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const STATUS: Guide = {
  examples: [
    ['retake status', 'this workspace, its store and its hooks'],
    ['retake -C ~/shop status', 'those of another directory'],
  ],
};

/** The verb that tells how things are. */
export const addStatusVerb = (program: Command): void => {
  describeVerb(program, 'status', STATUS).description('what is protected and what is recorded').action(run(status));
};

const status = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const report = readStatus(workspace);
  const trouble = troubleIn(report.workspace);
  const hooks = inspectAgents(report.workspace);
  const unusable = await whyGitIsUnusable();
  const gitProblem = unusable && { code: unusable.code, message: unusable.message, hint: unusable.hint ?? null };
  const adoptable = await listOffered(workspace);
  if (json) return printJson({ ...report, gitProblem, trouble, hooks, adoptable });
  print(`Workspace   ${oneLine(report.workspace)}`);
  printHooks(hooks);
  if (gitProblem !== null) print(paint('red', `${oneLine(gitProblem.message)}. ${oneLine(gitProblem.hint ?? '')}`.trim()));
  if (!report.protected) {
    printTrouble(trouble);
    if (report.refused === null) return hintNothingYet(workspace);
    print(paint('yellow', oneLine(report.refused.message)));
    return hint(oneLine(report.refused.hint ?? 'Run Retake inside a project.'));
  }
  print(`Store       ${oneLine(report.store)}`);
  print(`Recorded    ${count(report.checkpoints, 'checkpoint')}, ${count(report.rollbacks, 'rollback')}`);
  const { bytes, maxBytes } = report.storage;
  print(`On disk     ${amount(bytes)} of ${amount(maxBytes)} it may take`);
  if (report.newest !== null) {
    print(
      `Newest      ${shownId(report.newest.id as OperationId)}  ${relativeTime(report.newest.createdAt)}  ${oneLine(report.newest.description)}`,
    );
  }
  if (report.missing !== null) printMissing(report.missing);
  if (report.rollbackUnderWay) print(paint('yellow', 'A rollback is being carried out by another process'));
  if (report.late > 0)
    print(paint('yellow', `${count(report.late, 'checkpoint')} made later than the event: they may hold more than was there then`));
  if (report.history.mode === 'branch') print(`History     ${BATCHES[report.history.batch]} becomes a commit on the current branch`);
  if (report.history.left !== null) {
    const { at, reason } = report.history.left;
    print(paint('yellow', `Steps wait to be committed (${relativeTime(at)}): ${oneLine(reason)}`));
  }
  printHealthWarning('Git', report.gitHealth);
  if (report.missing === null) printHealthWarning('Store', report.storeHealth);
  printTrouble(trouble);
  hintAdoptable(adoptable);
  for (const { id, leftAlone } of report.incomplete) {
    print(paint('red', `Rollback ${shownId(id as OperationId)} left ${count(leftAlone.length, 'path')} in between:`));
    for (const { path, reason } of leftAlone) print(`  ${oneLine(path)}: ${oneLine(reason)}`);
  }
};

const BATCHES: Readonly<Record<Settings['history.batch'], string>> = {
  step: 'each step',
  turn: 'each turn',
  interval: 'what steps do in a while (history.batchSeconds)',
};

const SHOWN = 5;

const printMissing = ({ operations, known }: NonNullable<Status['missing']>): void => {
  const what = operations === 1 ? '1 operation is' : `${operations} operations are`;
  print(paint('red', `${what} missing from the log. Nothing is deleted until that is repaired: retake repair`));
  for (const { id, createdAt, description } of known.slice(0, SHOWN))
    print(`  ${shownId(id as OperationId)}  ${relativeTime(createdAt)}  ${oneLine(description)}`);
  if (known.length > SHOWN) print(`  … and ${known.length - SHOWN} more`);
};

const WEEK = 7 * 24 * 3_600_000;

/** Events that were lately not recorded here, or nobody knows where. */
const troubleIn = (root: string): Trouble[] =>
  readTrouble().filter(
    ({ at, directory = root }) => Date.now() - Date.parse(at) < WEEK && (directory === root || directory.startsWith(`${root}/`)),
  );
