import { RetakeError } from '../../model/index.ts';
import { surveyRefs } from '../../store/index.ts';
import type { Workspace } from '../workspace.ts';

/** Whether all refs can be read. Without the lock, one that is just being written may look damaged. */
export const areRefsWhole = ({ store }: Workspace): boolean => {
  const { torn, garbage, misplaced, last } = surveyRefs(store);
  return torn.length + garbage.length + misplaced.length === 0 && last === null;
};

/** Before anything is cleared away because no ref holds it: a damaged ref holds something too, which a repair can tell. */
export const requireWholeRefs = (workspace: Workspace): void => {
  if (areRefsWhole(workspace)) return;
  throw new RetakeError('store-damaged', 'Refs of the store are damaged: what they hold would be cleared away', {
    hint: 'retake repair makes them again; nothing was changed.',
  });
};
