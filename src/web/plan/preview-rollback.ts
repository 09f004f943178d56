import { ask } from '../client/ask.ts';
import type { HunkChoice, Plan, PlanStep } from '../client/types.ts';
import type { Choices, ConflictChoice } from './choices.ts';
import { chosenPaths } from './chosen-paths.ts';
import { composePlan } from './composed-plan.ts';
import { type Looked, lookAtDifference, lookAtHunks } from './look-lines.ts';
import type { Proposal } from './plan-dialog.tsx';
import type { RollbackRequest } from './plans.tsx';
import type { RollbackOptions } from './rollback-options.tsx';

/** The plan of a rollback, asked of the server: with the same words that it is carried out by then. */

export interface Proposing extends Pick<RollbackRequest, 'session' | 'checkpoint' | 'hunks'> {
  readonly workspace: string;
  readonly options: RollbackOptions;
  /** Changes that were taken out by hand. */
  readonly leftOut: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

interface Asked {
  readonly path: readonly string[] | undefined;
  readonly job?: string | undefined;
}

const preview = (
  { session, checkpoint, workspace, options, signal }: Proposing,
  { path, job }: Asked,
  { onConflict, hunks = false }: { onConflict: Choices['onConflict']; hunks?: boolean },
): Promise<Plan> => {
  const { scope, git, outside, keepMine, allSessions } = options;
  return ask('previewRollback', {
    params: { session, checkpoint },
    query: { scope, git, outside, keepMine, allSessions, path: path && [...path], onConflict, hunks, job },
    workspace,
    signal,
  });
};

/** Several answers that belong together are about one state of the workspace, or there are none. */
class Moved extends Error {
  constructor() {
    super('The workspace keeps changing while the plan is made. Try again when it is at rest');
    this.name = 'Moved';
  }
}

/** What a plan is limited to stands last in its word, and plans for a part and for the whole may belong together. */
const stateOf = ({ expectedTree }: Plan): string => expectedTree.split('~', 2).join('~');

const assertOneState = (one: Plan, other: Plan): void => {
  if (stateOf(one) !== stateOf(other)) throw new Moved();
};

/** For choices that differ from file to file: see `composePlan`. */
const previewWith = async (proposing: Proposing, asked: Asked, choices: Choices): Promise<Plan> => {
  const { onConflict, resolve } = choices;
  const base = await preview(proposing, asked, { onConflict });
  const others = new Map<ConflictChoice, Plan>();
  for (const choice of new Set(resolve.map((one) => one.choice))) {
    if (choice === onConflict) continue;
    const other = await preview(proposing, { path: asked.path }, { onConflict: choice });
    assertOneState(base, other);
    others.set(choice, other);
  }
  return composePlan(base, others, choices);
};

const TOO_MANY = 'These are too many single files for one plan: choose whole folders, or fewer files';

const TRIES = 3;

/** The plan of what was chosen, and of what it was chosen from. */
export const previewRollbackPlan = async (proposing: Proposing, choices: Choices, job: string): Promise<Proposal> => {
  for (let turn = 1; ; turn++) {
    try {
      return await previewOnce(proposing, choices, `${job}-${turn}`);
    } catch (error) {
      if (!(error instanceof Moved) || turn === TRIES) throw error;
    }
  }
};

const previewOnce = async (proposing: Proposing, choices: Choices, job: string): Promise<Proposal> => {
  const { options, leftOut, hunks } = proposing;
  if (hunks !== undefined) {
    const path = [...new Set([...hunks.map((hunk) => hunk.path), ...(options.only ?? [])])];
    const plan = onlyHunks(await preview(proposing, { path, job }, { onConflict: choices.onConflict, hunks: true }), hunks);
    return { plan, whole: plan };
  }
  const whole = await previewWith(proposing, { path: options.only, job }, choices);
  const nothing = { plan: { ...whole, operations: [], conflicts: [] }, whole };
  const path = chosenPaths(whole.operations, leftOut);
  if (path === undefined) return { plan: whole, whole };
  if (path === 'too-many') return { ...nothing, refused: TOO_MANY };
  if (path.length === 0) return nothing;
  const plan = await previewWith(proposing, { path }, choices);
  assertOneState(whole, plan);
  return { plan, whole };
};

/** What the rollback itself is limited to. */
export const pathsToGive = ({ whole }: Proposal, { only }: RollbackOptions, leftOut: ReadonlySet<string>): string[] | undefined => {
  const paths = chosenPaths(whole.operations, leftOut) ?? only;
  if (paths === 'too-many') throw new Error(TOO_MANY);
  return paths && [...paths];
};

const isSame = (choice: HunkChoice, path: string, hunk: NonNullable<PlanStep['hunks']>[number]): boolean =>
  choice.path === path && choice.digest === hunk.digest && choice.oldStart === hunk.oldStart && choice.newStart === hunk.newStart;

/** The plan with these parts of files alone. */
const onlyHunks = (plan: Plan, choices: readonly HunkChoice[]): Plan => {
  const paths = new Set(choices.map(({ path }) => path));
  const found = new Set<HunkChoice>();
  const operations = plan.operations.map((step): PlanStep => {
    if (!paths.has(step.path)) return step;
    const hunks = (step.hunks ?? []).filter((hunk) => {
      const own = choices.filter((choice) => isSame(choice, step.path, hunk));
      for (const choice of own) found.add(choice);
      return own.length > 0;
    });
    const lines = hunks.flatMap((hunk) => hunk.lines);
    const signed = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
    return { ...step, hunks, insertions: signed('+'), deletions: signed('-') };
  });
  const missing = choices.find((choice) => !found.has(choice));
  if (missing !== undefined) throw new Error(`${missing.path} is no longer as it was when this part of it was chosen: choose again`);
  return { ...plan, operations };
};

/** Beyond this, a file is looked at where it can be read page by page. */
const MOST_LINES = 4000;

/** What becomes of one file. Where changes are taken out one by one only the plan itself can tell. */
export const lookAt = async (proposing: Proposing, plan: Plan, step: PlanStep): Promise<Looked> => {
  const { session, checkpoint, workspace, signal } = proposing;
  if (step.hunks !== undefined) return lookAtHunks(step.hunks);
  if (plan.steps === undefined || step.type !== 'restore') {
    const of = step.pathBase64 === undefined ? { path: [step.path] } : { pathBase64: [step.pathBase64] };
    const diff = await ask('diffWithPresent', { params: { session, checkpoint }, query: { ...of, hunks: true }, workspace, signal });
    return lookAtDifference(diff.files[0]);
  }
  if (step.pathBase64 !== undefined || (step.insertions ?? 0) + (step.deletions ?? 0) > MOST_LINES)
    return { lines: [], isCut: false, note: 'What comes of it is too long to be shown here.' };
  const { operations } = await preview(proposing, { path: [step.path] }, { onConflict: 'ours', hunks: true });
  return lookAtHunks(operations.find(({ path }) => path === step.path)?.hunks);
};
