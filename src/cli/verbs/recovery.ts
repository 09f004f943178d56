import type { Command } from 'commander';
import {
  type Aim,
  abortRecovery,
  aimDiscard,
  aimRevert,
  beginRecovery,
  commitsToBe,
  continueRecovery,
  finishRecovery,
  type KeepPlan,
  type KeepResult,
  type Recovering,
  type RecoveryInGit,
  type RollbackPlan,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { recoveryCommitsJson, recoveryCommittedJson } from '../../shapes/recovery.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { hint, print, printJson } from '../output.ts';
import { type Alongside, finish, type PlanFlags, perform, planFlags, propose } from '../perform.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { printKeep, printKept, say } from './keep.ts';

interface DiscardFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly all?: boolean;
}

interface RevertFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
}

interface RecoverFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly squash?: boolean;
  readonly commit?: boolean;
  readonly continue?: boolean;
  readonly abort?: boolean;
}

/** Verbs that take an agent's work out of the workspace, and bring it back. */
export const addRecoveryVerbs = (program: Command, run: Run): void => {
  planFlags(
    conflictFlags(
      program
        .command('discard')
        .description("take a session's work out of the workspace; your own edits stay")
        .option('--session <id>', 'another than the one that is gone on with')
        .option('--all', 'back to the state at its start, your own edits too'),
    ),
  ).action(
    run<DiscardFlags>((workspace, options) => {
      const { session, all } = options;
      return perform(workspace, aimDiscard(workspace, { session, all, ...choiceOf(workspace, options) }), options);
    }),
  );

  planFlags(
    conflictFlags(
      program
        .command('revert')
        .description('undo just this: take out what one step, turn or agent did; all that came later stays')
        .argument('<what>', "a step by its id, t3 for all of turn 3, a subagent by its id, or the agent's name")
        .option('--session <id>', 'whose turns are meant'),
    ),
  ).action(
    run<RevertFlags>((workspace, options, [what = '']) =>
      perform(workspace, aimRevert(workspace, what, { session: options.session, ...choiceOf(workspace, options) }), options),
    ),
  );

  planFlags(
    conflictFlags(
      program
        .command('recover')
        .description('do steps again that were rolled back, or done on another branch, on top of the present')
        .argument(
          '[steps...]',
          'a step by its id, t3 for all of turn 3, a rollback for all that it left behind, or a commit as git names it',
        )
        .option('--session <id>', 'whose turns are meant')
        .option('--squash', 'as one change')
        .option('--commit', 'commit it too, each step or turn by itself; with --squash as one')
        .option('--continue', 'go on when what is between markers is finished by hand')
        .option('--abort', 'take back what the recovery did so far'),
    ),
  ).action(run<RecoverFlags>(recover));
};

const recover = async (workspace: Workspace, options: RecoverFlags & GlobalOptions, addresses: readonly string[]): Promise<void> => {
  const ways = [addresses.length > 0, options.continue ?? false, options.abort ?? false].filter(Boolean).length;
  if (ways !== 1) {
    throw new RetakeError('usage', ways === 0 ? 'Which steps?' : 'Steps, --continue and --abort exclude each other', {
      hint: 'retake recover STEP…, or --continue, or --abort; retake log lists the steps.',
    });
  }
  if (options.abort) return abort(workspace, options);
  const choice = choiceOf(workspace, options);
  if (options.continue) {
    const rest = await continueRecovery(workspace, choice);
    return rest.recovery === null ? close(workspace, options, rest) : carryOut(workspace, options, rest, rest.recovery.aim);
  }
  const { session, squash, commit } = options;
  const begun = await beginRecovery(workspace, addresses, { session, squash, commit, ...choice });
  return carryOut(workspace, options, begun, begun.recovery.aim);
};

/** All that was left was to be finished by hand, and is, or to be committed. */
const close = async (workspace: Workspace, options: RecoverFlags & GlobalOptions, recovering: Recovering): Promise<void> => {
  const told = { recovery: recovering.goesOnWith, left: null };
  if (options.dryRun) {
    const planned = showCommits(await commitsToBe(workspace, recovering));
    if (options.json) return printJson({ ...told, ...planned?.json });
    planned?.show();
    return print('Nothing else is left to do');
  }
  const made = await finishRecovery(workspace, recovering, null, { onOutput: options.json ? undefined : say });
  if (options.json) return printJson({ ...told, ...recoveryCommittedJson(made) });
  printMade(made);
  print('Nothing is left to do: the recovery is finished');
};

const carryOut = async (workspace: Workspace, options: RecoverFlags & GlobalOptions, recovering: Recovering, aim: Aim): Promise<void> => {
  const planned = async ({ conflicts }: RollbackPlan): Promise<Alongside | undefined> =>
    showCommits(await commitsToBe(workspace, recovering, conflicts));
  const result = await propose(workspace, aim, options, planned);
  if (result === null) return;
  const made = await finishRecovery(workspace, recovering, result.rollback, { onOutput: options.json ? undefined : say });
  finish(workspace, options, result, recoveryCommittedJson(made));
  if (!options.json) printMade(made);
};

const showCommits = (planned: RecoveryInGit<KeepPlan>): Alongside | undefined => {
  if (planned === 'unasked') return undefined;
  const show = (): void => {
    if (planned === 'later') hint('What is committed is known when the conflicts are settled');
    else if (planned === 'nothing') print(NOTHING);
    else printKeep(planned);
  };
  return { json: recoveryCommitsJson(planned), show };
};

const NOTHING = 'Nothing of it is left to be committed';

const printMade = (made: RecoveryInGit<KeepResult>): void => {
  if (made === 'nothing') print(NOTHING);
  else if (typeof made === 'object') printKept(made);
};

const abort = async (workspace: Workspace, options: RecoverFlags & GlobalOptions): Promise<void> => {
  const undone = await abortRecovery(workspace, async (aim) => {
    const result = await propose(workspace, aim, options);
    if (result === null) return undefined;
    if (!options.json) finish(workspace, options, result);
    return result.rollback?.id ?? null;
  });
  if (options.json && !options.dryRun) printJson({ undone });
};
