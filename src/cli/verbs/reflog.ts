import type { Command } from 'commander';
import {
  type MissingEntry,
  planReflogRestore,
  type ReflogRestorePlan,
  type ReflogStats,
  type ReflogView,
  readReflog,
  readReflogStats,
  restoreReflogs,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError, type SessionId, toText } from '../../model/index.ts';
import { confirm } from '../confirm.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, showPath, table } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { wholeNumber } from './reading.ts';

const SHOWN = 50;

interface ReflogFlags extends GlobalOptions {
  readonly session?: SessionId;
  readonly limit?: number;
  readonly stats?: boolean;
  readonly restore?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Verbs about what the user's own git still knows of commits that were left behind. */
export const addReflogVerbs = (program: Command, run: Run): void => {
  program
    .command('reflog')
    .description("where your git's HEAD and branches have been, and until when it can be brought back")
    .argument('[words...]', 'only entries that hold all of them: in message, action, ref or commit id')
    .option('--session <id>', 'only while this session was at work, or made by it')
    .option('--limit <n>', 'at most so many', wholeNumber)
    .option('--stats', 'how many there are, since when, and how long they stay')
    .option('--restore', 'put entries back that a backup has and the log lacks')
    .option('--dry-run', 'with --restore: show what would come back and change nothing')
    .option('--yes', 'with --restore: do not ask')
    .action(run<ReflogFlags>(reflog));
};

const reflog = async (workspace: Workspace, flags: ReflogFlags, words: readonly string[]): Promise<void> => {
  const { json, session, limit, stats, restore, dryRun, yes } = flags;
  if (stats && restore) throw new RetakeError('usage', '--stats and --restore exclude each other', { hint: 'Give one of them.' });
  if (!restore && (dryRun || yes))
    throw new RetakeError('usage', '--dry-run and --yes go with --restore', { hint: 'Without it nothing is changed anyway.' });
  if ((restore || stats) && (session !== undefined || limit !== undefined))
    throw new RetakeError('usage', '--session and --limit go with the list only', { hint: 'Leave them away.' });
  if (restore) return putBack(workspace, flags, words);
  if (stats) {
    const numbers = await readReflogStats(workspace);
    return json ? printJson(numbers) : printStats(numbers);
  }
  const list = await readReflog(workspace, { words, session, limit: limit ?? (json ? undefined : SHOWN) });
  if (json) return printJson(list);
  if (list.entries.length === 0) hint(list.total === 0 && words.length === 0 ? 'The reflogs have no entries' : 'Nothing found');
  else print(table(list.entries.map(row)));
  if (list.entries.length < list.total) hint(`${list.total - list.entries.length} more; --limit N shows them`);
  if (list.garbage > 0) hint(`${count(list.garbage, 'line')} could not be read`);
  for (const ref of list.unreadable) hint(`The log of ${oneLine(ref)} could not be read`);
};

const row = ({ selector, commit, at, action, message, session, recoverable, expiresAt }: ReflogView): string[] => [
  paint('cyan', oneLine(selector)),
  paint(recoverable === false ? 'red' : 'yellow', commit.slice(0, 10)),
  paint('dim', relativeTime(at)),
  oneLine(action === '' ? message : `${action}: ${message}`).slice(0, 60),
  session === null ? '' : paint('cyan', oneLine(session).slice(0, 8)),
  recoverable === false ? paint('red', 'gone') : expiresIn(expiresAt),
];

const DAY = 86_400_000;

const expiresIn = (at: string | null): string => {
  if (at === null) return paint('green', 'stays');
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY);
  if (days < 0) return paint('red', 'expired');
  return paint(days < 30 ? 'yellow' : 'dim', days === 0 ? 'expires today' : `expires in ${days} d`);
};

const printStats = ({ retention, logs, entries, sessions, recoverable, oldest, bytes, garbage }: ReflogStats): void => {
  const days = (number: number | null): string => (number === null ? 'for ever' : `${number} days`);
  const rows: [string, string][] = [
    ['kept', `${days(retention.reachable)}; ${days(retention.unreachable)} where nothing leads to the commit`],
    ['entries', `${entries} in ${count(logs, 'log')}`],
    ['recoverable', recoverable === null ? 'unknown in a partial clone' : String(recoverable)],
    ['sessions', String(sessions)],
    ['oldest', oldest === null ? 'none' : `${oldest} (${relativeTime(oldest)})`],
    ['on disk', bytes === null ? 'unknown' : `${bytes} bytes`],
  ];
  if (garbage > 0) rows.push(['unreadable', count(garbage, 'line')]);
  print(table(rows.map(([key, value]) => [paint('dim', key), value])));
};

const putBack = async (workspace: Workspace, { json, dryRun, yes }: ReflogFlags, words: readonly string[]): Promise<void> => {
  const plan = await planReflogRestore(workspace, words);
  if (!json) printPlan(plan);
  if (dryRun || plan.restored.length === 0) return json ? printJson({ ...planJson(plan), count: 0 }) : undefined;
  if (!yes) {
    if (json)
      throw new RetakeError('needs-confirmation', 'This writes to the reflogs', { hint: 'Look at it with --dry-run, then add --yes.' });
    if (!(await confirm('Put them back?'))) throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed');
  }
  const restored = await restoreReflogs(workspace, plan);
  if (json) printJson({ ...planJson(plan), count: restored });
  else print(`${paint('green', 'Done')}: ${entriesText(restored)} came back`);
};

const entriesText = (number: number): string => (number === 1 ? '1 entry' : `${number} entries`);

const planJson = ({ restored, gone, left, notBackedUp, expired }: ReflogRestorePlan) => ({
  restored: restored.map(entryJson),
  gone: gone.map(entryJson),
  left: left.map(entryJson),
  notBackedUp: notBackedUp.map(toText),
  expired,
});

const entryJson = ({ entry: { ref, to, from, action, message, who, at }, state }: MissingEntry) => ({
  ref: toText(ref),
  commit: to,
  from,
  action,
  message,
  who,
  at: isoTime(at),
  state,
});

const isoTime = (second: number): string => new Date(second * 1000).toISOString();

const printPlan = ({ restored, gone, left, notBackedUp, expired }: ReflogRestorePlan): void => {
  const rows = [
    ...restored.map((one) => ['green', 'back', one] as const),
    ...gone.map((one) => ['red', 'gone', one] as const),
    ...left.map((one) => ['dim', 'left', one] as const),
  ];
  if (rows.length > 0)
    print(
      table(
        rows.map(([colour, word, { entry }]) => [
          paint(colour, word),
          showPath(entry.ref),
          paint('yellow', entry.to.slice(0, 10)),
          paint('dim', relativeTime(isoTime(entry.at))),
          oneLine(entry.note).slice(0, 100),
        ]),
      ),
    );
  print(restored.length === 0 ? 'Nothing to put back' : `${entriesText(restored.length)} to put back`);
  if (gone.length > 0) print(`${entriesText(gone.length)} not: the commits are no longer in the repository`);
  if (left.some(({ state }) => state === 'no-ref'))
    hint('Entries of branches that were removed are left; git branch NAME COMMIT brings one back');
  if (left.some(({ entry }) => entry.ref === 'refs/stash')) hint('Dropped stashes are left; retake reflog --restore stash takes them too');
  if (expired > 0) hint(`git clears ${expired} of them away again by its settings; retake health --fix makes it keep them`);
  for (const ref of notBackedUp) hint(`The log of ${showPath(ref)} was not backed up: too large, or too many`);
};
