import type { Command } from 'commander';
import { type Aim, describePlan, type RollbackPlan, type RollbackResult, type Workspace } from '../engine/index.ts';
import { planJson, rollbackJson } from '../shapes/plan.ts';
import { carryOut, preview, watched } from './carry-out.ts';
import { assertConfirmed, needsYes } from './confirm.ts';
import { printPatch } from './hunks.ts';
import { hint, print, printJson } from './output.ts';
import { outcomeLines, planLines } from './plan-text.ts';
import type { GlobalOptions } from './program.ts';

/** What every verb takes that changes the workspace by a plan. */
export interface PlanFlags {
  readonly expect?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** The plan with the changes themselves; for verbs that can be limited to hunks. */
  readonly patch?: boolean | undefined;
}

export const planFlags = (command: Command): Command =>
  command
    .option('--expect <tree>', 'only if the workspace is still in this state (expectedTree of a dry run)')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--yes', 'do not ask');

/** Shows a plan, asks where that is due, carries it out, and tells how to go on and how to take it back. */
export const perform = async (workspace: Workspace, aim: Aim, flags: PlanFlags & GlobalOptions): Promise<void> => {
  const result = await propose(workspace, aim, flags);
  if (result !== null) finish(workspace, flags, result);
};

/** Something that is done with a plan and is to be shown with it. */
export interface Alongside {
  readonly json: object;
  /** It changes nothing that anybody works on, so that nobody is asked because of it. */
  readonly isHarmless?: true;
  show(): void;
}

/** The same without telling what came of it; null after a dry run, which is told. What is done `alongside` is asked about, unless it is harmless. */
export const propose = async (
  workspace: Workspace,
  aim: Aim,
  flags: PlanFlags & GlobalOptions,
  alongside?: (plan: RollbackPlan) => Promise<Alongside | undefined>,
): Promise<RollbackResult | null> => {
  if (flags.dryRun || !flags.yes) {
    const plan = await watched((watch) => preview(workspace, aim, watch));
    const isDry = flags.dryRun ?? false;
    if (!flags.json) for (const line of planLines(describePlan(workspace, plan))) print(line);
    if (!flags.json && flags.patch) printPatch(workspace, plan);
    const other = await alongside?.(plan);
    if (!flags.json) other?.show();
    else if (isDry) printJson({ ...planJson(describePlan(workspace, plan, flags)), ...other?.json });
    if (isDry) return null;
    if (needsConfirmation(plan) || (other !== undefined && !other.isHarmless && isResolved(plan))) {
      if (flags.json) throw needsYes('This changes several files, deletes something or makes commits');
      await assertConfirmed('Go ahead?');
    }
    return watched((watch) => carryOut(workspace, aim, { shown: plan, expectedTree: flags.expect }, watch));
  }
  return watched((watch) => carryOut(workspace, aim, { expectedTree: flags.expect }, watch));
};

/** More than one file, anything deleted (RST-12), or git moved. While a conflict is open, there is nothing to confirm: it is refused. */
const needsConfirmation = (plan: RollbackPlan): boolean => isResolved(plan) && isWeighty(plan);

const isResolved = ({ conflicts }: RollbackPlan): boolean => conflicts.every(({ choice }) => choice !== null);

const isWeighty = ({ steps, git }: RollbackPlan): boolean =>
  git !== undefined ||
  steps.filter(({ type }) => type !== 'mkdir').length > 1 ||
  steps.some(({ type }) => type === 'delete' || type === 'rmdir' || type === 'retype');

export const finish = (
  workspace: Workspace,
  { json, patch }: Pick<PlanFlags, 'patch'> & GlobalOptions,
  result: RollbackResult,
  alongside: object = {},
): void => {
  if (json) {
    printJson({ ...rollbackJson(result, describePlan(workspace, result.plan, { patch })), ...alongside });
    return;
  }
  const { told, onward, hints } = outcomeLines(result);
  for (const line of [...told, ...onward]) print(line);
  for (const line of hints) hint(line);
};
