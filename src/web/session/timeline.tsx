import { type ReactNode, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { List } from '../client/queries.ts';
import type { Checkpoint } from '../client/types.ts';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { number, visible } from '../parts/words.ts';
import { CheckpointRow } from './checkpoint-row.tsx';
import classes from './pane.module.css';
import own from './timeline.module.css';
import { rowOfCheckpoint, rowOfTurn, rowsOf } from './timeline-rows.ts';
import { type ListHandle, VirtualList } from './virtual-list.tsx';

export interface TimelineHandle {
  /** Brings a turn into sight, reading on until it is there. */
  readonly showTurn: (turn: number) => void;
}

interface TimelineProps {
  readonly session: string;
  readonly branch: string | undefined;
  readonly checkpoints: List<Checkpoint>;
  readonly selected: string | undefined;
  readonly filters: ReactNode;
  readonly ref?: React.Ref<TimelineHandle>;
}

/** Everything that was recorded, newest first, under the turns that it belongs to. */
export const Timeline = ({ session, branch, checkpoints, selected, filters, ref }: TimelineProps) => {
  const { items, total, hasMore, isLoading, isLoadingMore, error, loadMore, retry } = checkpoints;
  const rows = useMemo(() => rowsOf(items), [items]);
  const list = useRef<ListHandle>(null);
  const [wanted, setWanted] = useState<number>();
  useImperativeHandle(ref, () => ({ showTurn: setWanted }), []);
  useEffect(() => {
    if (wanted === undefined) return;
    const at = rowOfTurn(rows, wanted);
    if (at >= 0) list.current?.scrollTo(at);
    else if (hasMore) return loadMore();
    setWanted(undefined);
  }, [wanted, rows, hasMore, loadMore]);
  const first = useRef(true);
  useEffect(() => {
    const at = selected === undefined ? -1 : rowOfCheckpoint(rows, selected);
    if (at >= 0 && first.current) list.current?.scrollTo(at);
    if (rows.length > 0) first.current = false;
  }, [rows, selected]);
  return (
    <section className={classes.pane} aria-label="Timeline">
      <header className={classes.head}>
        <h2>Timeline</h2>
        {total !== undefined && <span className={classes.soft}>{number(total)}</span>}
        {filters}
      </header>
      {error !== null ? (
        <Problem error={error} onRetry={retry} />
      ) : isLoading ? (
        <Loading what="Reading the timeline …" />
      ) : rows.length === 0 ? (
        <Empty icon="clock" title="Nothing to show">
          <p>No checkpoint of this session is of that kind.</p>
        </Empty>
      ) : (
        <VirtualList
          label="Checkpoints"
          items={rows}
          keyOf={({ key }) => key}
          render={(row) =>
            row.is === 'turn' ? (
              <h3 className={own.turn}>
                <span className={own.number}>Turn {row.turn}</span> <span className={own.title}>{visible(row.title)}</span>
              </h3>
            ) : (
              <CheckpointRow session={session} branch={branch} checkpoint={row.checkpoint} isSelected={row.key === selected} />
            )
          }
          estimate={57}
          hasMore={hasMore}
          onNearEnd={loadMore}
          handle={list}
          end={isLoadingMore ? <p className={own.more}>Reading older ones …</p> : null}
        />
      )}
    </section>
  );
};
