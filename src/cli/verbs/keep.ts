import { type Command, Option } from 'commander';
import {
  type KeepPlan,
  type KeepResult,
  keepWork,
  type LeftOutOfCommit,
  makeRecoveryBranch,
  planKeep,
  type Workspace,
} from '../../engine/index.ts';
import { keepJson, keptJson } from '../../json/keep.ts';
import { reasonsJson } from '../../json/reasons.ts';
import type { SessionId } from '../../model/index.ts';
import { assertConfirmed, needsYes } from '../confirm.ts';
import { fileTable } from '../file-table.ts';
import { shownId } from '../ids.ts';
import { count, hint, oneLine, paint, print, printJson, showPath } from '../output.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface BranchFlags extends GlobalOptions {
  readonly push?: string;
  readonly session?: SessionId;
}

interface KeepFlags extends GlobalOptions {
  readonly squash?: boolean;
  readonly each?: boolean;
  readonly all?: boolean;
  readonly push?: boolean;
  readonly session?: SessionId;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const KEEP: Guide = {
  examples: [
    ['retake keep --dry-run', 'the commits that would be made'],
    ['retake keep --each --push', 'one for each turn, then push'],
  ],
  takes: { session: 'session' },
};

const BRANCH: Guide = {
  examples: [
    ['retake branch t3', 'recovery/SESSION with the state before turn 3'],
    ['retake branch @-1 rescue --push origin', 'with a name, and pushed'],
  ],
  takes: { id: 'checkpoint', name: 'text', push: 'text', session: 'session' },
};

/** Verbs that make something in the user's own repository. */
export const addKeepVerbs = (program: Command): void => {
  describeVerb(program, 'keep', KEEP)
    .description("put a session's work on the current git branch, as commits of yours")
    .addOption(new Option('--squash', 'one commit for all of it (the default)').conflicts('each'))
    .option('--each', 'a commit for each turn')
    .option('--all', 'with what you changed yourself in between')
    .option('--push', 'push the branch afterwards')
    .option('--session <id>', 'another session than the one that is gone on with')
    .option('--dry-run', 'show the commits and make none')
    .option('--yes', 'do not ask')
    .action(run<KeepFlags>(keep));

  describeVerb(program, 'branch', BRANCH)
    .description('make a git branch with the files of a checkpoint; what you work on stays as it is')
    .argument('<id>', 'id, name, t3 or @-1')
    .argument('[name]', "the branch's name (recovery/<session>)")
    .option('--push <remote>', 'push it to this remote')
    .option('--session <id>', 'whose turns are meant')
    .action(run<BranchFlags>(branch));
};

const keep = async (workspace: Workspace, flags: KeepFlags): Promise<void> => {
  const { json, each, all, push, session } = flags;
  const request = { each, all, push, session };
  const plan = () => withProgress('Working out the commits', () => planKeep(workspace, request));
  const shown = flags.yes && !flags.dryRun ? undefined : await plan();
  if (shown !== undefined) {
    if (flags.dryRun) return json ? printJson(keepJson(shown)) : printKeep(shown);
    if (json) throw needsYes('This makes commits');
    printKeep(shown);
    await assertConfirmed('Go ahead?');
  }
  const result = await withProgress('Making commits', (_, quiet) =>
    keepWork(workspace, request, { shown, onOutput: json ? undefined : sayAfter(quiet) }),
  );
  if (json) return printJson(keptJson(result));
  if (shown === undefined) printKeep(result.plan);
  printKept(result);
  if (result.pushed) print(`Pushed to ${oneLine(result.plan.pushTo?.remote ?? '')}`);
  hint(`The workspace before it is checkpoint ${shownId(result.safety.id)} · to see the commits: git log -${result.keep.commits.length}`);
};

export const printKept = ({ keep: { commits } }: KeepResult): void => {
  const [first, last] = [commits[0] ?? '', commits.at(-1) ?? ''].map((id) => id.slice(0, 10));
  print(`${paint('green', 'Done')}: ${count(commits.length, 'commit')} (${first === last ? first : `${first} … ${last}`})`);
};

export const printKeep = ({ head, commits, leftOut, staged, pushTo }: KeepPlan): void => {
  if (head.branch === null) print(`${paint('yellow', 'Note:')} HEAD is on no branch; nothing else will lead to the commits`);
  const where = head.branch === null ? 'HEAD' : `branch ${head.branch}`;
  print(`${count(commits.length, 'commit')} on ${where}${pushTo === null ? '' : `, then pushed to ${oneLine(pushTo.remote)}`}`);
  for (const { headline, turns, files } of commits) {
    print(`\n${paint('bold', oneLine(headline))}  ${paint('dim', count(turns.length, 'turn'))}`);
    print(fileTable(files, '  '));
  }
  for (const line of leftOutLines(leftOut)) print(line);
  for (const path of staged) print(`${paint('dim', 'stays as staged')}  ${showPath(path)}`);
};

const branch = async (workspace: Workspace, { json, push, session }: BranchFlags, [id = '', name]: readonly string[]): Promise<void> => {
  const made = await withProgress('Making the branch', (_, quiet) =>
    makeRecoveryBranch(workspace, id, { name, push, session, onOutput: json ? undefined : sayAfter(quiet) }),
  );
  if (json) return printJson({ ...made, leftOut: reasonsJson(made.leftOut) });
  const where = made.parent === null ? 'with no commit before it' : `on top of ${made.parent.slice(0, 10)}`;
  print(`${paint('green', 'Done')}: branch ${paint('bold', made.branch)} at ${made.commit.slice(0, 10)}, ${where}`);
  for (const line of leftOutLines(made.leftOut)) print(line);
  if (made.pushed) print(`Pushed to ${oneLine(push ?? '')}`);
  hint(`To look at it: git switch ${oneLine(made.branch)}`);
};

/** What git and its hooks say is shown while they say it, and is no answer of ours; a line of progress has to go first. */
export const sayAfter =
  (quiet: () => void) =>
  (chunk: Buffer): void => {
    quiet();
    process.stderr.write(chunk);
  };

const REASONS: Readonly<Record<LeftOutOfCommit['reason'], string>> = {
  ignored: 'ignored by git',
  'nested-repository': 'a repository of its own',
  excluded: 'excluded by capture.exclude',
  name: 'a name that git does not take',
};

export const leftOutLines = (leftOut: readonly LeftOutOfCommit[]): string[] =>
  leftOut.map(({ path, reason }) => `${paint('dim', 'left out')}  ${showPath(path)} (${REASONS[reason]})`);
