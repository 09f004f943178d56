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
import { RetakeError, type SessionId, shortId } from '../../model/index.ts';
import { keepJson, keptJson } from '../../shapes/keep.ts';
import { reasonsJson } from '../../shapes/reasons.ts';
import { confirm } from '../confirm.ts';
import { fileTable } from '../file-table.ts';
import { count, hint, oneLine, paint, print, printJson, showPath } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';

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

/** Verbs that make something in the user's own repository. */
export const addKeepVerbs = (program: Command, run: Run): void => {
  program
    .command('keep')
    .description("put a session's work on the current git branch, as commits of yours")
    .addOption(new Option('--squash', 'one commit for all of it (the default)').conflicts('each'))
    .option('--each', 'a commit for each turn')
    .option('--all', 'with what you changed yourself in between')
    .option('--push', 'push the branch afterwards')
    .option('--session <id>', 'another session than the one that is gone on with')
    .option('--dry-run', 'show the commits and make none')
    .option('--yes', 'do not ask')
    .action(run<KeepFlags>(keep));

  program
    .command('branch')
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
  const shown = flags.yes && !flags.dryRun ? undefined : await planKeep(workspace, request);
  if (shown !== undefined) {
    if (flags.dryRun) return json ? printJson(keepJson(shown)) : printKeep(shown);
    if (json) throw new RetakeError('needs-confirmation', 'This makes commits', { hint: 'Look at them with --dry-run, then add --yes.' });
    printKeep(shown);
    if (!(await confirm('Go ahead?'))) throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed');
  }
  const result = await keepWork(workspace, request, { shown, onOutput: json ? undefined : say });
  if (json) return printJson(keptJson(result));
  const { plan, pushed } = result;
  if (shown === undefined) printKeep(plan);
  printKept(result);
  if (pushed) print(`Pushed to ${plan.pushTo?.remote}`);
  hint(`The workspace before it is checkpoint ${shortId(result.safety.id)}`);
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
  printLeftOut(leftOut);
  for (const path of staged) print(`${paint('dim', 'stays as staged')}  ${showPath(path)}`);
};

const branch = async (workspace: Workspace, { json, push, session }: BranchFlags, [id = '', name]: readonly string[]): Promise<void> => {
  const made = await makeRecoveryBranch(workspace, id, { name, push, session, onOutput: json ? undefined : say });
  if (json) return printJson({ ...made, leftOut: reasonsJson(made.leftOut) });
  const where = made.parent === null ? 'with no commit before it' : `on top of ${made.parent.slice(0, 10)}`;
  print(`${paint('green', 'Done')}: branch ${paint('bold', made.branch)} at ${made.commit.slice(0, 10)}, ${where}`);
  printLeftOut(made.leftOut);
  if (made.pushed) print(`Pushed to ${push}`);
};

/** What git and its hooks say is shown while they say it, and is no answer of ours. */
export const say = (chunk: Buffer): void => {
  process.stderr.write(chunk);
};

const REASONS: Readonly<Record<LeftOutOfCommit['reason'], string>> = {
  ignored: 'ignored by git',
  'nested-repository': 'a repository of its own',
  name: 'a name that git does not take',
};

const printLeftOut = (leftOut: readonly LeftOutOfCommit[]): void => {
  for (const { path, reason } of leftOut) print(`${paint('dim', 'left out')}  ${showPath(path)} (${REASONS[reason]})`);
};
