import type { DescribedReplay, StepStanding } from '../engine/index.ts';
import { shortId } from '../model/index.ts';
import { oneLine, paint, print, table } from './output.ts';

const APPLIES: Readonly<Record<DescribedReplay['applies'], readonly [Parameters<typeof paint>[0], string]>> = {
  cleanly: ['green', 'clean'],
  'with-conflicts': ['red', 'conflicts'],
  later: ['dim', 'later'],
};

/** Each step with how it goes. */
export const printReplays = (replays: readonly DescribedReplay[]): void =>
  print(
    table(
      replays.map(({ id, description, applies, state, expiresAt }) => [
        paint('yellow', shortId(id)),
        paint(...APPLIES[applies]),
        state === null ? '' : describeStanding({ state, expiresAt }),
        oneLine(description),
      ]),
    ),
  );

export const describeStanding = ({ state, expiresAt }: StepStanding): string =>
  expiresAt === null ? state : `${state} (until ${expiresAt.slice(0, 10)})`;
