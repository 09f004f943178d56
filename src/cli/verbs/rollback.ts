import { type Command, Option } from 'commander';
import {
  type Aim,
  aimRedo,
  aimRewind,
  aimUndo,
  assertGoTogether,
  describePlan,
  plannedBranch,
  readRollbacks,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError, ROLLBACK_SCOPES, type RollbackScope } from '../../model/index.ts';
import { rollbackJson } from '../../shapes/plan.ts';
import { rollbackEntryJson } from '../../shapes/rollbacks.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { aimAtNumbers } from '../hunks.ts';
import { shownId } from '../ids.ts';
import { isOnTerminal } from '../no-verb.ts';
import { hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import { finish, type PlanFlags, perform, planFlags, propose } from '../perform.ts';
import { describeCounts, type GlobalOptions, type Run } from '../program.ts';
import { branchAlongside, branchMissing, branchOf } from '../recovery-branch.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { addVerb, type Guide } from '../verb.ts';

interface RewindFlags extends PlanFlags, ConflictFlags, TurnFlags {
  readonly path?: string[];
  readonly hunk?: string[];
  readonly scope: RollbackScope;
  readonly git?: boolean;
  readonly keepMine?: boolean;
  readonly allSessions?: boolean;
  readonly by?: string;
  /** A name; true for the usual one; undefined for what the settings say. */
  readonly recoveryBranch?: string | boolean;
  readonly plain?: boolean;
}

const REWIND: Guide = {
  group: 'back',
  summary: 'bring the workspace back to a checkpoint',
  examples: [
    ['retake rewind t3 --dry-run', 'what would change, back to before turn 3'],
    ['retake rewind t3 --scope both', 'code and conversation'],
    ['retake rewind before-refactor --path src --keep-mine', 'one folder, without what you changed yourself'],
  ],
  takes: { target: 'checkpoint', ...TURN_WORDS, path: 'file', hunk: 'file', by: 'doer', expect: 'text', resolve: 'file' },
};

const UNDO: Guide = {
  group: 'back',
  summary: 'take back the last rollback, or a certain one',
  examples: [
    ['retake undo', 'the last one'],
    ['retake undo 4be1f02c99 --dry-run', 'what taking back a certain one would change'],
  ],
  takes: { rollback: 'rollback', expect: 'text' },
};

const REDO: Guide = {
  group: 'back',
  summary: 'take back the last undo',
  examples: [
    ['retake redo', 'the rollback counts again'],
    ['retake redo --dry-run', 'what would change'],
  ],
  takes: { expect: 'text' },
};

const ROLLBACKS: Guide = {
  group: 'back',
  summary: 'every rollback and undo',
  examples: [
    ['retake rollbacks', 'newest first, with what was undone'],
    ['retake rollbacks --json', 'the same, for a program'],
  ],
};

/** A program of its own: what the two share would be cut into files that every command has to find. */
const PICKER = new URL(import.meta.url.endsWith('.ts') ? '../picker/index.ts' : './picker.js', import.meta.url);

/** What is chosen in the picker, or makes no sense before something is. */
const ABOUT_TARGET = [
  'branch',
  'dryRun',
  'yes',
  'expect',
  'git',
  'path',
  'hunk',
  'patch',
  'keepMine',
  'by',
  'allSessions',
  'onConflict',
  'recoveryBranch',
] as const;

/** No target: people are shown what there is. */
const pick = async (workspace: Workspace, options: RewindFlags & GlobalOptions): Promise<void> => {
  const { json, session, plain, directory } = options;
  const isBare = ABOUT_TARGET.every((name) => options[name] === undefined) && options.scope === 'code' && !options.resolve?.length;
  if (json || !isBare || !isOnTerminal())
    throw new RetakeError('usage', 'Which checkpoint?', { hint: 'retake rewind ID; retake log lists them.' });
  if (!workspace.isProtected)
    return hint('Nothing is recorded here yet: retake setup claude-code, or retake checkpoint. retake --help tells more.');
  const { openPicker } = (await import(PICKER.href)) as typeof import('../picker/index.ts');
  const problem = await openPicker({ directory, session, plain });
  // Made here: that program has classes of its own, and its errors would be none of ours.
  if (problem !== null) throw new RetakeError('interrupted', problem);
};

/** Verbs that change the workspace, and the list of what they did. */
export const addRollbackVerbs = (program: Command, run: Run): void => {
  conflictFlags(
    planFlags(
      turnFlags(
        addVerb(program, 'rewind', REWIND)
          .description('bring the workspace back to a checkpoint')
          .argument('[target]', 'id, name, t3 (before turn 3) or @-1')
          .addOption(new Option('--scope <scope>', 'what goes back').choices(ROLLBACK_SCOPES).default('code')),
      )
        .option('--git', 'branch, HEAD and index of the git repository go back too')
        .option('--path <path...>', 'only these files or directories')
        .option('--hunk <path:numbers...>', 'only these parts of files, by their numbers, as in src/cart.ts:1,3-5')
        .option('--patch', 'show the changes themselves, with the numbers of their parts')
        .option('--keep-mine', 'what agents did goes back, what you changed yourself stays')
        .option('--by <who>', 'only what this agent, turn or step did')
        .option('--plain', 'without a target: questions and answers in place of a screen')
        .option('--all-sessions', 'what other sessions did at the same time goes back too')
        .option('--recovery-branch [name]', 'the files as they are now become a branch of git')
        .option('--no-recovery-branch', 'no such branch, whatever the setting git.recoveryBranch says'),
    ),
  ).action(
    run<RewindFlags>(async (workspace, options, [target]) => {
      const { scope, session, branch, git } = options;
      if (target === undefined) return pick(workspace, options);
      const { keepMine, allSessions, by, hunk } = options;
      const only = options.path && workspacePaths(workspace, options.directory, options.path);
      const request = { only, scope, session, branch, git, keepMine, allSessions, by, choice: choiceOf(workspace, options) };
      if (hunk !== undefined) assertGoTogether(request, true);
      const aim = aimRewind(workspace, target, request);
      await rewind(workspace, hunk === undefined ? aim : await aimAtNumbers(workspace, aim, hunk, options), options);
    }),
  );

  planFlags(
    addVerb(program, 'undo', UNDO).description('take back the last rollback, or a certain one').argument('[rollback]', 'id'),
  ).action(run<PlanFlags>((workspace, options, [id]) => perform(workspace, aimUndo(workspace, id), options)));

  planFlags(addVerb(program, 'redo', REDO).description('take back the last undo')).action(
    run<PlanFlags>((workspace, options) => perform(workspace, aimRedo(workspace), options)),
  );

  addVerb(program, 'rollbacks', ROLLBACKS).description('every rollback and undo, newest first').action(run(listRollbacks));
};

/** What can be known to fail of the branch is refused before anything is changed. */
const rewind = async (workspace: Workspace, aim: Aim, options: RewindFlags & GlobalOptions): Promise<void> => {
  const { recoveryBranch: wish } = options;
  const name = typeof wish === 'string' ? wish : undefined;
  const planned = await plannedBranch(workspace, aim, { wanted: wish === undefined ? undefined : wish !== false, name });
  const result = await propose(workspace, aim, options, async () => branchAlongside(planned));
  if (result === null) return;
  const { json, lines, failure } = await branchOf(workspace, result, planned);
  const isOwed = failure !== undefined && wish !== undefined;
  if (!options.json || !isOwed) finish(workspace, options, result, json);
  if (isOwed) throw branchMissing(failure, result, { ...rollbackJson(result, describePlan(workspace, result.plan)), ...json });
  if (!options.json) for (const line of lines) print(line);
};

const listRollbacks = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const list = readRollbacks(workspace);
  if (json) {
    return printJson({ rollbacks: list.map(rollbackEntryJson) });
  }
  if (list.length === 0) return hint('Nothing was rolled back yet; retake log lists what could be: retake rewind ID --dry-run');
  print(
    table(
      list.map(({ rollback, undoneBy, counts }) => [
        paint('yellow', shownId(rollback.id)),
        paint('dim', relativeTime(rollback.createdAt)),
        rollback.outcome === 'complete' ? rollback.kind : `${rollback.kind} ${paint('red', rollback.outcome)}`,
        describeCounts(counts),
        oneLine(rollback.description),
        undoneBy === undefined ? '' : paint('dim', `undone by ${shownId(undoneBy.id)}`),
      ]),
      [4],
    ),
  );
};
