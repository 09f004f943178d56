import { now } from '../host/index.ts';
import { isCheckpoint, type Recorded } from '../model/index.ts';
import { standingOf } from './standing.ts';
import type { Workspace } from './workspace.ts';

/** What can still be done about a step (GIT-6). */
export type StepState = 'recoverable' | 'expiring' | 'expired' | 'recovered' | 'on-branch';

export interface StepStanding {
  readonly state: StepState;
  /** Until when it is retained; null for what is part of the present. */
  readonly expiresAt: string | null;
}

const DAY = 24 * 3_600_000;
/** With less than this left, it is time to make up one's mind. */
const EXPIRING_DAYS = 30;

/** Tells of steps where they stand; null of records that are none. */
export const readStepStates = (workspace: Workspace): ((operation: Recorded) => StepStanding | null) => {
  const standing = standingOf(workspace);
  const retained = workspace.settings['retention.rolledBackDays'] * DAY;
  return (operation) => {
    if (!isCheckpoint(operation) || (operation.kind !== 'after-step' && operation.kind !== 'turn-end')) return null;
    const fate = standing.fateOf(operation);
    if (fate.is === 'in-force') return { state: 'on-branch', expiresAt: null };
    if (fate.is === 'recovered') return { state: 'recovered', expiresAt: null };
    const end = Date.parse(fate.by.createdAt) + retained;
    return { state: stateUntil(end - now().getTime()), expiresAt: new Date(end).toISOString() };
  };
};

const stateUntil = (left: number): StepState => {
  if (left <= 0) return 'expired';
  return left < EXPIRING_DAYS * DAY ? 'expiring' : 'recoverable';
};
