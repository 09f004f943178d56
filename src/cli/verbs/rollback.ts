import { type Command, Option } from 'commander';
import type { Progress } from '../../daemon/calls.ts';
import { throughDaemon } from '../../daemon/through.ts';
import {
  type Aim,
  aimRedo,
  aimRewind,
  aimUndo,
  type MeasuredStep,
  measureSteps,
  previewRollback,
  type RollbackOptions,
  type RollbackPlan,
  type RollbackResult,
  readRollbacks,
  rollBack,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError, ROLLBACK_SCOPES, type RollbackScope, type SessionId, type StepType, shortId } from '../../model/index.ts';
import { confirm } from '../confirm.ts';
import { planJson, rollbackJson } from '../json.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, showPath, table } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import { describeCounts, type GlobalOptions, type Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';
import { printResume } from './conversation.ts';

interface RollbackFlags {
  readonly path?: string[];
  readonly expect?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface RewindFlags extends RollbackFlags {
  readonly scope: RollbackScope;
  readonly session?: SessionId;
}

/** Verbs that change the workspace, and the list of what they did. */
export const addRollbackVerbs = (program: Command, run: Run): void => {
  const flags = (command: Command): Command =>
    command
      .option('--expect <tree>', 'only if the workspace is still in this state (expectedTree of a dry run)')
      .option('--dry-run', 'show the plan and change nothing')
      .option('--yes', 'do not ask');

  flags(
    program
      .command('rewind')
      .description('bring the workspace back to a checkpoint')
      .argument('[target]', 'id, name, t3 (before turn 3) or @-1')
      .addOption(new Option('--scope <scope>', 'what goes back').choices(ROLLBACK_SCOPES).default('code'))
      .option('--session <id>', 'whose turns are meant')
      .option('--path <path...>', 'only these files or directories'),
  ).action(
    run<RewindFlags>(async (workspace, options, [target]) => {
      const { scope, session } = options;
      if (target === undefined) throw new RetakeError('usage', 'Which checkpoint?', { hint: 'retake rewind ID; retake log lists them.' });
      if (options.path !== undefined && scope !== 'code')
        throw new RetakeError('usage', 'A conversation goes back as a whole', { hint: '--path goes with --scope code only.' });
      const only = options.path && workspacePaths(workspace, options.directory, options.path);
      await perform(workspace, aimRewind(workspace, target, { only, scope, session }), options);
    }),
  );

  flags(program.command('undo').description('take back the last rollback, or a certain one').argument('[rollback]', 'id')).action(
    run<RollbackFlags>((workspace, options, [id]) => perform(workspace, aimUndo(workspace, id), options)),
  );

  flags(program.command('redo').description('take back the last undo')).action(
    run<RollbackFlags>((workspace, options) => perform(workspace, aimRedo(workspace), options)),
  );

  program.command('rollbacks').description('every rollback and undo, newest first').action(run(listRollbacks));
};

const perform = async (workspace: Workspace, aim: Aim, flags: RollbackFlags & GlobalOptions): Promise<void> => {
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
    const plan = await throughDaemon(workspace, {
      name: 'preview',
      args: { aim },
      onProgress,
      here: () => previewRollback(workspace, aim, scanning.update),
    }).finally(done);
    const measured = measureSteps(workspace, plan.steps);
    if (flags.dryRun) return flags.json ? printJson(planJson(plan, measured)) : printPlan(plan, measured);
    if (!flags.json) printPlan(plan, measured);
    if (needsConfirmation(plan)) {
      if (flags.json) throw needsYes();
      if (!(await confirm('Go ahead?'))) throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed');
    }
    return finish(workspace, flags, await carryOut({ shown: plan, expectedTree: flags.expect }));
  }
  return finish(workspace, flags, await carryOut({ expectedTree: flags.expect }));
};

/** More than one file, or anything deleted (RST-12). */
const needsConfirmation = ({ steps }: RollbackPlan): boolean =>
  steps.filter(({ type }) => type !== 'mkdir').length > 1 ||
  steps.some(({ type }) => type === 'delete' || type === 'rmdir' || type === 'retype');

const needsYes = (): RetakeError =>
  new RetakeError('needs-confirmation', 'This changes several files or deletes something', {
    hint: 'Look at it with --dry-run, then add --yes.',
  });

const finish = (workspace: Workspace, { json }: GlobalOptions, result: RollbackResult): void => {
  if (json) {
    printJson(rollbackJson(result, measureSteps(workspace, result.plan.steps)));
    return;
  }
  const { plan, rollback, resume } = result;
  if (rollback === null) {
    print('Nothing to change: the workspace is there already');
    if (plan.kept.length > 0) printKept(plan);
    return;
  }
  print(`${paint('green', 'Done')}: ${summary(plan)}`);
  printKept(plan);
  if (resume !== null) printResume(resume, plan.conversation?.prompt ?? null);
  hint(`To take this back: retake undo ${shortId(rollback.id)}`);
};

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

const printPlan = (plan: RollbackPlan, steps: readonly MeasuredStep[]): void => {
  for (const warning of plan.warnings) print(`${paint('yellow', 'Note:')} ${oneLine(warning)}`);
  for (const { path, reason } of plan.inTheWay) print(`${paint('red', 'In the way:')} ${showPath(path)} (${oneLine(reason)})`);
  print(
    `${plan.verb === 'Rollback' ? 'Rewind to' : `${plan.verb}: back to`} ${paint('yellow', shortId(plan.target.id))} ${oneLine(plan.target.description)}` +
      ` (${relativeTime(plan.target.createdAt)}; ${describeBack(plan)})`,
  );
  if (plan.conversation !== undefined) print(describeConversation(plan.conversation));
  const rows = steps.map(({ type, path, lines }) => [
    paint(STYLE[type], type),
    lines === null ? '' : `${paint('green', `+${lines.insertions}`)} ${paint('red', `-${lines.deletions}`)}`,
    showPath(path),
  ]);
  if (rows.length > 0) print(table(rows));
  print(summary(plan));
  printKept(plan);
};

const describeBack = ({ goesBack: { checkpoints, turns, steps } }: RollbackPlan): string => {
  const inside = turns + steps === 0 ? '' : `: ${count(turns, 'turn')}, ${count(steps, 'step')}`;
  return `${count(checkpoints, 'checkpoint')} made since${inside}`;
};

const describeConversation = ({ from, to, messages, turns, written }: NonNullable<RollbackPlan['conversation']>): string => {
  if (to === null) return `The conversation begins anew; ${count(messages, 'message')} stay in session ${from}`;
  if (written === null) return `The conversation goes on in session ${to}`;
  return `The conversation goes on in a new session without its last ${count(messages, 'message')} (${count(turns, 'turn')}); session ${from} stays as it is`;
};

const printKept = ({ kept }: RollbackPlan): void => {
  for (const { path, reason } of kept) print(`${paint('dim', 'left alone')}  ${showPath(path)} (${oneLine(reason)})`);
};

const listRollbacks = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const list = readRollbacks(workspace);
  if (json) {
    return printJson({
      rollbacks: list.map(({ rollback, undoneBy, counts }) => ({
        id: rollback.id,
        type: rollback.kind,
        from: rollback.safety,
        to: rollback.target,
        scope: rollback.scope,
        only: rollback.only ?? null,
        createdAt: rollback.createdAt,
        outcome: rollback.outcome,
        undoes: rollback.undoes ?? null,
        undoneBy: undoneBy?.id ?? null,
        undoneAt: undoneBy?.createdAt ?? null,
        files: counts,
      })),
    });
  }
  if (list.length === 0) return hint('Nothing was rolled back yet');
  print(
    table(
      list.map(({ rollback, undoneBy, counts }) => [
        paint('yellow', shortId(rollback.id)),
        paint('dim', relativeTime(rollback.createdAt)),
        rollback.outcome === 'complete' ? rollback.kind : `${rollback.kind} ${paint('red', rollback.outcome)}`,
        describeCounts(counts),
        oneLine(rollback.description),
        undoneBy === undefined ? '' : paint('dim', `undone by ${shortId(undoneBy.id)}`),
      ]),
    ),
  );
};
