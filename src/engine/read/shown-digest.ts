import { createHash } from 'node:crypto';
import { RetakeError } from '../../model/index.ts';

/** One word for what a plan would do. */
export const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Refuses to do anything else than what was shown. */
export const assertShown = (plan: { readonly expected: string }, expected: string | undefined): void => {
  if (expected === undefined || expected === plan.expected) return;
  throw new RetakeError('workspace-moved', 'What would be done is not what was shown; nothing was changed', {
    hint: 'Look at the new plan and confirm it.',
  });
};
