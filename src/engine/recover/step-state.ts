import { now } from '../../host/index.ts';
import { isCheckpoint, type Line, lineOf, type Recorded } from '../../model/index.ts';
import { isStep, type Standing, type StepStanding, standingAt } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';
import { standings } from './standing.ts';

/** Tells of steps where they stand; null of records that are none. */
export const readStepStates = (
  workspace: Workspace,
  standingIn: (line: Line) => Standing = standings(workspace),
): ((operation: Recorded) => StepStanding | null) => {
  const days = workspace.settings['retention.rolledBackDays'];
  return (operation) => {
    if (!isCheckpoint(operation) || !isStep(operation)) return null;
    return standingAt(now(), standingIn(lineOf(operation)).fateOf(operation), days);
  };
};
