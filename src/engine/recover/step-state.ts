import { now } from '../../host/index.ts';
import { isCheckpoint, type Line, lineOf, type Recorded } from '../../model/index.ts';
import { isStep, type Reachability, type StepStatus, stepStatusAt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityByLine } from './reachability.ts';

/** Tells of steps where they stand; null of records that are none. */
export const readStepStates = (
  workspace: Workspace,
  reachabilityIn: (line: Line) => Reachability = reachabilityByLine(workspace),
): ((operation: Recorded) => StepStatus | null) => {
  const days = workspace.settings['retention.rolledBackDays'];
  return (operation) => {
    if (!isCheckpoint(operation) || !isStep(operation)) return null;
    return stepStatusAt(now(), reachabilityIn(lineOf(operation)).statusOf(operation), days);
  };
};
