import type { ReactNode } from 'react';
import { ApiError } from '../../api/index.ts';
import { troubleOf } from '../client/ask.ts';
import { Icon } from '../parts/icon.tsx';
import { visibleLines } from '../parts/words.ts';
import classes from './notice.module.css';
import { onThePage } from './plan-words.ts';

type NoticeTone = 'info' | 'warn' | 'bad';

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly title: ReactNode;
  /** It came up by itself and is to be heard of. */
  readonly isNews?: boolean;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** Something to know before one goes on. */
export const Notice = ({ tone, title, isNews = false, actions, children }: NoticeProps) => (
  <div className={`${classes.notice} ${classes[tone]}`} role={isNews ? 'alert' : undefined}>
    <Icon name={tone === 'info' ? 'info' : 'warn'} />
    <div className={classes.words}>
      <p className={classes.title}>{title}</p>
      {children}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  </div>
);

const OUTPUT_CODES: readonly string[] = ['commit-refused', 'push-rejected'];

/** Stands for a plan that is refused because it was made for another state. */
export const MOVED = Symbol('moved');

/** What came of something that was to be carried out and was not. */
export const Refusal = ({ error }: { error: unknown }) => {
  if (error === MOVED || (error instanceof ApiError && error.code === 'workspace-moved'))
    return (
      <Notice tone="warn" title="The workspace changed since this plan was made" isNews>
        <p>Nothing was changed. What you see now is the plan for how things are now: look at it again.</p>
      </Notice>
    );
  const { message, hint } = troubleOf(error);
  if (error instanceof ApiError && error.code === 'interrupted')
    return (
      <Notice tone="info" title={message} isNews>
        {hint !== undefined && <p>{onThePage(hint)}</p>}
      </Notice>
    );
  if (error instanceof TypeError)
    return (
      <Notice tone="bad" title={message} isNews>
        <p>What was asked for may have been done all the same: the rollback history tells. {hint}</p>
      </Notice>
    );
  const output = error instanceof ApiError && OUTPUT_CODES.includes(error.code) ? error.details?.output : undefined;
  return (
    <Notice tone="bad" title={onThePage(message)} isNews>
      {hint !== undefined && <p>{onThePage(hint)}</p>}
      {typeof output === 'string' && output !== '' && <pre className={classes.output}>{visibleLines(output)}</pre>}
    </Notice>
  );
};
