import type { Command } from 'commander';
import {
  aimContinue,
  aimDiscard,
  aimRecover,
  aimRevert,
  aimUndo,
  assertCanCommit,
  closeRecovery,
  commitRecovery,
  type KeepPlan,
  type KeepResult,
  planRecoveryCommits,
  type Recovery,
  type RollbackPlan,
  recoveryToAbort,
  type Workspace,
} from '../../engine/index.ts';
import { type OperationId, RetakeError, type SessionId } from '../../model/index.ts';
import { keepJson, keptJson } from '../../shapes/keep.ts';
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
  if (options.continue) return goOn(workspace, options, await aimContinue(workspace, choice));
  const { session, squash, commit = false } = options;
  if (commit) await assertCanCommit(workspace);
  return carryOut(workspace, options, await aimRecover(workspace, addresses, { session, squash, commit, ...choice }), { commit });
};

const goOn = async (
  workspace: Workspace,
  options: RecoverFlags & GlobalOptions,
  { recovery, commits, rest }: Awaited<ReturnType<typeof aimContinue>>,
): Promise<void> => {
  if (commits) await assertCanCommit(workspace);
  if (rest !== null) return carryOut(workspace, options, rest, { commit: commits, goesOnWith: recovery });
  if (options.dryRun) {
    const planned = commits ? await showCommits(await planRecoveryCommits(workspace, null, recovery)) : undefined;
    if (options.json) return printJson({ recovery, left: null, ...planned?.json });
    planned?.show();
    return print('Nothing else is left to do');
  }
  const made = commits
    ? await commitRecovery(workspace, recovery, { takesBack: false, onOutput: options.json ? undefined : say })
    : undefined;
  if (made === undefined) await closeRecovery(workspace, recovery);
  if (options.json) return printJson({ recovery, left: null, ...(made === undefined ? {} : madeJson(made)) });
  if (made !== undefined) printMade(made);
  print('Nothing is left to do: the recovery is finished');
};

interface Going {
  readonly commit: boolean;
  /** The recovery that this is the rest of. */
  readonly goesOnWith?: OperationId;
}

const carryOut = async (
  workspace: Workspace,
  options: RecoverFlags & GlobalOptions,
  recovery: Recovery,
  { commit, goesOnWith }: Going,
): Promise<void> => {
  // What is in conflict, or to be finished by hand, has to be settled before anybody can tell what is committed.
  const planned = async ({ conflicts }: RollbackPlan): Promise<Alongside> =>
    conflicts.some(({ choice }) => choice === null || choice === 'manual')
      ? { json: { commits: null }, show: () => hint('What is committed is known when the conflicts are settled') }
      : showCommits(await planRecoveryCommits(workspace, recovery, goesOnWith ?? null));
  const result = await propose(workspace, recovery.aim, options, commit ? planned : undefined);
  if (result === null) return;
  const { rollback } = result;
  // Where the rest changes nothing there is no record that could tell.
  const done = rollback?.id ?? goesOnWith;
  if (commit && done !== undefined && rollback?.left === undefined) {
    const made = await commitRecovery(workspace, done, { takesBack: rollback !== null, onOutput: options.json ? undefined : say });
    finish(workspace, options, result, madeJson(made));
    if (!options.json) printMade(made);
    return;
  }
  if (rollback === null && goesOnWith !== undefined) await closeRecovery(workspace, goesOnWith);
  finish(workspace, options, result, commit ? { commits: rollback === null ? [] : null } : {});
};

const showCommits = (plan: KeepPlan | null): Alongside => {
  if (plan === null) return { json: { commits: [] }, show: () => print('Nothing of it is left to be committed') };
  const { branch, commits, leftOut, staged } = keepJson(plan);
  return { json: { branch, commits, leftOut, staged }, show: () => printKeep(plan) };
};

const madeJson = (made: KeepResult | null): object => {
  if (made === null) return { commits: [] };
  const { branch, commits, leftOut, staged } = keptJson(made);
  return { branch, commits, leftOut, staged };
};

const printMade = (made: KeepResult | null): void => {
  if (made === null) print('Nothing of it is left to be committed');
  else printKept(made);
};

/** Part by part: killed in between, the rest is still a recovery that can be gone on with or taken back. */
const abort = async (workspace: Workspace, options: RecoverFlags & GlobalOptions): Promise<void> => {
  const undone: (string | null)[] = [];
  for (const part of recoveryToAbort(workspace)) {
    const result = await propose(workspace, aimUndo(workspace, part), options);
    if (result === null) return;
    // Taken back by hand already: no record tells.
    if (result.rollback === null) await closeRecovery(workspace, part);
    undone.push(result.rollback?.id ?? null);
    if (!options.json) finish(workspace, options, result);
  }
  if (options.json) printJson({ undone });
};
