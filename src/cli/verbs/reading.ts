import { type Command, InvalidArgumentError } from 'commander';
import { inspectAgents } from '../../agents/setup.ts';
import { readTrouble, type Trouble } from '../../daemon/trouble.ts';
import { type LogEntry, readLog, readStatus, searchLog, type Workspace } from '../../engine/index.ts';
import { isCheckpoint, type OperationId, type Recorded, type SessionId } from '../../model/index.ts';
import { operationJson } from '../../shapes/operation.ts';
import { printHealthWarning } from '../git-health.ts';
import { printHooks } from '../hooks.ts';
import { shownId } from '../ids.ts';
import { bytes as amount, count, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { describeOwners } from '../owners.ts';
import { mostShown, paged } from '../pager.ts';
import { describeCounts, type GlobalOptions, type Run } from '../program.ts';
import { printTrouble } from '../trouble.ts';
import { addVerb, type Guide } from '../verb.ts';

const NOTHING_YET = 'Nothing is recorded here yet: retake checkpoint, or retake setup claude-code to have it done at every step';

const STATUS: Guide = {
  group: 'look',
  summary: 'what is protected and what is recorded',
  examples: [
    ['retake status', 'this workspace, its store and its hooks'],
    ['retake -C ~/shop status', 'those of another directory'],
  ],
};

const LOG: Guide = {
  group: 'look',
  summary: 'everything recorded, newest first',
  examples: [
    ['retake log', 'turns, steps, checkpoints and rollbacks'],
    ['retake log --session 3f2a --limit 20', 'the newest of one session'],
  ],
  takes: { session: 'session', limit: 'text' },
};

const SEARCH: Guide = {
  group: 'look',
  summary: 'find checkpoints by their words',
  examples: [
    ['retake search npm test', 'those whose name, note or description hold both'],
    ['retake search "before refactor"', 'those with these words in this order'],
  ],
  takes: { words: 'text' },
};

/** Verbs that only look. */
export const addReadingVerbs = (program: Command, run: Run): void => {
  addVerb(program, 'status', STATUS).description('what is protected and what is recorded').action(run(status));

  addVerb(program, 'log', LOG)
    .description('everything recorded, newest first')
    .option('--session <id>', 'only this session')
    .option('--limit <n>', 'at most so many', wholeNumber)
    .action(
      run<{ session?: SessionId; limit?: number }>(async (workspace, flags) => {
        const { json, session, limit } = flags;
        const most = limit ?? mostShown(flags);
        // One more than is shown tells whether there are more.
        const found = readLog(workspace, { session, limit: most && most + 1 });
        const entries = found.slice(0, most);
        if (json) return printJson({ operations: entries.map(operationJson) });
        const nothing =
          session === undefined ? NOTHING_YET : `Nothing of session ${oneLine(session)} is recorded; retake sessions lists them`;
        await printEntries(flags, entries, nothing);
        if (limit === undefined && found.length > entries.length) hint(`There are older ones: retake log --limit ${entries.length * 10}`);
      }),
    );

  addVerb(program, 'search', SEARCH)
    .description('find checkpoints by words of their name, note or description')
    .argument('<words...>')
    .action(
      run(async (workspace, flags, words) => {
        const { entries } = searchLog(workspace, words);
        if (flags.json) printJson({ operations: entries.map(operationJson) });
        else await printEntries(flags, entries, 'Nothing found; retake log lists all there is');
      }),
    );
};

export const wholeNumber = (text: string): number => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('expected a whole number from 1 on.');
  return number;
};

const printEntries = async (flags: GlobalOptions, entries: readonly LogEntry[], otherwise: string): Promise<void> => {
  if (entries.length === 0) return hint(otherwise);
  const rows = (): string =>
    table(
      entries.map(({ operation, name, note, pinned, counts, by, owners, rolledBack, place, gitNews }) => [
        paint('yellow', shownId(operation.id)),
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
          ...(note === null ? [] : [paint('dim', `“${oneLine(note)}”`)]),
        ].join('  '),
      ]),
    );
  await paged(flags, () => print(rows()));
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
    if (report.refused === null) return hint(NOTHING_YET);
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
    print(paint('red', `Rollback ${shownId(id as OperationId)} left ${count(leftAlone.length, 'path')} in between:`));
    for (const { path, reason } of leftAlone) print(`  ${oneLine(path)}: ${oneLine(reason)}`);
  }
};

const WEEK = 7 * 24 * 3_600_000;

/** Events that were lately not recorded here, or nobody knows where. */
const troubleIn = (root: string): Trouble[] =>
  readTrouble().filter(
    ({ at, directory = root }) => Date.now() - Date.parse(at) < WEEK && (directory === root || directory.startsWith(`${root}/`)),
  );
