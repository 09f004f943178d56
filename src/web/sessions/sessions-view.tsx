import { Link } from 'wouter';
import { useSessions } from '../client/queries.ts';
import type { Session } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { count, visible } from '../parts/words.ts';
import { useListKeys } from '../shell/list-keys.ts';
import { useGo, usePlaces } from '../shell/places.ts';
import { EndedSessions } from './ended-sessions.tsx';
import { SessionBadge } from './session-badge.tsx';
import classes from './sessions-view.module.css';

/** All conversations of the workspace, newest first, with what became of their work. */
export const SessionsView = () => {
  const { items, total, hasMore, isLoading, isLoadingMore, error, loadMore, retry } = useSessions();
  return (
    <Page title="Sessions" below={total === undefined || total === 0 ? null : <p className={classes.soft}>{count(total, 'session')}</p>}>
      <EndedSessions sessions={items} />
      {error !== null && <Problem error={error} onRetry={retry} />}
      {isLoading && <Loading what="Reading sessions …" />}
      {total === 0 && (
        <Empty icon="agent" title="No agent has worked here yet">
          <p>
            Run <code>retake setup claude-code</code> once: from then on every prompt and step is recorded and shown here.
          </p>
        </Empty>
      )}
      {items.length > 0 && <SessionList sessions={items} />}
      {hasMore && (
        <Button onClick={loadMore} disabled={isLoadingMore}>
          {isLoadingMore ? 'Reading …' : 'Show more'}
        </Button>
      )}
    </Page>
  );
};

const SessionList = ({ sessions }: { sessions: readonly Session[] }) => {
  const places = usePlaces();
  const go = useGo();
  const keys = useListKeys({
    size: sessions.length,
    noun: 'session',
    onOpen: (at) => {
      const session = sessions[at];
      if (session !== undefined) go(places.session(session.id));
    },
  });
  return (
    <ul className={classes.list} ref={keys.ref}>
      {sessions.map((session) => (
        <li key={session.id}>
          <SessionRow session={session} />
        </li>
      ))}
    </ul>
  );
};

const SessionRow = ({ session }: { session: Session }) => {
  const places = usePlaces();
  const { id, agent, title, state, isCurrent, isImported, turns, steps, forks, lastAt } = session;
  return (
    <Link href={places.session(id)} className={classes.row ?? ''}>
      <span className={classes.title}>{visible(title) || 'No prompt yet'}</span>
      <span className={classes.badges}>
        {isCurrent && <Badge tone="accent">current</Badge>}
        {isImported && <Badge>imported</Badge>}
        {state === 'unrecorded' ? (
          <Badge title="There is a conversation, and no record of the code: it is from before Retake, or nobody has gone on with it yet">
            no code
          </Badge>
        ) : (
          <SessionBadge session={session} />
        )}
      </span>
      <span className={classes.facts}>
        <span>{agent}</span>
        <span>{count(turns, 'turn')}</span>
        <span>{count(steps, 'step')}</span>
        {forks > 0 && <span>{count(forks, 'fork')}</span>}
        {lastAt !== null && <Time at={lastAt} />}
      </span>
    </Link>
  );
};
