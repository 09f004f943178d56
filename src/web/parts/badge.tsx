import type { ReactNode } from 'react';
import classes from './badge.module.css';

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'info' | 'accent';

export const Badge = ({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) => (
  <span className={`${classes.badge} ${classes[tone]}`} title={title}>
    {children}
  </span>
);
