import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import {
  assertGoTogether,
  type RollbackFilter,
  type RollbackPlan,
  readRollbacks,
  resolveRedo,
  resolveRewind,
  resolveUndo,
  scopeOf,
  type Workspace,
} from '../../engine/index.ts';
import { rollbackEntryJson } from '../../json/rollbacks.ts';
import { RetakeError, ROLLBACK_KINDS, ROLLBACK_LEVELS, ROLLBACK_SCOPES, type RollbackScope } from '../../model/index.ts';
import { hintNothingYet } from '../adoptable.ts';
import { type PlanFlags, planFlags, showAndApply } from '../apply-plan.ts';
import { type ConflictFlags, choiceOf, conflictFlags } from '../conflicts.ts';
import { limitToNumbers } from '../hunks.ts';
import { shownId } from '../ids.ts';
import { isOnTerminal } from '../no-verb.ts';
import { describeCounts, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import { BRANCH_WORDS, type BranchFlags, branchFlags } from '../recovery-branch.ts';
import { run } from '../run.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface RewindFlags extends PlanFlags, BranchFlags, ConflictFlags, TurnFlags {
  readonly path?: string[];
  readonly hunk?: string[];
  readonly scope?: RollbackScope;
  readonly git?: boolean;
  readonly outside?: boolean;
  readonly keepMine?: boolean;
  readonly allSessions?: boolean;
  readonly by?: string;
  readonly plain?: boolean;
}

const REWIND: Guide = {
  examples: [
    ['retake rewind t3 --dry-run', 'what would change, back to before turn 3'],
    ['retake rewind t3 --scope code', 'the code alone; the conversation stays'],
    ['retake rewind before-refactor --path src --no-keep-mine', 'one folder, with what you changed yourself'],
  ],
  takes: { target: 'checkpoint', ...TURN_WORDS, path: 'file', hunk: 'file', by: 'actor', expect: 'text', resolve: 'file', ...BRANCH_WORDS },
};

const UNDO: Guide = {
  examples: [
    ['retake undo', 'the last one'],
    ['retake undo 4be1f02c99 --dry-run', 'what taking back a certain one would change'],
  ],
  takes: { rollback: 'rollback', expect: 'text', ...BRANCH_WORDS },
};

const REDO: Guide = {
  examples: [
    ['retake redo', 'the rollback counts again'],
    ['retake redo --dry-run', 'what would change'],
  ],
  takes: { expect: 'text', ...BRANCH_WORDS },
};

const ROLLBACKS: Guide = {
  examples: [
    ['retake rollbacks', 'newest first, with what was undone'],
    ['retake rollbacks --session 3f2a --level fork', 'those of one session that went to a fork or another branch'],
  ],
  takes: { session: 'session' },
};

/** A program of its own: what the two share would be cut into files that every command has to find. */
const [PICKER, IMPORT] = (
  import.meta.url.endsWith('.ts') ? ['../picker/index.ts', '../../../bin/import.cjs'] : ['./picker.js', '../bin/import.cjs']
).map((path) => new URL(path, import.meta.url)) as [URL, URL];

/** What is chosen in the picker, or makes no sense before something is. */
const ABOUT_TARGET = [
  'branch',
  'scope',
  'dryRun',
  'yes',
  'expect',
  'git',
  'outside',
  'path',
  'hunk',
  'patch',
  'keepMine',
  'by',
  'allSessions',
  'onConflict',
  'recoveryBranch',
  'push',
] as const;

/** No target: people are shown what there is. */
const pick = async (workspace: Workspace, options: RewindFlags & GlobalOptions): Promise<void> => {
  const { json, session, plain, directory } = options;
  const isBare = ABOUT_TARGET.every((name) => options[name] === undefined) && !options.resolve?.length;
  if (json || !isBare || !isOnTerminal())
    throw new RetakeError('usage', 'Which checkpoint?', { hint: 'retake rewind ID; retake log lists them.' });
  if (!workspace.isProtected)
    return hintNothingYet(
      workspace,
      'Nothing is recorded here yet: retake setup claude-code, or retake checkpoint. retake --help tells more.',
    );
  const { openPicker } = (await createRequire(import.meta.url)(fileURLToPath(IMPORT))(PICKER.href)) as typeof import('../picker/index.ts');
  const problem = await openPicker({ directory, session, plain });
  // Made here: that program has classes of its own, and its errors would be none of ours.
  if (problem !== null) throw new RetakeError('interrupted', problem);
};

/** Verbs that change the workspace, and the list of what they did. */
export const addRollbackVerbs = (program: Command): void => {
  const rewind = conflictFlags(
    planFlags(
      turnFlags(
        describeVerb(program, 'rewind', REWIND)
          .description('bring the workspace back to a checkpoint')
          .argument('[target]', 'id, name, t3 (before turn 3) or @-1')
          .addOption(
            new Option('--scope <scope>', 'what goes back; code and conversation where the session can be resumed').choices(
              ROLLBACK_SCOPES,
            ),
          ),
      )
        .option('--git', 'branch, HEAD and index of the git repository go back too')
        .option('--outside', 'files outside the workspace that an agent edited go back too')
        .option('--path <path...>', 'only these files or directories')
        .option('--hunk <path:numbers...>', 'only these parts of files, by their numbers, as in src/cart.ts:1,3-5')
        .option('--patch', 'show the changes themselves, with the numbers of their parts')
        .option('--keep-mine', 'what agents did goes back, what you changed yourself stays; so it is unless you say otherwise')
        .option('--no-keep-mine', 'what you changed yourself goes back too')
        .option('--by <who>', 'only what this agent, turn or step did')
        .option('--plain', 'without a target: questions and answers in place of a screen')
        .option('--all-sessions', 'what other sessions did at the same time goes back too'),
    ),
  );
  branchFlags(rewind).action(
    run<RewindFlags>(async (workspace, options, [target]) => {
      const { scope, session, branch, git, outside } = options;
      if (target === undefined) return pick(workspace, options);
      const { keepMine, allSessions, by, hunk } = options;
      const only = options.path && workspacePaths(workspace, options.directory, options.path);
      const rewindOptions = { only, scope, session, branch, git, outside, keepMine, allSessions, by, choice: choiceOf(workspace, options) };
      if (hunk !== undefined) assertGoTogether(rewindOptions, true);
      const request = resolveRewind(workspace, target, rewindOptions);
      const limited = hunk === undefined ? request : await limitToNumbers(workspace, request, hunk, options);
      await showAndApply(workspace, limited, options, (plan) => sayOtherwise(plan, options));
    }),
  );

  branchFlags(
    planFlags(
      describeVerb(program, 'undo', UNDO).description('take back the last rollback, or a certain one').argument('[rollback]', 'id'),
    ),
  ).action(run<PlanFlags & BranchFlags>((workspace, options, [id]) => showAndApply(workspace, resolveUndo(workspace, id), options)));

  branchFlags(planFlags(describeVerb(program, 'redo', REDO).description('take back the last undo'))).action(
    run<PlanFlags & BranchFlags>((workspace, options) => showAndApply(workspace, resolveRedo(workspace), options)),
  );

  describeVerb(program, 'rollbacks', ROLLBACKS)
    .description('every rollback, undo and redo, newest first')
    .option('--session <id>', 'only those that concern this session')
    .addOption(new Option('--level <level>', 'only those that went back to this').choices(ROLLBACK_LEVELS))
    .addOption(new Option('--type <type>', 'only those of this kind').choices(ROLLBACK_KINDS))
    .action(run<RollbackFilter>(listRollbacks));
};

/** How to choose what nobody chose. */
const sayOtherwise = (plan: RollbackPlan, { scope, keepMine }: RewindFlags): void => {
  const flags = [
    ...(scope === undefined && scopeOf(plan) === 'both' ? ['--scope code', '--scope conversation'] : []),
    ...(keepMine === undefined && plan.keepsMine ? ['--no-keep-mine'] : []),
  ];
  if (flags.length > 0) hint(`To choose otherwise: ${flags.join(', ')}`);
};

const listRollbacks = async (workspace: Workspace, { json, session, level, type }: RollbackFilter & GlobalOptions): Promise<void> => {
  const list = readRollbacks(workspace, { session, level, type });
  if (json) {
    return printJson({ rollbacks: list.map(rollbackEntryJson) });
  }
  if (list.length === 0 && [session, level, type].some((one) => one !== undefined))
    return hint('No rollback fits; retake rollbacks lists them all');
  if (list.length === 0) return hint('Nothing was rolled back yet; retake log lists what could be: retake rewind ID --dry-run');
  print(
    table(
      list.map(({ rollback, level: to, undoneBy, counts }) => [
        paint('yellow', shownId(rollback.id)),
        paint('dim', relativeTime(rollback.createdAt)),
        rollback.outcome === 'complete' ? rollback.kind : `${rollback.kind} ${paint('red', rollback.outcome)}`,
        to,
        describeCounts(counts),
        oneLine(rollback.description),
        undoneBy === undefined ? '' : paint('dim', `undone by ${shownId(undoneBy.id)}`),
      ]),
      [5],
    ),
  );
};
