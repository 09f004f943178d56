import { type ErrorAnswer, type RequestProblem, STATUS, type Status } from '../api/index.ts';
import { RetakeError } from '../model/index.ts';

/** A request that is refused before the engine hears of it. */
export class BadRequest extends Error {
  readonly code: RequestProblem;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: RequestProblem, message: string, { hint, details }: { hint?: string; details?: Record<string, unknown> } = {}) {
    super(message);
    this.name = 'BadRequest';
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

export interface Problem {
  readonly status: Status;
  readonly answer: ErrorAnswer;
}

/** What is told of an error. Of one that nobody expected only that it happened: the log has the rest. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof BadRequest || error instanceof RetakeError))
    return { status: 500, answer: { error: { code: 'unexpected', message: 'Something went wrong that should not have', hint: LOG } } };
  const { code, message, hint, details } = error;
  return {
    status: STATUS[code],
    answer: { error: { code, message, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) } },
  };
};

const LOG = 'The log of the background process tells more: retake daemon status names it.';
