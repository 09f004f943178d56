import { createHash } from 'node:crypto';
import type { RollbackPlan } from './plan.ts';

/**
 * One word for what a plan was made for: the state of the files, and a digest of what that does not tell: its target, where git and the
 * conversation stand and go, and whose changes are taken in or out, which the log decides while the files stay as they are. Of a plan for a part,
 * a digest of what it is limited to follows. Which sides of conflicts are chosen since is still what was shown.
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
  const limits = limitsOf(plan);
  return [expectedTree, digestOf(told), ...(limits === null ? [] : [digestOf(limits)])].join(SEAL);
};

const SEAL = '~';

const digestOf = (told: object): string => createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);

/** The same however it was asked for; null where everything is meant. */
const limitsOf = ({ only, hunks, keepsCode = false }: RollbackPlan): object | null => {
  if (only === undefined && hunks === undefined && !keepsCode) return null;
  const parts = hunks?.map(({ path, oldStart, oldLines, newStart, newLines, digest }) =>
    JSON.stringify([path, oldStart, oldLines, newStart, newLines, digest]),
  );
  return { only: only && sorted(only), hunks: parts && sorted(parts), keepsCode };
};

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** Whether a state, or a plan by its seal, is what somebody was shown. Of what was shown a part may be taken, and never more than that. */
export const isExpected = (plan: RollbackPlan, expected: string): boolean => {
  if (!expected.includes(SEAL)) return expected === plan.expectedTree;
  return [plan, wholeFiles(plan), unlimited(plan)].some((shown) => sealOf(shown) === expected);
};

/** Parts of files are chosen from the plan for these files. */
const wholeFiles = (plan: RollbackPlan): RollbackPlan => {
  const { only = [], hunks } = plan;
  return hunks === undefined ? plan : { ...plan, only: [...only, ...hunks.map(({ path }) => path)], hunks: undefined };
};

const unlimited = (plan: RollbackPlan): RollbackPlan => ({ ...plan, only: undefined, hunks: undefined, keepsCode: false });
