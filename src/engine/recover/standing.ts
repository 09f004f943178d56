import type { Recorded, Rollback } from '../../model/index.ts';
import { Standing } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';

/** Which records lead to the present, by all that was rolled back so far. */
export const standingOf = ({ index }: Workspace, scope: 'code' | 'conversation' = 'code'): Standing =>
  new Standing(
    index.rollbacks().map(({ operation }) => operation as Recorded<Rollback>),
    (id) => index.get(id)?.operation.sequence,
    scope,
  );
