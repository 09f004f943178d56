import { memo, useState } from 'react';
import { Link } from 'wouter';
import { useList } from '../client/queries.ts';
import type { Message, Turn } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { RolledBack } from '../parts/rolled-back.tsx';
import { Loading, ProblemLine } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { count, visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import type { CheckpointActions } from './checkpoint-actions.tsx';
import { ForkBadge } from './fork-badge.tsx';
import { MessageItem } from './message.tsx';
import { RewindMenu } from './rewind-menu.tsx';
import classes from './turn-card.module.css';
import { UnrecordedMenu } from './unrecorded-menu.tsx';

const TAKEN_BACK: Readonly<Record<NonNullable<Turn['rolledBack']>, string>> = {
  code: 'code rolled back',
  conversation: 'conversation rolled back',
  both: 'rolled back',
};

interface TurnCardProps {
  readonly session: string;
  readonly turn: Turn;
  readonly onFork: CheckpointActions['fork'];
  readonly onShow: (turn: number) => void;
}

/** A prompt with what its turn did to the code; all that was said, when that is wanted. */
export const TurnCard = memo(({ session, turn, onFork, onShow }: TurnCardProps) => {
  const places = usePlaces();
  const [isOpen, setOpen] = useState(false);
  const { number, title, at, messageId, checkpoint, last, steps, files, rolledBack, remaining, forkPoint } = turn;
  return (
    <article className={`${classes.card} ${rolledBack === null ? '' : classes.back}`} data-turn={number} aria-label={`Turn ${number}`}>
      <header className={classes.head}>
        <button type="button" className={classes.number} onClick={() => onShow(number)} title="Show it in the timeline">
          <span className="visually-hidden">Show in the timeline: turn </span>
          {number}
        </button>
        {at !== null && <Time at={at} />}
        {rolledBack !== null && (
          <RolledBack rolledBack={rolledBack} remaining={remaining}>
            {TAKEN_BACK[rolledBack]}
          </RolledBack>
        )}
        <ForkBadge point={forkPoint} />
        <span className={classes.tools}>
          {checkpoint === null && messageId !== null && <UnrecordedMenu session={session} turn={turn} onFork={onFork} />}
          {checkpoint !== null && (
            <RewindMenu
              session={session}
              target={{ id: checkpoint, description: title, name: null, pinned: false }}
              onFork={onFork}
              name={`Rewind to before turn ${number}`}
            />
          )}
        </span>
      </header>
      {!isOpen && (
        <p className={classes.prompt} dir="auto">
          {visible(title) || 'An empty prompt'}
        </p>
      )}
      {isOpen && messageId !== null && <Said session={session} prompt={messageId} />}
      <footer className={classes.foot}>
        {files !== null && files.changed > 0 && checkpoint !== null && last !== null ? (
          <Link href={places.diff(session, checkpoint, last)}>
            <Counts files={files.changed} {...files} />
          </Link>
        ) : (
          <span>{checkpoint === null ? 'The code was not recorded' : 'No files changed'}</span>
        )}
        <span>{count(steps, 'step')}</span>
        {messageId !== null && (
          <Button look="quiet" isSmall aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide what was said' : 'Show what was said'}
          </Button>
        )}
      </footer>
    </article>
  );
});

const messagesOf = ({ messages }: { messages: Message[] }): readonly Message[] => messages;

const Said = ({ session, prompt }: { session: string; prompt: string }) => {
  const { items, hasMore, isLoading, isLoadingMore, error, loadMore } = useList('getTurnMessages', {
    asking: { params: { session, message: prompt } },
    itemsOf: messagesOf,
    limit: 50,
  });
  if (error !== null) return <ProblemLine error={error} />;
  if (isLoading) return <Loading what="Reading the conversation …" />;
  return (
    <div className={classes.said}>
      {items.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
      {hasMore && (
        <Button isSmall onClick={loadMore} disabled={isLoadingMore}>
          Show more
        </Button>
      )}
    </div>
  );
};
