import type { Command } from 'commander';
import type { Progress } from '../daemon/calls.ts';
import { throughDaemon } from '../daemon/through.ts';
import {
  type Aim,
  type ConversationMove,
  describePlan,
  type PathShare,
  type RollbackOptions,
  type RollbackPlan,
  type RollbackResult,
  rollBack,
  type Workspace,
} from '../engine/index.ts';
import { RetakeError, type StepType, shortId } from '../model/index.ts';
import { planJson, rollbackJson } from '../shapes/plan.ts';
import { confirm } from './confirm.ts';
import { printConflicts } from './conflicts.ts';
import { describeGitPlan } from './git.ts';
import { partOf, printPatch } from './hunks.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, showPath, table } from './output.ts';
import { preview } from './preview.ts';
import type { GlobalOptions } from './program.ts';
import { ProgressLine } from './progress.ts';
import { printReplays } from './replays.ts';
import { printResume } from './resume.ts';

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
  show(): void;
}

/** The same without telling what came of it; null after a dry run, which is told. What is done `alongside` is always asked about. */
export const propose = async (
  workspace: Workspace,
  aim: Aim,
  flags: PlanFlags & GlobalOptions,
  alongside?: (plan: RollbackPlan) => Promise<Alongside | undefined>,
): Promise<RollbackResult | null> => {
  const scanning = new ProgressLine('Files looked at');
  const writing = new ProgressLine('Changes made');
  const done = (): void => {
    scanning.end();
    writing.end();
  };
  const onProgress = (progress: Progress): void => {
    if ('files' in progress) scanning.update(progress.files);
    else writing.update(progress.done, progress.total);
  };
  const carryOut = (options: Pick<RollbackOptions, 'expectedTree' | 'shown'>): Promise<RollbackResult> =>
    throughDaemon(workspace, {
      name: 'rollback',
      args: { aim, options },
      onProgress,
      here: () => rollBack(workspace, aim, { ...options, onScan: scanning.update, onApply: writing.update }),
    }).finally(done);
  if (flags.dryRun || !flags.yes) {
    const plan = await preview(workspace, aim);
    const isDry = flags.dryRun ?? false;
    if (!flags.json) printPlan(workspace, plan);
    if (!flags.json && flags.patch) printPatch(workspace, plan);
    const other = await alongside?.(plan);
    if (!flags.json) other?.show();
    else if (isDry) printJson({ ...planJson(describePlan(workspace, plan, flags)), ...other?.json });
    if (isDry) return null;
    if (needsConfirmation(plan) || (other !== undefined && isResolved(plan))) {
      if (flags.json) throw needsYes();
      if (!(await confirm('Go ahead?'))) throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed');
    }
    return carryOut({ shown: plan, expectedTree: flags.expect });
  }
  return carryOut({ expectedTree: flags.expect });
};

/** More than one file, anything deleted (RST-12), or git moved. While a conflict is open, there is nothing to confirm: it is refused. */
const needsConfirmation = (plan: RollbackPlan): boolean => isResolved(plan) && isWeighty(plan);

const isResolved = ({ conflicts }: RollbackPlan): boolean => conflicts.every(({ choice }) => choice !== null);

const isWeighty = ({ steps, git }: RollbackPlan): boolean =>
  git !== undefined ||
  steps.filter(({ type }) => type !== 'mkdir').length > 1 ||
  steps.some(({ type }) => type === 'delete' || type === 'rmdir' || type === 'retype');

const needsYes = (): RetakeError =>
  new RetakeError('needs-confirmation', 'This changes several files, deletes something or makes commits', {
    hint: 'Look at it with --dry-run, then add --yes.',
  });

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
  const { plan, rollback, resume } = result;
  if (rollback === null) {
    print('Nothing to change: the workspace is there already');
    if (plan.kept.length > 0) printKept(plan);
    return;
  }
  print(`${paint('green', 'Done')}: ${summary(plan)}`);
  if (plan.git !== undefined) for (const line of describeGitPlan(plan.git)) print(line);
  for (const { path } of plan.conflicts.filter(({ choice }) => choice === 'manual'))
    print(`${paint('yellow', 'To finish by hand:')} ${showPath(path)}`);
  printKept(plan);
  if (rollback.left !== undefined)
    hint(`Finish by hand what is between markers, then: retake recover --continue${leftToDo(rollback.left.steps.length)}`);
  if (resume !== null) printResume(resume, plan.conversation?.prompt ?? null);
  hint(`To take this back: retake undo ${shortId(rollback.id)}`);
};

const leftToDo = (steps: number): string => (steps === 0 ? '' : ` (${count(steps, 'step')} to go)`);

/** A noun where it is not files, and what happened to them. */
const WORDS: Readonly<Record<StepType, readonly [noun: string, done: string]>> = {
  create: ['file', 'created'],
  restore: ['file', 'restored'],
  retype: ['path', 'changed in type'],
  delete: ['file', 'deleted'],
  chmod: ['path', 'changed in permissions'],
  mkdir: ['folder', 'made'],
  rmdir: ['folder', 'removed'],
};

const summary = ({ steps }: RollbackPlan): string => {
  const counts = new Map<StepType, number>();
  for (const { type } of steps) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, number]) => `${count(number, WORDS[type][0])} ${WORDS[type][1]}`).join(', ') || 'nothing to change';
};

const STYLE: Readonly<Record<StepType, Parameters<typeof paint>[0]>> = {
  create: 'green',
  mkdir: 'green',
  restore: 'yellow',
  retype: 'yellow',
  chmod: 'yellow',
  delete: 'red',
  rmdir: 'red',
};

const printPlan = (workspace: Workspace, plan: RollbackPlan): void => {
  const { steps, conflicts, replays } = describePlan(workspace, plan);
  const shares = new Map(plan.shares.map((share) => [share.path, share]));
  for (const warning of plan.warnings) print(`${paint('yellow', 'Note:')} ${oneLine(warning)}`);
  for (const { path, reason } of plan.inTheWay) print(`${paint('red', 'In the way:')} ${showPath(path)} (${oneLine(reason)})`);
  printConflicts(conflicts);
  print(
    `${HEADLINES[plan.verb]} ${paint('yellow', shortId(plan.subject ?? plan.target.id))} ${oneLine(plan.title ?? plan.target.description)}` +
      (plan.subject === undefined ? ` (${relativeTime(plan.target.createdAt)}${isGoingBack(plan) ? `; ${describeBack(plan)}` : ''})` : ''),
  );
  if (plan.verb === 'Recover' || plan.verb === 'Revert') printReplays(replays);
  if (plan.conversation !== undefined) print(describeConversation(plan, plan.conversation));
  if (plan.git !== undefined) for (const line of describeGitPlan(plan.git)) print(line);
  const rows = steps.map(({ type, path, lines }) => [
    paint(STYLE[type], type),
    lines === null ? '' : `${paint('green', `+${lines.insertions}`)} ${paint('red', `-${lines.deletions}`)}`,
    ...(plan.shares.length === 0 ? [] : [paint('dim', describeShare(shares.get(path)))]),
    showPath(path) + partOf(plan, path),
  ]);
  const staying = plan.shares
    .filter(({ path }) => !steps.some((step) => step.path === path))
    .map((share) => [paint('cyan', 'stays'), '', paint('dim', describeShare(share)), showPath(share.path)]);
  if (rows.length + staying.length > 0) print(table([...rows, ...staying]));
  print(summary(plan));
  printKept(plan);
};

/** Whose a file is. */
const describeShare = ({ by, sessions }: Pick<PathShare, 'by' | 'sessions'> = { by: null, sessions: [] }): string => {
  const hands = { agent: "agent's", person: 'yours', both: 'both', none: '' }[by ?? 'none'];
  return sessions.length > 1 ? `${hands} (${count(sessions.length, 'session')})` : hands;
};

const HEADLINES: Readonly<Record<RollbackPlan['verb'], string>> = {
  Rollback: 'Rewind to',
  Undo: 'Undo: back to',
  Redo: 'Redo: back to',
  Switch: 'Switch to',
  Merge: 'Merge',
  Discard: 'Discard',
  Revert: 'Revert',
  Recover: 'Recover',
};

const isGoingBack = ({ verb, replay }: RollbackPlan): boolean => verb !== 'Switch' && replay === undefined;

const describeBack = ({ goesBack: { checkpoints, turns, steps } }: RollbackPlan): string => {
  const inside = turns + steps === 0 ? '' : `: ${count(turns, 'turn')}, ${count(steps, 'step')}`;
  return `${count(checkpoints, 'checkpoint')} made since${inside}`;
};

const describeConversation = ({ verb }: RollbackPlan, { from, to, messages, turns, written }: ConversationMove): string => {
  if (to === null) return `The conversation begins anew; ${count(messages, 'message')} stay in session ${from}`;
  if (written === null) return `The conversation goes on in session ${to}`;
  if (verb === 'Switch') return 'The conversation goes on in a new session, as it was on that branch; no other is changed';
  return `The conversation goes on in a new session without its last ${count(messages, 'message')} (${count(turns, 'turn')}); session ${from} stays as it is`;
};

const printKept = ({ kept }: RollbackPlan): void => {
  for (const { path, reason } of kept) print(`${paint('dim', 'left alone')}  ${showPath(path)} (${oneLine(reason)})`);
};
