import { now } from '../host/index.ts';
import {
  type BlobId,
  type GitChange,
  type LeftAlone,
  type Recorded,
  RetakeError,
  type Rollback,
  reverseChange,
  toText,
} from '../model/index.ts';
import {
  apply,
  applyWhatCan,
  type Failure,
  Ground,
  inverse,
  type Journal,
  removeJournal,
  removeTemporaries,
  verify,
  writeJournal,
} from '../restore/index.ts';
import { moveGit } from './git/git-move.ts';
import { noteToHold } from './git/holdings.ts';
import { capturePresent, type PresentOptions } from './present.ts';
import type { Workspace } from './workspace.ts';

export interface Outcome {
  readonly outcome: Rollback['outcome'];
  readonly leftAlone: readonly LeftAlone[];
  /** What made the rollback be taken back. */
  readonly cause?: unknown;
}

export interface CarryOutOptions {
  readonly read: (blob: BlobId) => Buffer;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Aborted while files are written, it fails there. */
  readonly signal?: AbortSignal | undefined;
}

/** Carries a journalled plan out; when that fails, takes back what was done. */
export const carryOut = async (workspace: Workspace, journal: Journal, options: CarryOutOptions): Promise<Outcome> => {
  const application = applicationOf(workspace, journal, options);
  try {
    await apply(application);
    await moveGitAlong(workspace, journal);
  } catch (cause) {
    return takeBack(workspace, journal, options, cause);
  }
  return judge(verify(application));
};

/** Goes on with a plan that a killed process left half done; paths that were changed since are not touched. */
export const resume = async (workspace: Workspace, journal: Journal, options: CarryOutOptions): Promise<Outcome> => {
  const application = applicationOf(workspace, journal, options);
  removeTemporaries(application);
  if (journal.direction === 'back') return takeBack(workspace, journal, options);
  const failures = await applyWhatCan(application);
  const broken = failures.find(({ moved }) => !moved);
  if (broken !== undefined) return takeBack(workspace, journal, options, broken.error);
  return judge(failures, await gitFailure(() => moveGitAlong(workspace, journal)));
};

const takeBack = async (workspace: Workspace, journal: Journal, options: CarryOutOptions, cause?: unknown): Promise<Outcome> => {
  // Said before it is done: whoever has to go on after us goes the same way.
  if (journal.direction === 'forward')
    writeJournal(workspace.journalPath, { ...journal, direction: 'back' }, workspace.settings.durability);
  const back = applicationOf(workspace, { ...journal, steps: inverse(journal.steps) }, options);
  removeTemporaries(back);
  const gitAlone = await gitFailure(() => moveGitAlong(workspace, journal, reverseChange));
  const leftAlone = [...told(await applyWhatCan(back)), ...gitAlone];
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

const applicationOf = (workspace: Workspace, { id, steps }: Journal, options: CarryOutOptions) => ({
  ground: new Ground(workspace.root),
  steps,
  journal: id,
  durability: workspace.settings.durability,
  ...options,
});

/** Records what came of it, with the state the workspace is in now, and closes the journal. */
export const conclude = async (
  workspace: Workspace,
  journal: Journal,
  { outcome, leftAlone }: Outcome,
  known: PresentOptions = {},
): Promise<Recorded<Rollback>> => {
  const after = await capturePresent(workspace, known);
  if (after.toHold !== null) noteToHold(workspace, after.toHold);
  const rollback = workspace.record((store) =>
    store.log.append<Rollback>(
      after.batch,
      {
        ...journal.intent,
        createdAt: now().toISOString(),
        outcome,
        changed: outcome === 'taken-back' ? 0 : journal.steps.length,
        leftAlone,
        head: after.head,
        ...(after.git === null ? {} : { git: after.git }),
      },
      { ...after, plan: journal.steps },
    ),
  );
  workspace.memory.remember(after, rollback.id);
  removeJournal(workspace.journalPath);
  return rollback;
};
