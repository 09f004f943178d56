import { z } from 'zod';
import type { ErrorCode } from '../model/errors.ts';

/** What is wrong with a request before the engine hears of it. */
export type RequestProblem =
  | 'bad-request'
  | 'signed-out'
  | 'bad-code'
  | 'forbidden'
  | 'no-such-route'
  | 'bad-method'
  | 'too-large'
  | 'not-json'
  | 'busy'
  | 'unexpected';

export type Status = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 500 | 503 | 507;

/** What each problem is to HTTP; `code` in the body tells them apart. */
export const STATUS: Readonly<Record<ErrorCode | RequestProblem, Status>> = {
  'bad-request': 400,
  usage: 400,
  'ambiguous-id': 400,
  'bad-event': 400,
  'signed-out': 401,
  'bad-code': 401,
  forbidden: 403,
  'no-such-route': 404,
  'unknown-id': 404,
  'no-such-file': 404,
  'workspace-missing': 404,
  'no-conversation': 404,
  'no-code': 404,
  'no-backup': 404,
  'transcript-missing': 404,
  'bad-method': 405,
  // The state of things does not allow it, now or without a choice.
  needed: 409,
  'too-many-manual': 409,
  'workspace-moved': 409,
  'in-the-way': 409,
  'needs-confirmation': 409,
  'nothing-to-undo': 409,
  'nothing-to-discard': 409,
  'nothing-to-revert': 409,
  'nothing-to-recover': 409,
  'nothing-to-keep': 409,
  'left-behind': 409,
  'recover-under-way': 409,
  'markers-left': 409,
  'other-branch': 409,
  conflicts: 409,
  'rollback-failed': 409,
  interrupted: 409,
  'git-busy': 409,
  'git-moved': 409,
  'git-state': 409,
  'git-under-way': 409,
  'branch-exists': 409,
  'not-on-top': 409,
  'push-rejected': 409,
  'transcript-changed': 409,
  imported: 409,
  'session-exists': 409,
  'base-exists': 409,
  'file-exists': 409,
  'too-large': 413,
  'not-json': 415,
  // Understood, and never possible as it is.
  'bad-setting': 422,
  'not-a-checkpoint': 422,
  'not-text': 422,
  'workspace-refused': 422,
  'over-budget': 422,
  'no-common-ancestor': 422,
  'same-branch': 422,
  'summarizer-failed': 422,
  permission: 422,
  'store-newer': 422,
  'store-damaged': 422,
  'git-missing': 422,
  'git-too-old': 422,
  'git-failed': 422,
  'git-unsuited': 422,
  'no-repository': 422,
  'bad-branch': 422,
  'commit-refused': 422,
  'no-remote': 422,
  'agent-settings': 422,
  'bad-export': 422,
  unexpected: 500,
  busy: 503,
  'store-busy': 503,
  'no-space': 507,
};

export type ProblemCode = keyof typeof STATUS;

/** Every error has this shape. */
export const errorAnswer = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(STATUS) as [ProblemCode, ...ProblemCode[]]),
      message: z.string(),
      hint: z.string().optional().describe('What can be done about it.'),
      details: z.record(z.string(), z.unknown()).optional().describe('Particulars for programs, such as conflicts with their choices.'),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorAnswer = z.output<typeof errorAnswer>;
