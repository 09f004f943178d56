import { RetakeError } from '../../model/index.ts';
import { isHeadWhole, surveyRefs } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { findLogLoss } from './log-loss.ts';

/** git takes a store for one by its HEAD, and waits for ever where a pipe is in its place. */
export const requireHead = ({ storePath }: Workspace): void => {
  if (isHeadWhole(storePath)) return;
  throw new RetakeError('store-damaged', `${storePath}/HEAD is lost or damaged: git can not pack the store`, {
    hint: 'retake repair writes it anew; nothing was changed.',
  });
};

/** Whether all refs are there and can be read. Without the lock, one that is just being written may look damaged. */
export const isLogWhole = (workspace: Workspace): boolean => areRefsWhole(workspace) && findLogLoss(workspace) === null;

const areRefsWhole = ({ store }: Workspace): boolean => {
  const { torn, garbage, misplaced, last } = surveyRefs(store);
  return torn.length + garbage.length + misplaced.length === 0 && last === null;
};

/** Before anything is deleted because no ref holds it: a ref that is damaged or lost holds something too, which a repair can tell. */
export const requireWholeLog = (workspace: Workspace): void => {
  const loss = findLogLoss(workspace);
  if (loss !== null) {
    const { operations } = loss;
    const what = operations === 1 ? '1 operation is' : `${operations} operations are`;
    throw new RetakeError('store-damaged', `${what} missing from the log, and what no ref holds would be deleted`, {
      hint: 'retake repair finds again what is still there; nothing was deleted.',
      details: { missing: operations, operations: loss.known.map(({ id }) => id) },
    });
  }
  if (areRefsWhole(workspace)) return;
  throw new RetakeError('store-damaged', 'Refs of the store are damaged: what they hold would be deleted', {
    hint: 'retake repair makes them again; nothing was changed.',
  });
};
