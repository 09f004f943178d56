import type { Command } from 'commander';
import {
  abortRecovery,
  beginRecovery,
  commitsToBe,
  continueRecovery,
  finishRecovery,
  type KeepPlan,
  type KeepResult,
  type Recovering,
  type RecoveryInGit,
  type RollbackPlan,
  type RollbackRequest,
  type RollbackResult,
  resolveAbort,
  resolveDiscard,
  resolveRevert,
  type Workspace,
} from '../../engine/index.ts';
import { partsBeforeWarnings, recoveryCommitsJson, recoveryCommittedJson } from '../../json/recovery.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { type Alongside, confirmAndApply, finish, type PlanFlags, planFlags, showAndApply } from '../apply-plan.ts';
import { assertConfirmed, needsYes } from '../confirm.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { hint, print, printJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { BRANCH_WORDS, type BranchFlags, branchFlags } from '../recovery-branch.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';
import { printKeep, printKept, sayAfter } from './keep.ts';

interface DiscardFlags extends PlanFlags, BranchFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly all?: boolean;
}

interface RevertFlags extends PlanFlags, BranchFlags, ConflictFlags {
  readonly session?: SessionId;
}

interface RecoverFlags extends PlanFlags, ConflictFlags {
  readonly session?: SessionId;
  readonly squash?: boolean;
  readonly commit?: boolean;
  readonly continue?: boolean;
  readonly abort?: boolean;
}

const DISCARD: Guide = {
  examples: [
    ['retake discard --dry-run', 'what would go'],
    ['retake discard --session 3f2a', 'the work of another session'],
  ],
  takes: { session: 'session', expect: 'text', resolve: 'file', ...BRANCH_WORDS },
};

const REVERT: Guide = {
  examples: [
    ['retake revert t3', 'what turn 3 did; all that came later stays'],
    ['retake revert 4be1f02c99 --on-conflict ours', 'one step; where something else changed the same lines, that stays'],
  ],
  takes: { what: 'actor', session: 'session', expect: 'text', resolve: 'file', ...BRANCH_WORDS },
};

const RECOVER: Guide = {
  examples: [
    ['retake recover 4be1f02c99', 'one step, or all that a rollback took back'],
    ['retake recover t3 t4 --squash --commit', 'two turns, as one commit'],
    ['retake recover --continue', 'go on after conflicts'],
  ],
  takes: { steps: 'step', session: 'session', expect: 'text', resolve: 'file' },
};

/** Verbs that take an agent's work out of the workspace, and bring it back. */
export const addRecoveryVerbs = (program: Command): void => {
  branchFlags(
    planFlags(
      conflictFlags(
        describeVerb(program, 'discard', DISCARD)
          .description("take a session's work out of the workspace; your own edits stay")
          .option('--session <id>', 'another than the one that is gone on with')
          .option('--all', 'back to the state at its start, your own edits too'),
      ),
    ),
  ).action(
    run<DiscardFlags>((workspace, options) => {
      const { session, all } = options;
      return showAndApply(workspace, resolveDiscard(workspace, { session, all, ...choiceOf(workspace, options) }), options);
    }),
  );

  branchFlags(
    planFlags(
      conflictFlags(
        describeVerb(program, 'revert', REVERT)
          .description('undo just this: take out what one step, turn or agent did; all that came later stays')
          .argument('<what>', "a step by its id, t3 for all of turn 3, a subagent by its id, or the agent's name")
          .option('--session <id>', 'whose turns are meant'),
      ),
    ),
  ).action(
    run<RevertFlags>((workspace, options, [what = '']) =>
      showAndApply(workspace, resolveRevert(workspace, what, { session: options.session, ...choiceOf(workspace, options) }), options),
    ),
  );

  planFlags(
    conflictFlags(
      describeVerb(program, 'recover', RECOVER)
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
    const rest = await withProgress('Looking at what is left', () => continueRecovery(workspace, choice));
    return rest.recovery === null ? close(workspace, options, rest) : applyRecovery(workspace, options, rest, rest.recovery.request);
  }
  const { session, squash, commit } = options;
  const begun = await withProgress('Looking for the steps', () =>
    beginRecovery(workspace, addresses, { session, squash, commit, ...choice }),
  );
  return applyRecovery(workspace, options, begun, begun.recovery.request);
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
  const shown = await shownCommits(workspace, options, recovering);
  const made = await finishing(workspace, options, recovering, null, shown);
  if (options.json) return printJson({ ...told, ...recoveryCommittedJson(made) });
  printMade(made);
  print('Nothing is left to do: the recovery is finished');
};

/** Commits are made when they were seen and wanted. */
const shownCommits = async (
  workspace: Workspace,
  { yes, json }: RecoverFlags & GlobalOptions,
  recovering: Recovering,
): Promise<RecoveryInGit<KeepPlan>> => {
  const planned = yes ? 'unasked' : await commitsToBe(workspace, recovering);
  if (typeof planned !== 'object') return planned;
  if (json) throw needsYes('This makes commits');
  printKeep(planned);
  await assertConfirmed('Go ahead?');
  return planned;
};

const applyRecovery = async (
  workspace: Workspace,
  options: RecoverFlags & GlobalOptions,
  recovering: Recovering,
  request: RollbackRequest,
): Promise<void> => {
  let shown: RecoveryInGit<KeepPlan> = 'unasked';
  const planned = async ({ conflicts }: RollbackPlan): Promise<Alongside | undefined> => {
    shown = await commitsToBe(workspace, recovering, conflicts);
    return showCommits(shown);
  };
  const result = await confirmAndApply(workspace, request, options, planned);
  if (result === null) return;
  const made = await finishing(workspace, options, recovering, result.rollback, shown);
  finish(workspace, options, result, recoveryCommittedJson(made));
  if (!options.json) printMade(made);
};

const finishing = (
  workspace: Workspace,
  { json }: GlobalOptions,
  recovering: Recovering,
  rollback: RollbackResult['rollback'],
  shown: RecoveryInGit<KeepPlan>,
) =>
  withProgress('Making commits', (_, quiet) =>
    finishRecovery(workspace, recovering, rollback, {
      onOutput: json ? undefined : sayAfter(quiet),
      shown: typeof shown === 'object' ? shown : undefined,
    }),
  );

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
  if (options.dryRun) {
    const { request, before } = resolveAbort(workspace);
    await confirmAndApply(workspace, request, options, async ({ warnings }) => partsBefore(warnings, before));
    return;
  }
  const { expect: _, ...unexpecting } = options;
  const undone = await abortRecovery(workspace, async (request, done) => {
    // Each is shown before it is taken back; what was expected is the state that the first one finds.
    const result = await confirmAndApply(workspace, request, done === 0 ? options : unexpecting);
    if (!options.json && result !== null) finish(workspace, options, result);
    return result?.rollback?.id ?? null;
  });
  if (options.json) printJson({ undone });
};

const partsBefore = (warnings: readonly string[], before: number): Alongside => {
  const more = partsBeforeWarnings(before);
  return { json: { warnings: [...warnings, ...more] }, show: () => more.forEach(hint) };
};
