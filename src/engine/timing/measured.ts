import type { Workspace } from '../core/workspace.ts';
import type { TimedKind } from './kinds.ts';

/** Does something and notes how long it took, if it came to its end. Inside something that is timed, it is a part of that. */
export const measured = <T>(workspace: Pick<Workspace, 'timings'>, kind: TimedKind, work: () => T): T => {
  const { timings } = workspace;
  const watch = timings.begin(kind);
  if (watch === undefined) return work();
  let isLater = false;
  let isDone = false;
  try {
    const result = work();
    if (result instanceof Promise) {
      isLater = true;
      return result.then(
        (value) => {
          timings.end(watch, true);
          return value;
        },
        (error) => {
          timings.end(watch, false);
          throw error;
        },
      ) as T;
    }
    isDone = true;
    return result;
  } finally {
    if (!isLater) timings.end(watch, isDone);
  }
};
