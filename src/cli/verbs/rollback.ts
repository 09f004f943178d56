import { type Command, Option } from 'commander';
import { aimRedo, aimRewind, aimUndo, assertGoTogether, readRollbacks, type Workspace } from '../../engine/index.ts';
import { RetakeError, ROLLBACK_SCOPES, type RollbackScope, type SessionId, shortId } from '../../model/index.ts';
import { rollbackEntryJson } from '../../shapes/rollbacks.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { aimAtNumbers } from '../hunks.ts';
import { hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import { type PlanFlags, perform, planFlags } from '../perform.ts';
import { describeCounts, type GlobalOptions, type Run } from '../program.ts';

interface RewindFlags extends PlanFlags, ConflictFlags {
  readonly path?: string[];
  readonly hunk?: string[];
  readonly scope: RollbackScope;
  readonly session?: SessionId;
  readonly git?: boolean;
  readonly keepMine?: boolean;
  readonly allSessions?: boolean;
  readonly by?: string;
}

/** Verbs that change the workspace, and the list of what they did. */
export const addRollbackVerbs = (program: Command, run: Run): void => {
  conflictFlags(
    planFlags(
      program
        .command('rewind')
        .description('bring the workspace back to a checkpoint')
        .argument('[target]', 'id, name, t3 (before turn 3) or @-1')
        .addOption(new Option('--scope <scope>', 'what goes back').choices(ROLLBACK_SCOPES).default('code'))
        .option('--session <id>', 'whose turns are meant')
        .option('--git', 'branch, HEAD and index of the git repository go back too')
        .option('--path <path...>', 'only these files or directories')
        .option('--hunk <path:numbers...>', 'only these parts of files, by their numbers, as in src/cart.ts:1,3-5')
        .option('--patch', 'show the changes themselves, with the numbers of their parts')
        .option('--keep-mine', 'what agents did goes back, what you changed yourself stays')
        .option('--by <who>', 'only what this agent, turn or step did')
        .option('--all-sessions', 'what other sessions did at the same time goes back too'),
    ),
  ).action(
    run<RewindFlags>(async (workspace, options, [target]) => {
      const { scope, session, git } = options;
      if (target === undefined) throw new RetakeError('usage', 'Which checkpoint?', { hint: 'retake rewind ID; retake log lists them.' });
      const { keepMine, allSessions, by, hunk } = options;
      const only = options.path && workspacePaths(workspace, options.directory, options.path);
      const request = { only, scope, session, git, keepMine, allSessions, by, choice: choiceOf(workspace, options) };
      if (hunk !== undefined) assertGoTogether(request, true);
      const aim = aimRewind(workspace, target, request);
      await perform(workspace, hunk === undefined ? aim : await aimAtNumbers(workspace, aim, hunk, options), options);
    }),
  );

  planFlags(program.command('undo').description('take back the last rollback, or a certain one').argument('[rollback]', 'id')).action(
    run<PlanFlags>((workspace, options, [id]) => perform(workspace, aimUndo(workspace, id), options)),
  );

  planFlags(program.command('redo').description('take back the last undo')).action(
    run<PlanFlags>((workspace, options) => perform(workspace, aimRedo(workspace), options)),
  );

  program.command('rollbacks').description('every rollback and undo, newest first').action(run(listRollbacks));
};

const listRollbacks = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const list = readRollbacks(workspace);
  if (json) {
    return printJson({ rollbacks: list.map(rollbackEntryJson) });
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
