import { createHash } from 'node:crypto';
import type { RollbackPlan } from './plan.ts';

/**
 * One word for what a plan was made for: the state of the files, and a digest of what that does not tell: its target, where git and the
 * conversation stand and go, and whose changes are taken in or out, which the log decides while the files stay as they are. What is chosen of it
 * since, paths, hunks or sides of conflicts, is still what was shown.
 */
export const sealOf = (plan: RollbackPlan): string => {
  const { target, git, conversation, replay, expectedTree } = plan;
  const told = {
    target: target.id,
    git: git && { from: git.from, to: git.to, refs: git.refs },
    conversation: conversation && { agent: conversation.agent, from: conversation.from, messages: conversation.messages },
    replay: replay && {
      steps: replay.steps.map(({ id, before, after, only, except }) => ({ id, before, after, only, except })),
      unrecorded: replay.unrecorded,
      squash: replay.squash,
    },
  };
  return `${expectedTree}${SEAL}${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16)}`;
};

const SEAL = '~';

/** Whether a state, or a plan by its seal, is what somebody was shown. */
export const isExpected = (plan: RollbackPlan, expected: string): boolean =>
  expected === (expected.includes(SEAL) ? sealOf(plan) : plan.expectedTree);
