import { useState } from 'react';
import { useAnswer } from '../client/queries.ts';
import type { Session } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { Time } from '../parts/time.tsx';
import { count, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import classes from './ended-sessions.module.css';

const LATER = 'retake-later';
const MOST_REMEMBERED = 200;

/** Sessions that the person wants to decide about later; remembered by the browser alone. */
const readLater = (): string[] => {
  const kept: unknown = JSON.parse(localStorage.getItem(LATER) ?? '[]');
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
};

/** A session that has ended and about whose work nothing is decided: keep it, discard it, or later (GIT-4). */
export const EndedSessions = ({ sessions }: { sessions: readonly Session[] }) => {
  const [later, setLater] = useState(readLater);
  const [newest] = sessions.filter(
    ({ id, state, status, work, isImported }) =>
      state === 'ended' && status === 'active' && work.steps > work.kept + work.rolledBack && !isImported && !later.includes(id),
  );
  if (newest === undefined) return null;
  const decideLater = (): void => {
    const all = [...later, newest.id].slice(-MOST_REMEMBERED);
    localStorage.setItem(LATER, JSON.stringify(all));
    setLater(all);
  };
  return <Ended session={newest} onLater={decideLater} />;
};

const Ended = ({ session: { id, title, turns, steps, lastAt }, onLater }: { session: Session; onLater: () => void }) => {
  const { keep, discard } = usePlans();
  const { data } = useAnswer('getSession', { params: { session: id } });
  return (
    <section className={classes.ended} aria-label="A session has ended">
      <div className={classes.words}>
        <h2>{visible(title)}</h2>
        <p>
          ended {lastAt !== null && <Time at={lastAt} />}: {count(turns, 'turn')}, {count(steps, 'step')}
          {data?.id === id && data.files > 0 && (
            <>
              , <Counts {...data} />
            </>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        <Button look="primary" onClick={() => keep(id)}>
          Keep
        </Button>
        <Button look="danger" onClick={() => discard(id)}>
          Discard
        </Button>
        <Button look="quiet" onClick={onLater}>
          Later
        </Button>
      </div>
    </section>
  );
};
