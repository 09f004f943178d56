import type { ReactNode } from 'react';
import { troubleOf } from '../client/ask.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './states.module.css';

/** In place of a list that has nothing in it: why, and what would change that. */
export const Empty = ({ icon = 'info', title, children }: { icon?: IconName; title: string; children?: ReactNode }) => (
  <div className={classes.state}>
    <Icon name={icon} size={24} />
    <p className={classes.title}>{title}</p>
    {children !== undefined && <div className={classes.words}>{children}</div>}
  </div>
);

/** While something is read; nothing is shown of it that only flashes up. */
export const Loading = ({ what = 'Reading …' }: { what?: string }) => (
  <div className={`${classes.state} ${classes.loading}`} role="status">
    <p>{what}</p>
  </div>
);

/** What went wrong, in the words of the server, and what can be done about it. */
export const Problem = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const { message, hint, isSignedOut } = troubleOf(error);
  return (
    <div className={`${classes.state} ${classes.problem}`} role="alert">
      <Icon name="warn" size={24} />
      <p className={classes.title}>{isSignedOut ? 'You are signed out' : message}</p>
      <div className={classes.words}>
        {isSignedOut ? (
          <p>
            Run <code>retake serve</code> in your project and open the link that it prints.
          </p>
        ) : (
          hint !== undefined && <p>{hint}</p>
        )}
      </div>
      {onRetry !== undefined && !isSignedOut && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
};

/** The same in a line, inside a form or dialog. */
export const ProblemLine = ({ error }: { error: unknown }) => {
  const { message, hint } = troubleOf(error);
  return (
    <p className={classes.line} role="alert">
      <Icon name="warn" /> <span>{[message, hint].filter((words) => words !== undefined).join('. ')}</span>
    </p>
  );
};
