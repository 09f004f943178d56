import { useEffect, useRef } from 'react';
import { count, number } from '../parts/words.ts';
import classes from './progress.module.css';
import type { Carrying, JobProgress } from './use-carrying.ts';

const words = (progress: JobProgress): string => {
  if (progress === null) return 'Looking at the workspace …';
  return 'files' in progress
    ? `Looking at the workspace: ${count(progress.files, 'file')} so far`
    : `${number(progress.done)} of ${count(progress.total, 'change')} made`;
};

/** How far it is. It gets the focus, so that nothing that is pressed once more ends or repeats anything. */
export const Progress = ({ what, carrying: { progress, isCancelling } }: { what: string; carrying: Carrying }) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  useEffect(() => {
    // A browser lets a dialog refuse to be closed once only: what is pressed again is to close it all the same.
    const stay = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') event.preventDefault();
    };
    document.addEventListener('keydown', stay, { capture: true });
    return () => document.removeEventListener('keydown', stay, { capture: true });
  }, []);
  return (
    <div className={classes.progress} ref={element} tabIndex={-1}>
      <p className={classes.what}>{isCancelling ? 'Ending it at a safe point …' : what}</p>
      {progress !== null && 'done' in progress ? (
        <progress aria-label={what} max={Math.max(progress.total, 1)} value={progress.done} />
      ) : (
        <progress aria-label={what} />
      )}
      <p className={classes.words}>{words(progress)}</p>
    </div>
  );
};
