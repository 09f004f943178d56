import { diffStates, type StateChange } from '../../diff/index.ts';
import { basename, isWithin, type PlanStep, pathFields, type RelativePath, RetakeError, sameNode, stateName } from '../../model/index.ts';
import { keepsChanging, WorkspaceFs } from '../../restore/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { chooser, type PlanOptions, type PreparedRollback, prepareRollback, type RollbackPlan, type RollbackRequest } from './plan.ts';
import { isExpected, readSeal } from './plan-seal.ts';

export interface ShownOptions extends Omit<PlanOptions, 'setAside'> {
  /** The seal of the plan that the user was shown; or a state, and then the workspace has to be in it still. */
  readonly expectedTree?: string | undefined;
  /** The plan that the user was shown. */
  readonly shown?: RollbackPlan | undefined;
}

/** How often the plan is made again because more files turn out to keep changing. */
const ATTEMPTS = 3;

/**
 * Makes the plan that was shown once more, or refuses (RST-1). The workspace may have changed since where the plan touches nothing; a file that
 * keeps changing is set aside.
 */
export const prepareAsShown = async (workspace: Workspace, request: RollbackRequest, options: ShownOptions): Promise<PreparedRollback> => {
  const { expectedTree, shown, ...rest } = options;
  const expected = [expectedTree, shown?.expectedTree].filter((one) => one !== undefined);
  const setAside = new Set([...(shown?.setAside ?? []), ...expected.flatMap((one) => readSeal(one).setAside)]);
  for (let attempt = 1; ; attempt++) {
    const prepared = await prepareRollback(workspace, request, { ...rest, setAside: [...setAside] });
    const { plan, present } = prepared;
    for (const path of plan.setAside) setAside.add(path);
    const moved = expected.map((one) => touchedSince(workspace, plan, one, one === expectedTree ? undefined : shown));
    const touched = moved.flatMap((changes) => changes ?? []).filter(({ path }) => !setAside.has(path));
    const isSame = expected.every((one) => isMadeFor(plan, one)) && (shown === undefined || isPartOf(plan, shown, setAside));
    if (isSame && !moved.includes(null) && touched.length === 0) return prepared;
    present.batch.abandon();
    const files = touched.filter(canBeLive).map(({ path }) => path);
    const mayBeLive = attempt < ATTEMPTS && files.length > 0 && files.length === touched.length && !moved.includes(null);
    const live = mayBeLive ? await keepsChanging(new WorkspaceFs(workspace.root), files, rest.signal) : new Set<RelativePath>();
    if (!mayBeLive || !files.every((path) => live.has(path))) throw workspaceMoved(expected[0], plan, touched);
    for (const path of live) setAside.add(path);
  }
};

export const workspaceMoved = (expectedTree: string | undefined, plan: RollbackPlan, touched: readonly StateChange[] = []): RetakeError => {
  const hasMoved = !expectedTree?.startsWith(plan.expectedTree);
  const what = hasMoved ? 'The workspace changed since the plan was made' : 'What would be done is not what the plan showed';
  return new RetakeError('workspace-moved', `${what}; nothing was changed`, {
    hint: 'Look at the new plan and confirm it.',
    details: { expectedTree, presentTree: plan.expectedTree, changed: touched.map(({ path }) => pathFields(path)) },
  });
};

/** Other steps rely on directories, and on rules. */
const canBeLive = ({ path, from, to }: StateChange): boolean =>
  from?.type !== 'directory' && to?.type !== 'directory' && basename(path) !== RULES;

const RULES = '.gitignore';

/** Whether a seal, or a state, was made for the same as the plan, whatever became of the files since. */
const isMadeFor = (plan: RollbackPlan, expected: string): boolean => {
  const { state, setAside } = readSeal(expected);
  return isExpected({ ...plan, expectedTree: stateName(state), setAside }, expected);
};

/** What is no longer as it was in the state that was shown, and that the plan for it may have touched; null where that can't be told. */
const touchedSince = (
  workspace: Workspace,
  plan: RollbackPlan,
  expected: string,
  shown: RollbackPlan | undefined,
): readonly StateChange[] | null => {
  const { state, isState } = readSeal(expected);
  const now = readSeal(plan.expectedTree).state;
  if (stateName(state) === stateName(now)) return [];
  const touched = new Set([...plan.steps, ...plan.conflicts, ...(shown?.steps ?? [])].map(({ path }) => path));
  // Of a plan that is known by its seal alone, all that is not beyond its limits; and of a state all there is.
  const isMeant = shown !== undefined ? () => false : isState ? () => true : (chooser(workspace, plan) ?? (() => true));
  try {
    const changes = diffStates(workspace.store.objects, state, now);
    return changes.filter(({ path }) => touched.has(path) || isMeant(path) || basename(path) === RULES);
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return null;
    throw error;
  }
};

/** Whether it does nothing but what was shown, and leaves nothing but what is set aside, with the directories around that. */
const isPartOf = (plan: RollbackPlan, shown: RollbackPlan, setAside: ReadonlySet<RelativePath>): boolean => {
  if (JSON.stringify([shown.git, shown.outside.steps]) !== JSON.stringify([plan.git, plan.outside.steps])) return false;
  const steps = new Map(plan.steps.map((step) => [step.path, step]));
  const isLeft = ({ path, type }: PlanStep): boolean =>
    setAside.has(path) || (type === 'rmdir' && [...setAside].some((left) => isWithin(left, path)));
  const missing = shown.steps.filter(({ path }) => !steps.has(path));
  const same = shown.steps.filter((step) => isSameStep(step, steps.get(step.path)));
  return same.length === plan.steps.length && missing.every(isLeft);
};

const isSameStep = (a: PlanStep, b: PlanStep | undefined): boolean =>
  b !== undefined && a.type === b.type && sameNode(a.from, b.from) && sameNode(a.to, b.to);
