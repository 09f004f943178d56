import { expect } from 'vitest';
import type { Run } from './cli.ts';

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** One line of error, perhaps one of advice, no stack trace, and the exit code. */
export const expectPlainRefusal = (run: Pick<Run, 'code' | 'stderr'>, exit: number): void => {
  const lines = run.stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^retake: \S/);
  expect(lines.length, run.stderr).toBeLessThanOrEqual(2);
  expect(run.code).toBe(exit);
};

/** One JSON document with the error, nothing on stderr, and the exit code. */
export const expectJsonRefusal = (run: Pick<Run, 'code' | 'stdout' | 'stderr'>, code: string, exit: number): Refusal => {
  expect(run.stderr).toBe('');
  const { error } = JSON.parse(run.stdout);
  expect(error).toMatchObject({ code });
  expect(typeof error.message).toBe('string');
  expect(run.code).toBe(exit);
  return error;
};

/** Runs it both ways. What is refused once must be refused twice, so nothing may have changed in between. */
export const expectRefusal = (run: (...args: string[]) => Run, args: string[], code: string, exit = 1): Refusal => {
  expectPlainRefusal(run(...args), exit);
  return expectJsonRefusal(run(...args, '--json'), code, exit);
};
