import { type Line, lineOf, type Recorded, type Rollback } from '../../model/index.ts';
import { Reachability } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** Which records lead to the present, by all that was rolled back so far; or by what was up to a sequence number, to what was then. */
export const reachabilityOf = (
  { index }: Workspace,
  { scope = 'code', upTo = Number.POSITIVE_INFINITY, line = null, planned = [] }: ReachabilityRequest = {},
): Reachability =>
  new Reachability(
    [
      ...planned,
      ...index
        .rollbacks(line)
        .map(({ operation }) => operation as Recorded<Rollback>)
        .filter(({ sequence }) => sequence <= upTo),
    ],
    (id) => {
      const operation = index.get(id)?.operation;
      if (operation === undefined) return index.numberOfDeleted(id);
      // Whoever goes to a state of another line leaves all of this one.
      return lineOf(operation) === line ? operation.sequence : 0;
    },
    scope,
  );

export interface ReachabilityRequest {
  readonly scope?: 'code' | 'conversation';
  readonly upTo?: number;
  /** As if these had been done too. */
  readonly planned?: readonly Recorded<Rollback>[];
  /** Whose present is meant: that of this workspace, or the end of what was imported. */
  readonly line?: Line;
}

/** The same for records of any line, each worked out once. */
export const reachabilityByLine = (workspace: Workspace, scope: 'code' | 'conversation' = 'code'): ((line: Line) => Reachability) => {
  const known = new Map<Line, Reachability>();
  return (line) => {
    const reachability = known.get(line) ?? reachabilityOf(workspace, { scope, line });
    known.set(line, reachability);
    return reachability;
  };
};
