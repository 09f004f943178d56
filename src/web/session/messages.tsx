import { useState } from 'react';
import { troubleOf } from '../client/ask.ts';
import { useAnswer } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { Loading } from '../parts/states.tsx';
import { MessageItem } from './message.tsx';
import classes from './messages.module.css';

const AT_FIRST = 30;
const MOST = 200;

/** What was said before a checkpoint, and after it where that is wanted. */
export const Messages = ({ checkpoint, isAdjustable }: { checkpoint: string; isAdjustable: boolean }) => {
  const [before, setBefore] = useState(AT_FIRST);
  const [after, setAfter] = useState(0);
  const { data, error } = useAnswer('getMessages', { params: { checkpoint }, query: { before, after } });
  if (error !== null) return <p className={classes.soft}>{troubleOf(error).message}</p>;
  if (data === undefined) return <Loading what="Reading the conversation …" />;
  const { before: said, after: later } = data;
  const isMore = said.length === before && before < MOST;
  return (
    <section className={classes.messages} aria-label="Messages">
      <h3>
        {said.length === 0
          ? 'Nothing was said before it'
          : `The last ${said.length === 1 ? 'message' : `${said.length} messages`} before it`}
      </h3>
      {isAdjustable && isMore && (
        <Button isSmall onClick={() => setBefore(Math.min(before * 2, MOST))}>
          Show earlier ones
        </Button>
      )}
      {said.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
      {isAdjustable && (
        <>
          <p className={classes.here}>The checkpoint was taken here</p>
          {later.map((message) => (
            <MessageItem key={message.id} message={message} />
          ))}
          {after < MOST && (after === 0 || later.length === after) && (
            <Button isSmall onClick={() => setAfter(after === 0 ? AT_FIRST : Math.min(after * 2, MOST))}>
              Show what came after
            </Button>
          )}
        </>
      )}
    </section>
  );
};
