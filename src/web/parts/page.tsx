import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** In the window's title too. */
  readonly title: string;
  /** Shown in place of the title. */
  readonly heading?: ReactNode;
  /** Above the title: where one is. */
  readonly above?: ReactNode;
  /** Below the title. */
  readonly below?: ReactNode;
  readonly actions?: ReactNode;
  /** It fills the window and scrolls inside. */
  readonly isFull?: boolean;
  readonly children: ReactNode;
}

/** One view: its heading, what can be done, and what is shown. */
export const Page = ({ title, heading = title, above, below, actions, isFull = false, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Retake`;
  }, [title]);
  return (
    <div className={`${classes.page} ${isFull ? classes.full : ''}`}>
      <header className={classes.head}>
        <div className={classes.words}>
          {above}
          <h1>{heading}</h1>
          {below}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
};
