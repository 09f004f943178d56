import type { RecordStatus } from './reachability.ts';

/** What can still be done about a step (GIT-6). */
export type StepState = 'recoverable' | 'expiring' | 'expired' | 'recovered' | 'on-branch';

export interface StepStatus {
  readonly state: StepState;
  /** Until when it is retained; null for what is part of the present. */
  readonly expiresAt: string | null;
}

const DAY = 24 * 3_600_000;
/** With less than this left, it is time to make up one's mind. */
const EXPIRING_DAYS = 30;

/** Where a step stands at a time, when what is rolled back is retained for so many days. */
export const stepStatusAt = (time: Date, status: RecordStatus, retainedDays: number): StepStatus => {
  if (status.is === 'in-force') return { state: 'on-branch', expiresAt: null };
  if (status.is === 'recovered') return { state: 'recovered', expiresAt: null };
  return stepStatusUntil(time, Date.parse(status.by.createdAt) + retainedDays * DAY);
};

/** Where that stands which is retained until a time, in milliseconds; infinite for ever. */
export const stepStatusUntil = (time: Date, end: number): StepStatus => ({
  state: stateUntil(end - time.getTime()),
  expiresAt: end > LATEST ? null : new Date(end).toISOString(),
});

/** The last that a date can tell. */
const LATEST = 8_640_000_000_000_000;

const stateUntil = (left: number): StepState => {
  if (left <= 0) return 'expired';
  return left < EXPIRING_DAYS * DAY ? 'expiring' : 'recoverable';
};
