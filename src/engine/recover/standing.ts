import type { Recorded, Rollback } from '../../model/index.ts';
import { Standing } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';

/** Which records lead to the present, by all that was rolled back so far; or by what was up to a sequence number, to what was then. */
export const standingOf = (
  { index }: Workspace,
  scope: 'code' | 'conversation' = 'code',
  upTo: number = Number.POSITIVE_INFINITY,
): Standing =>
  new Standing(
    index
      .rollbacks()
      .map(({ operation }) => operation as Recorded<Rollback>)
      .filter(({ sequence }) => sequence <= upTo),
    (id) => index.get(id)?.operation.sequence,
    scope,
  );
