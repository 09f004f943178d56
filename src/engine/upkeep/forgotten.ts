import type { OperationId, Recorded } from '../../model/index.ts';

/** The operations that this one took out of the log. */
export const forgottenBy = (operation: Recorded): readonly OperationId[] => (operation.kind === 'delete' ? [operation.target] : []);

/** What was taken out of the log since (in milliseconds), and is kept a while longer: somebody may just be looking at it. */
export const recentlyForgotten = (operations: readonly Recorded[], since: number): OperationId[] =>
  operations.filter(({ createdAt }) => Date.parse(createdAt) > since).flatMap(forgottenBy);
