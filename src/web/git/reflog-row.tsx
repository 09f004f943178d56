import { Link } from 'wouter';
import type { ReflogEntry } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button, PlaceButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyable.tsx';
import { Time } from '../parts/time.tsx';
import { absoluteTime, relativeTime, shortId, visible } from '../parts/words.ts';
import { ROW_FOCUS } from '../recover/long-list.tsx';
import { usePlaces } from '../shell/places.ts';
import classes from './reflog-row.module.css';

/** Where no session is known, what is of none. */
const LOCAL = 'local';

/** One move of a branch or of HEAD, and what became of the commit. */
export const ReflogRow = ({ entry, onBringBack }: { entry: ReflogEntry; onBringBack: () => void }) => {
  const places = usePlaces();
  const { selector, commit, action, message, who, at, session, sessionBy, recoverable } = entry;
  const id = shortId(commit);
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <span className={classes.title}>{visible(message) || visible(action)}</span>
        <span className={classes.facts}>
          <code>{visible(selector)}</code>
          <span>{visible(action)}</span>
          <span className={classes.commit}>
            <code>{id}</code>
            <CopyButton what="Id" text={commit} label={`Copy the id ${id}`} />
          </span>
          <span title={visible(who)}>
            <Time at={at} />
          </span>
          {session !== null && (
            <Link href={places.session(session)} title={sessionBy === 'trailer' ? 'The commit says so' : 'It was under way then'}>
              session {shortId(visible(session))}
            </Link>
          )}
        </span>
      </div>
      <span className={classes.badges}>
        <State entry={entry} />
      </span>
      <span className={classes.actions}>
        <PlaceButton isSmall href={places.commit(session ?? LOCAL, commit)}>
          Changes
        </PlaceButton>
        <Button
          isSmall
          disabled={recoverable === false}
          onClick={onBringBack}
          aria-label={`Bring back ${id}`}
          {...(recoverable === false ? {} : ROW_FOCUS)}
        >
          Bring back …
        </Button>
      </span>
    </div>
  );
};

const State = ({ entry: { recoverable, reachable, expiresAt } }: { entry: ReflogEntry }) => {
  if (recoverable === false)
    return (
      <Badge tone="bad" title="The commit is not in the repository any more">
        gone
      </Badge>
    );
  const until = expiresAt === null ? 'git keeps the entry' : `git may clear the entry away after ${absoluteTime(expiresAt)}`;
  const ends = expiresAt === null ? 'stays' : Date.parse(expiresAt) < Date.now() ? 'may go any time' : `expires ${relativeTime(expiresAt)}`;
  return (
    <>
      {reachable === false && (
        <Badge tone="warn" title="Its branch leads no more to this commit, or to the one before: git keeps such entries for a shorter time">
          unreachable
        </Badge>
      )}
      {recoverable === null && <Badge title="In a partial clone, asking might fetch it">not known whether it is there</Badge>}
      <Badge tone={reachable === false ? 'info' : 'plain'} title={until}>
        {ends}
      </Badge>
    </>
  );
};
