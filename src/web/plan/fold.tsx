import type { ReactNode } from 'react';
import classes from './fold.module.css';

/** A part of a plan that can be folded away. */
export const Fold = ({ title, isOpen = false, children }: { title: ReactNode; isOpen?: boolean; children: ReactNode }) => (
  <details className={classes.fold} open={isOpen}>
    <summary>{title}</summary>
    <div className={classes.inside}>{children}</div>
  </details>
);
