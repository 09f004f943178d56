import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import type { Checkpoint, Diff } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { kindOf } from '../parts/kinds.ts';
import { Time } from '../parts/time.tsx';
import { shortId, visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import classes from './diff-view.module.css';

/** What a checkpoint is called: its own name, or what was done. */
export const titleOf = ({ name, description, kind }: Pick<Checkpoint, 'name' | 'description' | 'kind'>): string =>
  visible(name ?? description) || kind;

/** A record that is one side of a difference; undefined while it is not known, and for those of other sessions. */
export const useRecord = (session: string, id: string | null | undefined) => {
  const { data, error } = useAnswer('getCheckpoint', id == null ? undefined : { params: { session, checkpoint: id } }, true);
  return error === null && data?.id === id ? data : undefined;
};

/** One side: its name, kind and time, with the way to it. */
export const SideName = ({ session, side }: { session: string; side: Diff['to'] }) => {
  const places = usePlaces();
  const record = useRecord(session, side.id);
  if (side.commit !== null)
    return (
      <span className={classes.side}>
        commit <code>{shortId(side.commit)}</code>
      </span>
    );
  if (side.id === null)
    return (
      <span className={classes.side}>
        <strong>the present</strong>
      </span>
    );
  if (record === undefined)
    return (
      <span className={classes.side}>
        <code>{shortId(side.id)}</code>
      </span>
    );
  return (
    <span className={classes.side}>
      <Link href={places.checkpoint(session, side.id)} className={classes.sideName ?? ''}>
        {titleOf(record)}
      </Link>
      <Badge>{kindOf(record.kind).label}</Badge>
      <span className={classes.soft}>
        <Time at={record.createdAt} />
      </span>
    </span>
  );
};
