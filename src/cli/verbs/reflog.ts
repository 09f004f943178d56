import type { Command } from 'commander';
import {
  knownSession,
  planReflogRestore,
  type ReflogRestorePlan,
  type ReflogStats,
  type ReflogView,
  readReflog,
  readReflogStats,
  restoreReflogs,
  type Workspace,
} from '../../engine/index.ts';
import { reflogRestoreJson } from '../../json/reflog.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { assertConfirmed, needsYes } from '../confirm.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, showPath, table } from '../output.ts';
import { mostShown, paged } from '../pager.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';
import { wholeNumber } from '../whole-number.ts';

interface ReflogFlags extends GlobalOptions {
  readonly session?: string;
  readonly limit?: number;
  readonly stats?: boolean;
  readonly restore?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const REFLOG: Guide = {
  examples: [
    ['retake reflog', 'what was left behind, and until when it stays'],
    ['retake reflog rebase --limit 10', 'entries that hold a word'],
    ['retake reflog --restore --dry-run', 'entries that could be put back'],
  ],
  takes: { words: 'text', session: 'session', limit: 'text' },
};

/** Verbs about what the user's own git still knows of commits that were left behind. */
export const addReflogVerbs = (program: Command): void => {
  describeVerb(program, 'reflog', REFLOG)
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
  const { json, limit, stats, restore, dryRun, yes } = flags;
  if (stats && restore) throw new RetakeError('usage', '--stats and --restore exclude each other', { hint: 'Give one of them.' });
  if (!restore && (dryRun || yes))
    throw new RetakeError('usage', '--dry-run and --yes go with --restore', { hint: 'Without it nothing is changed anyway.' });
  if ((restore || stats) && (flags.session !== undefined || limit !== undefined))
    throw new RetakeError('usage', '--session and --limit go with the list only', { hint: 'Leave them away.' });
  if (restore) return putBack(workspace, flags, words);
  if (stats) {
    const numbers = await readReflogStats(workspace);
    return json ? printJson(numbers) : printStats(numbers);
  }
  const list = await withProgress('Reading the reflogs', async () => {
    const session = flags.session === undefined ? undefined : await sessionNamed(workspace, flags.session);
    return readReflog(workspace, { words, session, limit: limit ?? mostShown(flags) });
  });
  if (json) return printJson(list);
  if (list.entries.length === 0)
    hint(
      list.total === 0 && words.length === 0
        ? 'The reflogs have no entries: git writes one with each commit and checkout'
        : 'Nothing found; retake reflog lists all entries',
    );
  else await paged(flags, () => print(table(list.entries.map(row), [3])));
  if (list.entries.length < list.total) hint(`${list.total - list.entries.length} more; --limit N shows them`);
  if (list.garbage > 0) hint(`${count(list.garbage, 'line')} could not be read`);
  for (const ref of list.unreadable) hint(`The log of ${oneLine(ref)} could not be read`);
};

/** One that is known here, or one of elsewhere that commits name by its whole id. */
const sessionNamed = async (workspace: Workspace, address: string): Promise<SessionId> => {
  try {
    return knownSession(workspace, address);
  } catch (error) {
    const { total } = await readReflog(workspace, { session: address as SessionId, limit: 0 });
    if (total === 0) throw error;
    return address as SessionId;
  }
};

const row = ({ selector, commit, at, action, message, session, recoverable, expiresAt }: ReflogView): string[] => [
  paint('cyan', oneLine(selector)),
  paint(recoverable === false ? 'red' : 'yellow', commit.slice(0, 10)),
  paint('dim', relativeTime(at)),
  oneLine(action === '' ? message : `${action}: ${message}`),
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
  if (dryRun || plan.restored.length === 0) return json ? printJson({ ...reflogRestoreJson(plan), count: 0 }) : undefined;
  if (!yes) {
    if (json) throw needsYes('This writes to the reflogs');
    await assertConfirmed('Put them back?');
  }
  const restored = await restoreReflogs(workspace, plan);
  if (json) printJson({ ...reflogRestoreJson(plan), count: restored });
  else print(`${paint('green', 'Done')}: ${entriesText(restored)} came back`);
};

const entriesText = (number: number): string => (number === 1 ? '1 entry' : `${number} entries`);

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
          oneLine(entry.note),
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
