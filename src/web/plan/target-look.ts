import { ask } from '../client/ask.ts';
import type { Plan, PlanStep } from '../client/types.ts';
import type { Looker } from './file-look.tsx';
import { type Looked, lookAtDifference } from './look-lines.ts';
import { sessionOf } from './recorded.ts';

const MERGED: Looked = {
  lines: [],
  isCut: false,
  note: 'What comes of this file is put together from several changes, and can not be shown as one comparison.',
};

/**
 * What becomes of a file by a plan that leads to a state as a whole. Where it is not known that it does, what is compared must come to the very
 * lines that the plan tells: what would be shown otherwise is not what happens.
 */
export const lookerAtTarget = (workspace: string, plan: Plan, { isExact }: { isExact: boolean }): Looker => ({
  plan: `${plan.expectedTree} ${plan.target}`,
  look: async (step, signal) => {
    const session = await sessionOf(workspace, plan.target, signal);
    const of = step.pathBase64 === undefined ? { path: [step.path] } : { pathBase64: [step.pathBase64] };
    const query = { ...of, hunks: true };
    const { files } = await ask('diffWithPresent', { params: { session, checkpoint: plan.target }, query, workspace, signal });
    return isExact || (files[0] !== undefined && isWhatHappens(step, files[0])) ? lookAtDifference(files[0]) : MERGED;
  },
});

/** The comparison is from the target to the present: the other way round than the plan. */
const isWhatHappens = (step: PlanStep, { insertions, deletions }: { insertions: number; deletions: number }): boolean =>
  step.insertions === deletions && step.deletions === insertions;
