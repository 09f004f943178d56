import type { OperationId, Recorded } from '../../model/index.ts';
import { forgottenBy } from '../../store/index.ts';

/** What was taken out of the log since (in milliseconds), and is kept a while longer: somebody may just be looking at it. */
export const recentlyForgotten = (operations: readonly Recorded[], since: number): OperationId[] =>
  operations.filter(({ createdAt }) => Date.parse(createdAt) > since).flatMap(forgottenBy);
