import classes from './counts.module.css';
import { count, number } from './words.ts';

interface Lines {
  readonly insertions: number;
  readonly deletions: number;
}

/** `+3 −1`, in the colours of a diff. */
export const Lines = ({ insertions, deletions }: Lines) => (
  <span className={classes.lines}>
    <span className={classes.added}>
      +{number(insertions)}
      <span className="visually-hidden"> lines added</span>
    </span>{' '}
    <span className={classes.removed}>
      −{number(deletions)}
      <span className="visually-hidden"> lines removed</span>
    </span>
  </span>
);

/** `2 files +3 −1`; nothing where nothing changed. */
export const Counts = ({ files, insertions, deletions }: Lines & { readonly files: number }) =>
  files === 0 ? null : (
    <span className={classes.counts}>
      {count(files, 'file')} <Lines insertions={insertions} deletions={deletions} />
    </span>
  );
