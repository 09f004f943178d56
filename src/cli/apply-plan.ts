import type { Command } from 'commander';
import {
  describePlan,
  plannedBranch,
  type RollbackPlan,
  type RollbackRequest,
  type RollbackResult,
  type Workspace,
} from '../engine/index.ts';
import { planJson, rollbackJson } from '../json/plan.ts';
import { assertConfirmed, needsYes } from './confirm.ts';
import { printPatch } from './hunks.ts';
import { hint, print, printJson } from './output.ts';
import { apply, preview, watched } from './plan-client.ts';
import { outcomeLines, planLines } from './plan-text.ts';
import { withProgress } from './progress.ts';
import { type BranchFlags, branchAlongside, branchMissing, branchOf, branchRequestOf } from './recovery-branch.ts';
import type { GlobalOptions } from './verb.ts';
import { sayAfter } from './verbs/keep.ts';

/** What every verb takes that changes the workspace by a plan. */
export interface PlanFlags {
  readonly expect?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
  /** The plan with the changes themselves; for verbs that can be limited to hunks. */
  readonly patch?: boolean | undefined;
}

export const planFlags = (command: Command): Command =>
  command
    .option('--expect <tree>', 'only if the workspace is still in this state (expectedTree of a dry run)')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--yes', 'do not ask')
    .option('--wait', 'wait until no step of an agent runs', false);

/**
 * Shows a plan, asks where that is due, carries it out, and tells how to go on and how to take it back; with a branch of the state before it
 * where that is wanted. What can be known to fail of the branch is refused before anything is changed.
 */
export const showAndApply = async (
  workspace: Workspace,
  request: RollbackRequest,
  flags: PlanFlags & BranchFlags & GlobalOptions,
  onShown?: (plan: RollbackPlan) => void,
): Promise<void> => {
  const planned = await plannedBranch(workspace, request, branchRequestOf(flags));
  const result = await confirmAndApply(workspace, request, flags, async (plan) => {
    if (!flags.json) onShown?.(plan);
    return branchAlongside(planned);
  });
  if (result === null) return;
  const branch = await withProgress('Making the branch', (_, quiet) =>
    branchOf(workspace, result, planned, flags.json ? undefined : sayAfter(quiet)),
  );
  const { json, lines, failure } = branch;
  const isOwed = failure !== undefined && (flags.recoveryBranch !== undefined || flags.push !== undefined);
  if (!flags.json || !isOwed) finish(workspace, flags, result, json);
  if (isOwed) throw branchMissing(branch, result, { ...rollbackJson(result, describePlan(workspace, result.plan, result)), ...json });
  if (!flags.json) for (const line of lines) print(line);
};

/** Something that is done with a plan and is to be shown with it. */
export interface Alongside {
  readonly json: object;
  /** It changes nothing that anybody works on, so that nobody is asked because of it. */
  readonly isHarmless?: boolean;
  show(): void;
}

/** The same without telling what came of it; null after a dry run, which is told. What is done `alongside` is asked about, unless it is harmless. */
export const confirmAndApply = async (
  workspace: Workspace,
  request: RollbackRequest,
  flags: PlanFlags & GlobalOptions,
  alongside?: (plan: RollbackPlan) => Promise<Alongside | undefined>,
): Promise<RollbackResult | null> => {
  if (flags.dryRun || !flags.yes) {
    const plan = await watched((watch) => preview(workspace, request, watch));
    const isDry = flags.dryRun ?? false;
    if (!flags.json) for (const line of planLines(describePlan(workspace, plan))) print(line);
    if (!flags.json && flags.patch) printPatch(workspace, plan);
    const other = await alongside?.(plan);
    if (!flags.json) other?.show();
    else if (isDry) printJson({ ...planJson(describePlan(workspace, plan, flags)), ...other?.json });
    if (isDry) return null;
    if (needsConfirmation(plan) || (other !== undefined && !other.isHarmless && isResolved(plan))) {
      if (flags.json) throw needsYes('This changes several files, deletes something, makes commits or pushes');
      await assertConfirmed('Go ahead?');
    }
    return watched((watch) => apply(workspace, request, { shown: plan, expectedTree: flags.expect }, watch));
  }
  return watched((watch) => apply(workspace, request, { expectedTree: flags.expect }, watch));
};

/** More than one file, anything deleted (RST-12), a file outside (RST-6), or git moved. While a conflict is open, there is nothing to confirm: it is refused. */
const needsConfirmation = (plan: RollbackPlan): boolean => isResolved(plan) && isWeighty(plan);

const isResolved = ({ conflicts }: RollbackPlan): boolean => conflicts.every(({ choice }) => choice !== null);

const isWeighty = ({ steps, git, outside }: RollbackPlan): boolean =>
  git !== undefined ||
  outside.steps.length > 0 ||
  steps.filter(({ type }) => type !== 'mkdir').length > 1 ||
  steps.some(({ type }) => type === 'delete' || type === 'rmdir' || type === 'retype');

export const finish = (
  workspace: Workspace,
  { json, patch }: Pick<PlanFlags, 'patch'> & GlobalOptions,
  result: RollbackResult,
  alongside: object = {},
): void => {
  if (json) {
    printJson({ ...rollbackJson(result, describePlan(workspace, result.plan, { patch, rollback: result.rollback })), ...alongside });
    return;
  }
  const { told, onward, hints } = outcomeLines(result);
  for (const line of [...told, ...onward]) print(line);
  for (const line of hints) hint(line);
};
