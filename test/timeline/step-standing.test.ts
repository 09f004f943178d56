import { expect, test } from 'vitest';
import { type RecordStatus, stepStatusAt } from '../../src/timeline/index.ts';

const DAY = 24 * 3_600_000;
const BACK = new Date(0);
const left = { is: 'left', by: { createdAt: BACK.toISOString() } } as RecordStatus;

test.each([
  [0, 'recoverable'],
  [150, 'recoverable'],
  [150 + 1 / DAY, 'expiring'],
  [180 - 1 / DAY, 'expiring'],
  [180, 'expired'],
])('[GIT-6] %d days after a rollback, with 180 days of retention, a step is %s', (days, state) => {
  const at = new Date(BACK.getTime() + Math.round(days * DAY));
  expect(stepStatusAt(at, left, 180)).toEqual({ state, expiresAt: new Date(180 * DAY).toISOString() });
});

test('[GIT-6] what is in the present does not expire', () => {
  const by = { createdAt: BACK.toISOString() };
  expect(stepStatusAt(new Date(1000 * DAY), { is: 'in-force' }, 180)).toEqual({ state: 'on-branch', expiresAt: null });
  expect(stepStatusAt(new Date(1000 * DAY), { is: 'recovered', by } as RecordStatus, 180)).toEqual({ state: 'recovered', expiresAt: null });
});
