import { type Answered, ApiError, type BodyToGive, type Client, type Routes } from '../../api/index.ts';
import type { Done, Plan } from '../client/types.ts';

/** How a recovery is asked for, from the forecast to its end. */

/** What is to be recovered, and into what. */
export interface Wanted {
  readonly steps: readonly string[];
  readonly strategy: 'sequential' | 'squash';
  readonly commit: boolean;
}

type Choosing = Pick<BodyToGive<Routes['recoverSession']>, 'onConflict'>;

interface Choices extends Choosing {
  readonly resolve: readonly NonNullable<BodyToGive<Routes['recoverSession']>['resolve']>[number][];
}

type Carrying = Choices & { readonly expectedTree: string; readonly job: string };

/** The two halves of what is done by a plan. */
interface Previewed {
  readonly preview: (choices: Choices, signal: AbortSignal) => Promise<Plan>;
  readonly apply: (carrying: Carrying) => Promise<Done>;
}

const choosing = ({ onConflict, resolve }: Choices) => ({ onConflict, resolve: [...resolve] });
const carrying = ({ expectedTree, job, ...choices }: Carrying) => ({ ...choosing(choices), expectedTree, job });

interface Where {
  readonly ask: Client;
  readonly workspace?: string | undefined;
}

export const recoverSteps = ({ ask, ...where }: Where, session: string, { steps, strategy, commit }: Wanted): Previewed => {
  const params = { session };
  const wanted = { steps: [...steps], strategy, commit };
  return {
    preview: async (choices, signal) =>
      planIn(await ask('recoverSession', { ...where, signal, params, body: { ...wanted, ...choosing(choices), dryRun: true } })),
    apply: async (chosen) => doneIn(await ask('recoverSession', { ...where, params, body: { ...wanted, ...carrying(chosen) } })),
  };
};

/** A commit of the user's git, by its id. */
export const recoverCommit = ({ ask, ...where }: Where, id: string): Previewed => {
  const params = { commit: id };
  return {
    preview: async (choices, signal) =>
      planIn(await ask('recoverCommit', { ...where, signal, params, body: { ...choosing(choices), dryRun: true } })),
    apply: async (chosen) => doneIn(await ask('recoverCommit', { ...where, params, body: carrying(chosen) })),
  };
};

/** What is left of the recovery that stopped, where that is something to be done in the files. */
export const continueRecovery = ({ ask, ...where }: Where): Previewed => ({
  preview: async (choices, signal) =>
    planIn(await ask('continueRecovery', { ...where, signal, body: { ...choosing(choices), dryRun: true } })),
  apply: async (chosen) => doneIn(await ask('continueRecovery', { ...where, body: carrying(chosen) })),
});

/** Takes back what the recovery under way did so far; the plan is that of its newest part. */
export const abortRecovery = ({ ask, ...where }: Where): Previewed => {
  let shown: Plan | undefined;
  return {
    preview: async (_, signal) => {
      shown = planIn(await ask('abortRecovery', { ...where, signal, body: { dryRun: true } }));
      return shown;
    },
    apply: async ({ expectedTree, job }) => {
      const answer = await ask('abortRecovery', { ...where, body: { expectedTree, job } });
      if (!('undone' in answer) || shown === undefined) throw unlike();
      return abortedAs(shown, answer.undone);
    },
  };
};

const WRITTEN: readonly string[] = ['create', 'restore', 'retype'];

/** Told like anything else that was done: what can be undone of it is the part that was taken back last. */
const abortedAs = ({ recoveryBranch: _, ...plan }: Plan, undone: readonly (string | null)[]): Done => ({
  ...plan,
  steps: plan.steps ?? [],
  rollbackId: undone.findLast((id) => id !== null) ?? null,
  safetyCheckpoint: null,
  restored: plan.operations.filter(({ type }) => WRITTEN.includes(type)).length,
  deleted: plan.operations.filter(({ type }) => type === 'delete').length,
  undoableUntil: null,
  sessionId: null,
  resume: null,
});

/** Commits that are to be made or were; null while nobody can tell. */
export type Commits = NonNullable<Extract<Answered<Routes['recoverSession']>, { expectedTree: string }>['commits']>;

/** The recovery under way in the workspace, if there is one. */
export type UnderWay =
  | { readonly is: 'none' }
  /** Files still have markers in them. */
  | { readonly is: 'marked'; readonly paths: readonly string[] }
  /** Steps are left to be done. */
  | { readonly is: 'rest'; readonly steps: number }
  /** All is done in the files; there may be commits to be made. Steps that change nothing are still to be said yes to. */
  | { readonly is: 'ready'; readonly commits: Commits; readonly expectedTree: string | undefined }
  /** Something keeps it from going on; it may be that not even this can be told. */
  | { readonly is: 'held-up'; readonly isSure: boolean; readonly error: unknown };

type Asked = Answered<Routes['continueRecovery']>;

/** What the answer to going on with it, only to be told, says of it. */
export const underWayIn = (answer: Asked): UnderWay => {
  const { commits } = answer;
  if (!('operations' in answer)) return { is: 'ready', commits: commits ?? [], expectedTree: answer.expectedTree };
  if (changesNothing(answer)) return { is: 'ready', commits: commits ?? [], expectedTree: answer.expectedTree };
  return { is: 'rest', steps: answer.steps?.length ?? 0 };
};

/** There is nothing in it that could be shown, or chosen. */
export const changesNothing = ({ operations, conflicts, inTheWay }: Plan): boolean =>
  operations.length === 0 && conflicts.length === 0 && inTheWay.length === 0;

/** The workspace can not be looked at by who asks: the views around say so. */
const ELSEWHERE: readonly number[] = [401, 403, 404];

/** The same of a refusal. */
export const underWayBy = (error: unknown): UnderWay => {
  if (!(error instanceof ApiError)) return { is: 'held-up', isSure: false, error };
  if (error.code === 'nothing-to-recover' || ELSEWHERE.includes(error.status)) return { is: 'none' };
  // Where there is none, nothing else is looked at.
  if (error.code !== 'markers-left') return { is: 'held-up', isSure: error.status === 409, error };
  const marked = error.details?.marked;
  return { is: 'marked', paths: Array.isArray(marked) ? marked.map(({ path }: { path: string }) => path) : [] };
};

const planIn = (
  answer: Answered<Routes['recoverSession']> | Answered<Routes['continueRecovery']> | Answered<Routes['abortRecovery']>,
): Plan => {
  if (!('operations' in answer)) throw unlike();
  return answer;
};

const doneIn = (answer: Answered<Routes['recoverSession']> | Answered<Routes['continueRecovery']>): Done => {
  if (!('rollbackId' in answer)) throw unlike();
  return { ...answer, steps: answer.steps ?? [] };
};

const unlike = (): Error => new Error('The recovery stands elsewhere by now: look at it again');
