import { useAnswer } from '../client/queries.ts';
import type { Plan } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { kindOf } from '../parts/kinds.ts';
import { ProblemLine } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { shortId, visible } from '../parts/words.ts';
import { GoesBack } from './plan-parts.tsx';
import classes from './rollback-target.module.css';

/** Where it goes, and how far back that is. */
export const RollbackTarget = ({ session, checkpoint, plan }: { session: string; checkpoint: string; plan: Plan | undefined }) => {
  const { data, error } = useAnswer('getCheckpoint', { params: { session, checkpoint } });
  return (
    <section className={classes.target} aria-label="Goes back to">
      {error !== null && <ProblemLine error={error} />}
      {data !== undefined && (
        <>
          <p className={classes.title}>
            {data.name !== null && <strong>{visible(data.name)}</strong>}
            {data.name !== data.description && <span>{visible(data.description)}</span>}
          </p>
          {data.note !== null && <p className={classes.note}>{data.note}</p>}
          <p className={classes.facts}>
            <Badge>{kindOf(data.kind).label}</Badge>
            {data.turn !== null && data.turn > 0 && <span>turn {data.turn}</span>}
            <Time at={data.createdAt} />
            <code>{shortId(data.id)}</code>
            {data.status === 'partial' && <Badge tone="warn">partial</Badge>}
          </p>
        </>
      )}
      {plan !== undefined && <GoesBack plan={plan} />}
    </section>
  );
};
