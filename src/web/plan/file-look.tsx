import { useQuery } from '@tanstack/react-query';
import { FIXED } from '../client/keys.ts';
import type { PlanStep } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import classes from './file-look.module.css';
import type { Looked, LookLine } from './look-lines.ts';
import { keyOfPath } from './plan-words.ts';

/** How to find out what becomes of a file. */
export interface Looker {
  /** Tells plans apart: what was looked at for one holds for no other. */
  readonly plan: string;
  readonly look: (step: PlanStep, signal: AbortSignal) => Promise<Looked>;
  /** Where all of it is shown. */
  readonly href?: (step: PlanStep) => string;
}

const SIGNS: Readonly<Record<LookLine['kind'], string>> = { add: '+', remove: '−', context: ' ', gap: '⋯' };

/** What becomes of one file, in short. */
export const FileLook = ({ step, looker: { plan, look, href } }: { step: PlanStep; looker: Looker }) => {
  const workspace = useWorkspaceId();
  const { data, error } = useQuery({
    queryKey: [workspace, FIXED, 'look', plan, keyOfPath(step)],
    queryFn: ({ signal }) => look(step, signal),
    gcTime: 60_000,
  });
  return (
    <div className={classes.look}>
      {error !== null && <ProblemLine error={error} />}
      {data === undefined && error === null && <p className={classes.soft}>Reading …</p>}
      {data !== undefined && <Lines looked={data} />}
      {href !== undefined && (
        <a className={classes.link} href={href(step)} target="_blank" rel="noreferrer">
          Open the whole comparison<span className="visually-hidden"> of {visible(step.path)}</span> (new tab)
        </a>
      )}
    </div>
  );
};

const Lines = ({ looked: { lines, isCut, note } }: { looked: Looked }) => (
  <>
    {note !== undefined && <p className={classes.soft}>{note}</p>}
    {lines.length > 0 && (
      <pre className={classes.lines}>
        {lines.map(({ kind, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and stay in order
          <span key={at} className={classes[kind]}>
            {`${SIGNS[kind]} ${visible(text)}`}
          </span>
        ))}
      </pre>
    )}
    {isCut && <p className={classes.soft}>There is more of it than is shown here.</p>}
  </>
);
