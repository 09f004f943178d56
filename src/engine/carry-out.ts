import { now } from '../host/index.ts';
import type { LeftAlone, Rollback } from '../model/index.ts';
import { type BlobId, type Recorded, toText } from '../model/index.ts';
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
}

/** Carries a journalled plan out; when that fails, takes back what was done. */
export const carryOut = (workspace: Workspace, journal: Journal, options: CarryOutOptions): Outcome => {
  const application = applicationOf(workspace, journal, options);
  try {
    apply(application);
  } catch (cause) {
    return takeBack(workspace, journal, options, cause);
  }
  return judge(verify(application));
};

/** Goes on with a plan that a killed process left half done; paths that were changed since are not touched. */
export const resume = (workspace: Workspace, journal: Journal, options: CarryOutOptions): Outcome => {
  const application = applicationOf(workspace, journal, options);
  removeTemporaries(application);
  if (journal.direction === 'back') return takeBack(workspace, journal, options);
  const failures = applyWhatCan(application);
  const broken = failures.find(({ moved }) => !moved);
  return broken === undefined ? judge(failures) : takeBack(workspace, journal, options, broken.error);
};

const takeBack = (workspace: Workspace, journal: Journal, options: CarryOutOptions, cause?: unknown): Outcome => {
  // Said before it is done: whoever has to go on after us goes the same way.
  if (journal.direction === 'forward')
    writeJournal(workspace.journalPath, { ...journal, direction: 'back' }, workspace.settings.durability);
  const back = applicationOf(workspace, { ...journal, steps: inverse(journal.steps) }, options);
  removeTemporaries(back);
  const failures = applyWhatCan(back);
  return { outcome: failures.length === 0 ? 'taken-back' : 'incomplete', leftAlone: told(failures), cause };
};

const judge = (failures: readonly Failure[]): Outcome => ({
  outcome: failures.length === 0 ? 'complete' : 'incomplete',
  leftAlone: told(failures),
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
  const rollback = workspace.record((store) =>
    store.log.append<Rollback>(
      after.batch,
      {
        ...journal.intent,
        createdAt: now().toISOString(),
        outcome,
        changed: outcome === 'taken-back' ? 0 : journal.steps.length,
        leftAlone,
      },
      { ...after, plan: journal.steps },
    ),
  );
  workspace.memory.remember(after, rollback.id);
  removeJournal(workspace.journalPath);
  return rollback;
};
