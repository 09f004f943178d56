import { type Command, InvalidArgumentError } from 'commander';
import { inspectAgents } from '../../agents/setup.ts';
import { readTrouble, type Trouble } from '../../daemon/trouble.ts';
import { type LogEntry, readLog, readStatus, searchLog, type Workspace } from '../../engine/index.ts';
import { isCheckpoint, type Recorded, type SessionId, shortId } from '../../model/index.ts';
import { operationJson } from '../../shapes/operation.ts';
import { printHealthWarning } from '../git-health.ts';
import { printHooks } from '../hooks.ts';
import { bytes as amount, count, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { describeOwners } from '../owners.ts';
import { describeCounts, type GlobalOptions, type Run } from '../program.ts';
import { printTrouble } from '../trouble.ts';

const SHOWN = 50;

/** Verbs that only look. */
export const addReadingVerbs = (program: Command, run: Run): void => {
  program.command('status').description('what is protected and what is recorded').action(run(status));

  program
    .command('log')
    .description('everything recorded, newest first')
    .option('--session <id>', 'only this session')
    .option('--limit <n>', 'at most so many', wholeNumber)
    .action(
      run<{ session?: string; limit?: number }>(async (workspace, { json, session, limit }) => {
        const entries = readLog(workspace, { session: session as SessionId | undefined, limit: limit ?? (json ? undefined : SHOWN) });
        if (json) printJson({ operations: entries.map(operationJson) });
        else printEntries(entries, 'Nothing is recorded here yet: retake checkpoint');
      }),
    );

  program
    .command('search')
    .description('find checkpoints by words of their name, note or description')
    .argument('<words...>')
    .action(
      run(async (workspace, { json }, words) => {
        const { entries } = searchLog(workspace, words);
        if (json) printJson({ operations: entries.map(operationJson) });
        else printEntries(entries, 'Nothing found');
      }),
    );
};

export const wholeNumber = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('expected a whole number from 1 on.');
  return number;
};

const printEntries = (entries: readonly LogEntry[], otherwise: string): void => {
  if (entries.length === 0) {
    hint(otherwise);
    return;
  }
  print(
    table(
      entries.map(({ operation, name, note, pinned, counts, by, owners, rolledBack, place, gitNews }) => [
        paint('yellow', shortId(operation.id)),
        paint('dim', relativeTime(operation.createdAt)),
        turnOf(operation, place?.number),
        operation.kind + (isCheckpoint(operation) && operation.status === 'partial' ? paint('red', ' partial') : ''),
        operation.state === null || operation.kind === 'keep' ? '' : describeCounts(counts),
        [
          name === null ? oneLine(operation.description) : paint('bold', oneLine(name)),
          ...subagentOf(operation),
          ...describeOwners(operation, by, owners),
          ...(rolledBack === null ? [] : [paint('dim', `rolled back${rolledBack === 'both' ? '' : ` (${rolledBack})`}`)]),
          ...gitNews.map((news) => paint('magenta', oneLine(news))),
          ...(operation.imported === undefined ? [] : [paint('dim', 'imported')]),
          ...(pinned ? [paint('cyan', 'pinned')] : []),
          ...(note === null ? [] : [paint('dim', `“${oneLine(note).slice(0, 60)}”`)]),
        ].join('  '),
      ]),
    ),
  );
};

const turnOf = (operation: Recorded, place: number | undefined): string => {
  const turn = place ?? (isCheckpoint(operation) ? operation.event?.turn : undefined);
  return turn === undefined || turn === 0 ? '' : paint('cyan', `t${turn}`);
};

/** Steps of the agent itself need no word. */
const subagentOf = (operation: Recorded): string[] => {
  const { agentId, agentType } = (isCheckpoint(operation) && operation.event?.place) || {};
  return agentId === undefined ? [] : [paint('cyan', `by ${oneLine(agentType ?? 'subagent')} ${oneLine(agentId)}`)];
};

const status = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const report = readStatus(workspace);
  const trouble = troubleIn(report.workspace);
  const hooks = inspectAgents(report.workspace);
  if (json) return printJson({ ...report, trouble, hooks });
  print(`Workspace   ${oneLine(report.workspace)}`);
  printHooks(hooks);
  if (!report.protected) {
    printTrouble(trouble);
    return hint('Nothing is recorded here yet: retake checkpoint');
  }
  print(`Store       ${oneLine(report.store)}`);
  print(`Recorded    ${count(report.checkpoints, 'checkpoint')}, ${count(report.rollbacks, 'rollback')}`);
  const { bytes, maxBytes } = report.storage;
  print(`On disk     ${amount(bytes)} of ${amount(maxBytes)} it may take`);
  if (report.newest !== null) {
    print(
      `Newest      ${shortId(report.newest.id as never)}  ${relativeTime(report.newest.createdAt)}  ${oneLine(report.newest.description)}`,
    );
  }
  if (report.rollbackUnderWay) print(paint('yellow', 'A rollback is being carried out by another process'));
  if (report.late > 0)
    print(paint('yellow', `${count(report.late, 'checkpoint')} made later than the event: they may hold more than was there then`));
  if (report.history.mode === 'branch') print('History     each step becomes a commit on the current branch');
  if (report.history.left !== null) {
    const { at, reason } = report.history.left;
    print(paint('yellow', `Steps wait to be committed (${relativeTime(at)}): ${oneLine(reason)}`));
  }
  printHealthWarning('Git', report.gitHealth);
  printHealthWarning('Store', report.storeHealth);
  printTrouble(trouble);
  for (const { id, leftAlone } of report.incomplete) {
    print(paint('red', `Rollback ${shortId(id as never)} left ${count(leftAlone.length, 'path')} in between:`));
    for (const { path, reason } of leftAlone) print(`  ${oneLine(path)}: ${oneLine(reason)}`);
  }
};

const WEEK = 7 * 24 * 3_600_000;

/** Events that were lately not recorded here, or nobody knows where. */
const troubleIn = (root: string): Trouble[] =>
  readTrouble().filter(
    ({ at, directory = root }) => Date.now() - Date.parse(at) < WEEK && (directory === root || directory.startsWith(`${root}/`)),
  );
