import type { Conflict, Plan, PlanStep } from '../client/types.ts';
import type { Choices, ConflictChoice } from './choices.ts';
import { isFolder, keyOfPath } from './plan-words.ts';

/**
 * The plan for choices that differ from file to file. A preview takes one choice for all files, so that there is one plan for each choice: of
 * each file in conflict what the plan of its choice says, of all others what every one of them says.
 */
export const composePlan = (base: Plan, others: ReadonlyMap<ConflictChoice, Plan>, { resolve }: Pick<Choices, 'resolve'>): Plan => {
  if (others.size === 0) return base;
  const choiceAt = new Map(resolve.map(({ path, choice }) => [path, choice]));
  const planFor = ({ path }: Conflict): Plan => others.get(choiceAt.get(path) as ConflictChoice) ?? base;
  const stepsOf = new Map(
    [base, ...others.values()].map((plan) => [plan, new Map(plan.operations.map((step) => [keyOfPath(step), step]))]),
  );
  const stepIn = (plan: Plan, key: string): PlanStep | undefined => stepsOf.get(plan)?.get(key);
  const keys = new Map([...stepsOf.values()].flatMap((steps) => [...steps].map(([key, step]) => [key, step.path] as const)));

  const stepAt = (key: string, path: string): PlanStep | undefined => {
    const own = base.conflicts.find((conflict) => isAbout(conflict, path));
    if (own !== undefined) return stepIn(planFor(own), key);
    const below = base.conflicts.filter((conflict) => placesOf(conflict).some((place) => place.startsWith(`${path}/`)));
    const found = below.map((conflict) => stepIn(planFor(conflict), key));
    const [first] = found.filter((step) => step !== undefined);
    if (first === undefined || !isFolder(first)) return below.length === 0 ? stepIn(base, key) : first;
    // A folder is made as soon as one needs it, and goes only when none does.
    return first.type === 'mkdir' || found.every((step) => step !== undefined) ? first : undefined;
  };
  return {
    ...base,
    conflicts: base.conflicts.map((conflict) => planFor(conflict).conflicts.find(({ path }) => path === conflict.path) ?? conflict),
    operations: [...keys]
      .flatMap(([key, path]) => stepAt(key, path) ?? [])
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  };
};

const placesOf = ({ path, was }: Conflict): readonly string[] => (was === undefined ? [path] : [path, was.path]);

const isAbout = (conflict: Conflict, path: string): boolean =>
  placesOf(conflict).some((place) => path === place || path.startsWith(`${place}/`));
