/** Everything Retake refuses or fails at, by code; each face renders message and hint. */
export type ErrorCode =
  | 'usage'
  | 'bad-setting'
  | 'unknown-id'
  | 'ambiguous-id'
  | 'not-a-checkpoint'
  | 'no-such-file'
  | 'not-text'
  | 'needed'
  | 'too-many-manual'
  | 'workspace-missing'
  | 'workspace-refused'
  | 'over-budget'
  | 'workspace-moved'
  | 'in-the-way'
  | 'needs-confirmation'
  | 'nothing-to-undo'
  | 'nothing-to-discard'
  | 'nothing-to-revert'
  | 'left-behind'
  | 'nothing-to-recover'
  | 'recover-under-way'
  | 'markers-left'
  | 'no-conversation'
  | 'no-code'
  | 'no-common-ancestor'
  | 'same-branch'
  | 'other-branch'
  | 'conflicts'
  | 'summarizer-failed'
  | 'rollback-failed'
  | 'permission'
  | 'no-space'
  | 'interrupted'
  | 'store-newer'
  | 'store-damaged'
  | 'store-busy'
  | 'git-missing'
  | 'git-too-old'
  | 'git-failed'
  | 'git-busy'
  | 'git-moved'
  | 'git-state'
  | 'git-unsuited'
  | 'no-repository'
  | 'no-backup'
  | 'git-under-way'
  | 'bad-branch'
  | 'branch-exists'
  | 'commit-refused'
  | 'nothing-to-keep'
  | 'not-on-top'
  | 'no-remote'
  | 'push-rejected'
  | 'bad-event'
  | 'transcript-missing'
  | 'transcript-changed'
  | 'agent-settings'
  | 'imported'
  | 'session-exists'
  | 'base-exists'
  | 'file-exists'
  | 'bad-export';

export class RetakeError extends Error {
  readonly code: ErrorCode;
  /** What the user can do about it. */
  readonly hint: string | undefined;
  /** Machine-readable particulars, such as the paths concerned. */
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'RetakeError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}

/** The `code` of a system error (`ENOENT` …), or undefined for anything else. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const assertNever = (value: never): never => {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
};
