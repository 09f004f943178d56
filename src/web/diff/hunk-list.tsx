import { type ReactNode, useRef } from 'react';
import type { DiffHunk } from '../client/types.ts';
import { DiffLines } from './diff-lines.tsx';
import { useLayout } from './look.ts';

interface HunkListProps {
  /** Its ending says how the lines are coloured. */
  readonly path: string;
  readonly hunks: readonly DiffHunk[];
  /** What these lines are, for those who do not see what is around them. */
  readonly label?: string;
  /** What can be done about a hunk, at the end of its heading: a checkbox, a button. */
  readonly actionsOf?: (hunk: DiffHunk, number: number) => ReactNode;
}

/** Hunks of one file that are here already, such as those of a plan (see `hunksOfPlan`), as they look everywhere else. */
export const HunkList = ({ path, hunks, label, actionsOf }: HunkListProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const { look } = useLayout(frame);
  return (
    <div ref={frame}>
      <DiffLines
        path={path}
        hunks={hunks}
        label={label}
        look={look}
        actionsOf={actionsOf === undefined ? undefined : (hunk, { number }) => actionsOf(hunk, number)}
      />
    </div>
  );
};
