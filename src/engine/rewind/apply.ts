import { now } from '../../host/index.ts';
import {
  type BlobId,
  type GitChange,
  type LeftAlone,
  type OutsideFile,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  reverseChange,
  toText,
} from '../../model/index.ts';
import {
  apply,
  applyOutside,
  applyOutsideWhereItCan,
  applyWhatCan,
  type Failure,
  inverse,
  inverseOutside,
  type Journal,
  keepsChanging,
  type OutsideApplication,
  outsideState,
  type PassedOver,
  removeJournal,
  removeOutsideTemporaries,
  removeTemporaries,
  verify,
  WorkspaceFs,
  writeJournal,
} from '../../restore/index.ts';
import { OutsideFiles } from '../core/outside-files.ts';
import { capturePresent, type PresentOptions } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { moveGit } from '../git/git-move.ts';
import { noteToPin } from '../git/pinned-objects.ts';

export interface Outcome {
  readonly outcome: Rollback['outcome'];
  readonly leftAlone: readonly LeftAlone[];
  /** Paths of the plan that were not touched, because somebody keeps changing them. */
  readonly passedOver?: ReadonlyMap<RelativePath, string>;
  /** What made the rollback be taken back. */
  readonly cause?: unknown;
}

export interface ApplyOptions {
  readonly read: (blob: BlobId) => Buffer;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Aborted while files are written, it fails there. */
  readonly signal?: AbortSignal | undefined;
}

/** Carries a journalled plan out; when that fails, takes back what was done. */
export const applyPlan = async (workspace: Workspace, journal: Journal, options: ApplyOptions): Promise<Outcome> => {
  const application = applicationOf(workspace, journal, options);
  const passedOver: PassedOver = new Map();
  try {
    await apply(application, passedOver);
    applyOutside(outsideOf(workspace, journal, options));
    await moveGitAlong(workspace, journal);
  } catch (cause) {
    return takeBack(workspace, withoutPassedOver(journal, passedOver), options, cause);
  }
  const { steps } = withoutPassedOver(journal, passedOver);
  const moved = verify({ ...application, steps });
  // Brought back, and written to again by who keeps doing that: it is as the plan says, and more.
  const changing = await keepsChanging(
    application.fs,
    moved.map(({ path }) => path),
  );
  const { outcome, leftAlone } = judge(moved.filter(({ path }) => !changing.has(path)));
  const changed = [...changing].map((path) => [path, 'was brought back, and keeps changing'] as const);
  return { outcome, leftAlone: [...leftAlone, ...toldOf([...passedOver, ...changed])], passedOver };
};

/** What is left to do, and to take back. */
const withoutPassedOver = (journal: Journal, passedOver: ReadonlyMap<RelativePath, string> = new Map()): Journal =>
  passedOver.size === 0 ? journal : { ...journal, steps: journal.steps.filter(({ path }) => !passedOver.has(path)) };

const toldOf = (reasons: Iterable<readonly [RelativePath, string]>): LeftAlone[] =>
  [...reasons].map(([path, reason]) => ({ path: toText(path), reason }));

/** Goes on with a plan that a killed process left half done; paths that were changed since are not touched. */
export const resume = async (workspace: Workspace, journal: Journal, options: ApplyOptions): Promise<Outcome> => {
  const application = applicationOf(workspace, journal, options);
  removeTemporaries(application);
  removeOutsideTemporaries(outsideOf(workspace, journal, options));
  if (journal.direction === 'back') return takeBack(workspace, journal, options);
  const failures = await applyWhatCan(application);
  const broken = failures.find(({ moved }) => !moved);
  if (broken !== undefined) return takeBack(workspace, journal, options, broken.error);
  const outsideAlone = applyOutsideWhereItCan(outsideOf(workspace, journal, options));
  return judge(failures, [...outsideAlone, ...(await gitFailure(() => moveGitAlong(workspace, journal)))]);
};

const takeBack = async (workspace: Workspace, journal: Journal, options: ApplyOptions, cause?: unknown): Promise<Outcome> => {
  // Said before it is done: whoever has to go on after us goes the same way.
  if (journal.direction === 'forward')
    writeJournal(workspace.journalPath, { ...journal, direction: 'back' }, workspace.settings.durability);
  const back = applicationOf(workspace, { ...journal, steps: inverse(journal.steps) }, options);
  removeTemporaries(back);
  const gitAlone = await gitFailure(() => moveGitAlong(workspace, journal, reverseChange));
  const { steps, ...outside } = outsideOf(workspace, journal, options);
  const outsideAlone = applyOutsideWhereItCan({ ...outside, steps: inverseOutside(steps) });
  const leftAlone = [...told(await applyWhatCan(back)), ...outsideAlone, ...gitAlone];
  return { outcome: leftAlone.length === 0 ? 'taken-back' : 'incomplete', leftAlone, cause };
};

/** After the files, so that nobody sees git ahead of them for long. */
const moveGitAlong = async (workspace: Workspace, { intent }: Journal, turned = (change: GitChange) => change): Promise<void> => {
  if (intent.gitChange !== undefined) await moveGit(workspace, turned(intent.gitChange), `retake: ${intent.description}`);
};

/** What git refuses while a rollback is healed or taken back is reported like a path that could not be brought there. */
const gitFailure = async (work: () => Promise<void>): Promise<LeftAlone[]> => {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof RetakeError) return [{ path: '.git', reason: error.message }];
    throw error;
  }
};

const judge = (failures: readonly Failure[], alone: readonly LeftAlone[] = []): Outcome => ({
  outcome: failures.length + alone.length === 0 ? 'complete' : 'incomplete',
  leftAlone: [...told(failures), ...alone],
});

const told = (failures: readonly Failure[]): LeftAlone[] =>
  failures.map(({ path, error }) => ({ path: toText(path), reason: error.message }));

const applicationOf = (workspace: Workspace, { id, steps }: Journal, options: ApplyOptions) => ({
  fs: new WorkspaceFs(workspace.root),
  steps,
  journal: id,
  durability: workspace.settings.durability,
  ...options,
});

const outsideOf = (workspace: Workspace, { id, outside = [] }: Journal, { read }: ApplyOptions): OutsideApplication => ({
  steps: outside,
  journal: id,
  read,
  durability: workspace.settings.durability,
});

/** The files outside that are as they were to be. */
const broughtBack = ({ outside = [] }: Journal, outcome: Outcome['outcome']): { outside?: readonly OutsideFile[] } => {
  const done = outcome === 'taken-back' ? [] : outside.filter((step) => outsideState(step) === 'to');
  return done.length === 0 ? {} : { outside: done.map(({ path, to }) => ({ path, content: to })) };
};

/** Records what came of it, with the state the workspace is in now, and closes the journal. */
export const conclude = async (
  workspace: Workspace,
  journal: Journal,
  { outcome, leftAlone, passedOver }: Outcome,
  known: PresentOptions = {},
): Promise<Recorded<Rollback>> => {
  const { steps } = withoutPassedOver(journal, passedOver);
  const after = await capturePresent(workspace, known);
  if (after.toPin !== null) noteToPin(workspace, after.toPin);
  const beyond = broughtBack(journal, outcome);
  const rollback = workspace.record((store) =>
    store.log.append<Rollback>(
      after.batch,
      {
        ...journal.intent,
        createdAt: now().toISOString(),
        outcome,
        changed: outcome === 'taken-back' ? 0 : steps.length,
        leftAlone,
        head: after.head,
        ...(after.git === null ? {} : { git: after.git }),
        ...beyond,
      },
      { ...after, plan: steps, ...beyond },
    ),
  );
  workspace.memory.remember(after, rollback.id);
  if (beyond.outside !== undefined) new OutsideFiles(workspace).remember(beyond.outside);
  removeJournal(workspace.journalPath);
  return rollback;
};
