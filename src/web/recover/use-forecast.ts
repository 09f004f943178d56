import type { Answered, Routes } from '../../api/index.ts';
import { useAnswer } from '../client/queries.ts';
import type { Wanted } from './requests.ts';
import { useSettled } from './use-settled.ts';

/** More than this is not taken in one request. */
export const MOST_STEPS = 1000;

type RecoveryPlan = Extract<Answered<Routes['recoverSession']>, { expectedTree: string }>;

/** How recovering what is chosen would go. */
export interface Forecast {
  /** Undefined until it is known. */
  readonly plan: RecoveryPlan | undefined;
  /** The one before while the next is worked out: what it says of single steps stays in sight. */
  readonly last: RecoveryPlan | undefined;
  readonly isWorking: boolean;
  readonly error: unknown;
}

export const useForecast = (session: string, wanted: Wanted): Forecast => {
  const settled = useSettled(wanted);
  const canAsk = (one: Wanted): boolean => one.steps.length > 0 && one.steps.length <= MOST_STEPS;
  const { data, error, isFetching, isPlaceholderData } = useAnswer(
    'recoverSession',
    canAsk(settled) ? { params: { session }, body: { ...settled, steps: [...settled.steps].sort(), dryRun: true } } : undefined,
  );
  if (!canAsk(wanted)) return { plan: undefined, last: undefined, isWorking: false, error: null };
  const isSettled = settled === wanted;
  const last = error === null ? data : undefined;
  return {
    plan: isSettled && !isPlaceholderData ? last : undefined,
    last,
    isWorking: isFetching || !isSettled,
    error: isSettled ? error : null,
  };
};
