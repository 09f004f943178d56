import type { DescribedReplay, StepStatus } from '../engine/index.ts';
import { shownId } from './ids.ts';
import { oneLine, paint, wholeTable } from './output.ts';

const APPLIES: Readonly<Record<DescribedReplay['applies'], readonly [Parameters<typeof paint>[0], string]>> = {
  cleanly: ['green', 'clean'],
  'with-conflicts': ['red', 'conflicts'],
  later: ['dim', 'later'],
};

/** Each step with how it goes. */
export const replayTable = (replays: readonly DescribedReplay[]): string =>
  wholeTable(
    replays.map(({ id, description, applies, state, expiresAt }) => [
      paint('yellow', shownId(id)),
      paint(...APPLIES[applies]),
      state === null ? '' : describeStepStatus({ state, expiresAt }),
      oneLine(description),
    ]),
  );

export const describeStepStatus = ({ state, expiresAt }: StepStatus): string =>
  expiresAt === null ? state : `${state} (until ${expiresAt.slice(0, 10)})`;
