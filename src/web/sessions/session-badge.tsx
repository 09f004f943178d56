import type { Session } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { absoluteTime, count } from '../parts/words.ts';

const DAY = 86_400_000;

/** How long it can still be brought back. */
const daysLeft = (expiresAt: string): number => Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / DAY));

/** What became of a session's work, with numbers. */
export const SessionBadge = ({ session: { status, state, work, expiresAt } }: { session: Session }) => {
  const { steps, kept, rolledBack, recovered } = work;
  const until = expiresAt === null ? undefined : `Can be brought back until ${absoluteTime(expiresAt)}`;
  const left = expiresAt === null ? '' : `, ${count(daysLeft(expiresAt), 'day')} left`;
  switch (status) {
    case 'kept':
      return <Badge tone="good">kept{kept < steps ? ` ${kept} of ${steps}` : ''}</Badge>;
    case 'rolled-back':
      return (
        <Badge tone="warn" title={until}>
          rolled back{left}
        </Badge>
      );
    case 'partially-recovered':
      return (
        <Badge tone="info" title={until}>
          {recovered} of {recovered + rolledBack} recovered{left}
        </Badge>
      );
    case 'active': {
      if (steps === 0) return <Badge>{state === 'open' ? 'active' : 'no changes'}</Badge>;
      const undecided = steps - kept - rolledBack;
      return (
        <Badge tone={state === 'open' ? 'accent' : 'plain'}>
          {state === 'open' ? 'active' : 'undecided'}
          {rolledBack > 0 || kept > 0 ? `, ${undecided} of ${steps} steps` : ''}
        </Badge>
      );
    }
  }
};
