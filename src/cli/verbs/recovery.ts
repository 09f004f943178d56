import type { Command } from 'commander';
import { aimContinue, aimDiscard, aimRecover, aimUndo, closeRecovery, recoveryToAbort, type Workspace } from '../../engine/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { print, printJson } from '../output.ts';
import { finish, type PlanFlags, perform, planFlags, propose } from '../perform.ts';
import type { GlobalOptions, Run } from '../program.ts';

interface DiscardFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly all?: boolean;
}

interface RecoverFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly squash?: boolean;
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
        .command('recover')
        .description('do steps again that were rolled back, or done on another branch, on top of the present')
        .argument(
          '[steps...]',
          'a step by its id, t3 for all of turn 3, a rollback for all that it left behind, or a commit as git names it',
        )
        .option('--session <id>', 'whose turns are meant')
        .option('--squash', 'as one change')
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
  const { session, squash } = options;
  return perform(workspace, await aimRecover(workspace, addresses, { session, squash, ...choice }), options);
};

const goOn = async (
  workspace: Workspace,
  options: RecoverFlags & GlobalOptions,
  { recovery, aim }: Awaited<ReturnType<typeof aimContinue>>,
): Promise<void> => {
  if (aim === null) {
    if (!options.dryRun) await closeRecovery(workspace, recovery);
    if (options.json) printJson({ recovery, left: null });
    else print('Nothing is left to do: the recovery is finished');
    return;
  }
  const result = await propose(workspace, aim, options);
  if (result === null) return;
  // Where the rest changes nothing there is no record that could tell.
  if (result.rollback === null) await closeRecovery(workspace, recovery);
  finish(workspace, options, result);
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
