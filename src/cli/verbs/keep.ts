import type { Command } from 'commander';
import { type LeftOutOfCommit, makeRecoveryBranch, type Workspace } from '../../engine/index.ts';
import type { SessionId } from '../../model/index.ts';
import { reasonsJson } from '../json.ts';
import { paint, print, printJson, showPath } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';

interface BranchFlags extends GlobalOptions {
  readonly push?: string;
  readonly session?: SessionId;
}

/** Verbs that make something in the user's own repository. */
export const addKeepVerbs = (program: Command, run: Run): void => {
  program
    .command('branch')
    .description('make a git branch with the files of a checkpoint; what you work on stays as it is')
    .argument('<id>', 'id, name, t3 or @-1')
    .argument('[name]', "the branch's name (recovery/<session>)")
    .option('--push <remote>', 'push it to this remote')
    .option('--session <id>', 'whose turns are meant')
    .action(run<BranchFlags>(branch));
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
const say = (chunk: Buffer): void => {
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
