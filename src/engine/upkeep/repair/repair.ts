import { join } from 'node:path';
import { exists } from '../../../host/index.ts';
import { inTheWay } from '../../../index/index.ts';
import type { Recorded } from '../../../model/index.ts';
import { surveyRefs } from '../../../store/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { forgetLook, rememberCheck } from '../../health/store-memo.ts';
import { type CheckReport, checkStore } from '../check.ts';
import type { Finding } from '../findings.ts';
import { knownByIndex, lookAtLog } from '../known-elsewhere.ts';
import { Aside } from './aside.ts';
import { fillIn } from './fill-in.ts';
import { mendObjectFiles } from './object-files.ts';
import { lostOf, reviveOperations } from './operations.ts';
import { repairPinned } from './pinned.ts';
import { acknowledgeLoss, mendRefs } from './refs.ts';
import { clearAway, mendStore } from './store-files.ts';

export interface RepairResult {
  /** What was wrong before and is not any more. */
  readonly healed: readonly Finding[];
  /** What could not be brought back. */
  readonly lost: CheckReport;
  /** Operations that are lost as a whole, as far as the index still knew of them. */
  readonly lostOperations: readonly Recorded[];
  /** How many operations are gone of which nothing is known but that they were there. */
  readonly untraced: number;
  /** Damaged files, from the data directory on, and where they are now; null when there were none. */
  readonly moved: readonly string[];
  readonly movedTo: string | null;
}

/**
 * Mends what can be mended. Every part of it can be done again, so that one that was killed is finished by the next. The workspace is opened
 * as it is, and nothing in it is changed.
 */
export const repairStore = async (
  workspace: Workspace,
  onProgress?: (what: 'objects' | 'files', done: number) => void,
): Promise<RepairResult> => {
  const aside = new Aside(workspace);
  // A lock that nobody can take is nobody's.
  if (exists(workspace.lockPath) && !workspace.canLock) aside.move(workspace.lockPath);
  return workspace.write(async () => {
    const { store, storePath, settings } = workspace;
    const before = await checkStore(workspace, { full: true, onProgress });
    const known = knownByIndex(workspace);
    for (const path of inTheWay(workspace.indexPath)) aside.move(path);
    await mendStore(workspace, aside);
    clearAway(workspace, before.damage, aside);
    mendObjectFiles(storePath, store.objects, aside, settings.durability);
    if (store.log.isLedgerTorn || store.log.isLedgerNoFile) aside.copy(join(storePath, 'retake-ledger'));
    store.log.catchUp();
    store.log.goOnAbove(known.highest);
    reviveOperations(workspace, known.operations);
    mendRefs(workspace, known, aside);
    await fillIn(workspace, surveyRefs(store).operations);
    if (before.damage.some(({ kind }) => kind === 'held')) await repairPinned(workspace, aside);
    const { unheld } = lookAtLog(workspace);
    const untraced = acknowledgeLoss(workspace, known) - unheld.length;
    if (before.damage.length > 0) workspace.remakeIndex();
    const after = await checkStore(workspace, { full: true, onProgress });
    rememberCheck(workspace, after);
    forgetLook(workspace);
    const left = new Set(after.damage.map(keyOf));
    const { moved, directory } = aside;
    return {
      healed: before.damage.filter((one) => !left.has(keyOf(one))),
      lost: after,
      lostOperations: [...new Map([...lostOf(workspace, known.operations), ...unheld].map((one) => [one.id, one])).values()],
      untraced: Math.max(0, untraced),
      moved,
      movedTo: moved.length === 0 ? null : directory,
    };
  });
};

const keyOf = ({ kind, object, file }: Finding): string => `${kind} ${object ?? file}`;
