import type { Command } from 'commander';
import { type LogEntry, readLog, searchLog } from '../../engine/index.ts';
import { operationJson } from '../../json/operation.ts';
import { isCheckpoint, type Recorded, type SessionId } from '../../model/index.ts';
import { hintNothingYet } from '../adoptable.ts';
import { NOTHING_YET } from '../advice.ts';
import { describeChanges } from '../changes-text.ts';
import { shownId } from '../ids.ts';
import { hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { describeOwners } from '../owners.ts';
import { mostShown, paged } from '../pager.ts';
import { rolledBackMarks } from '../rolled-back.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';
import { wholeNumber } from '../whole-number.ts';

const LOG: Guide = {
  examples: [
    ['retake log', 'turns, steps, checkpoints and rollbacks'],
    ['retake log --session 3f2a --limit 20', 'the newest of one session'],
    ['retake log --forks', 'where conversations were continued in several ways'],
  ],
  takes: { session: 'session', limit: 'text' },
};

const SEARCH: Guide = {
  examples: [
    ['retake search npm test', 'those whose name, note or description hold both'],
    ['retake search "before refactor"', 'those with these words in this order'],
  ],
  takes: { words: 'text' },
};

/** Verbs that list what is recorded. */
export const addLogVerbs = (program: Command): void => {
  describeVerb(program, 'log', LOG)
    .description('everything recorded, newest first')
    .option('--session <id>', 'only this session')
    .option('--forks', 'only where a conversation was continued in several ways')
    .option('--limit <n>', 'at most so many', wholeNumber)
    .action(
      run<{ session?: SessionId; limit?: number; forks?: boolean }>(async (workspace, flags) => {
        const { json, session, limit, forks } = flags;
        const most = limit ?? mostShown(flags);
        // One more than is shown tells whether there are more.
        const found = readLog(workspace, { session, limit: most && most + 1, forkPoints: forks });
        const entries = found.slice(0, most);
        if (json) return printJson({ operations: entries.map(operationJson) });
        const nothing = forks
          ? 'No fork is recorded here; retake forks looks for them'
          : session === undefined
            ? NOTHING_YET
            : `Nothing of session ${oneLine(session)} is recorded; retake sessions lists them`;
        if (entries.length === 0 && nothing === NOTHING_YET) return hintNothingYet(workspace);
        await printEntries(flags, entries, nothing);
        if (limit === undefined && found.length > entries.length) hint(`There are older ones: retake log --limit ${entries.length * 10}`);
      }),
    );

  describeVerb(program, 'search', SEARCH)
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

const printEntries = async (flags: GlobalOptions, entries: readonly LogEntry[], otherwise: string): Promise<void> => {
  if (entries.length === 0) return hint(otherwise);
  const rows = (): string =>
    table(
      entries.map(({ operation, name, note, pinned, counts, by, owners, rolledBack, remaining, turn, forkPoint, gitNews }) => [
        paint('yellow', shownId(operation.id)),
        paint('dim', relativeTime(operation.createdAt)),
        turn === null || turn === 0 ? '' : paint('cyan', `t${turn}`),
        operation.kind + (isCheckpoint(operation) && operation.status === 'partial' ? paint('red', ' partial') : ''),
        operation.state === null || operation.kind === 'keep' ? '' : describeChanges({ operation, counts }),
        [
          name === null ? oneLine(operation.description) : paint('bold', oneLine(name)),
          ...subagentOf(operation),
          ...describeOwners(operation, by, owners),
          ...rolledBackMarks(rolledBack, remaining).map((mark) => paint('dim', oneLine(mark))),
          ...(forkPoint === null ? [] : [paint('cyan', `fork, ${forkPoint.ways} ways`)]),
          ...gitNews.map((news) => paint('magenta', oneLine(news))),
          ...(operation.imported === undefined ? [] : [paint('dim', 'imported')]),
          ...(pinned ? [paint('cyan', 'pinned')] : []),
          ...(note === null ? [] : [paint('dim', `“${oneLine(note)}”`)]),
        ].join('  '),
      ]),
    );
  await paged(flags, () => print(rows()));
};

/** Steps of the agent itself need no word. */
const subagentOf = (operation: Recorded): string[] => {
  const { agentId, agentType } = (isCheckpoint(operation) && operation.event?.place) || {};
  return agentId === undefined ? [] : [paint('cyan', `by ${oneLine(agentType ?? 'subagent')} ${oneLine(agentId)}`)];
};
