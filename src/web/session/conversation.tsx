import { memo } from 'react';
import type { List } from '../client/queries.ts';
import type { Turn } from '../client/types.ts';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import type { CheckpointActions } from './checkpoint-actions.tsx';
import classes from './pane.module.css';
import { TurnCard } from './turn-card.tsx';
import { VirtualList } from './virtual-list.tsx';

interface ConversationProps {
  readonly session: string;
  readonly turns: List<Turn>;
  readonly onFork: CheckpointActions['fork'];
  readonly onShow: (turn: number) => void;
}

/** What the person asked, newest first. */
export const Conversation = memo(({ session, turns, onFork, onShow }: ConversationProps) => {
  const { items, total, hasMore, isLoading, error, loadMore, retry } = turns;
  return (
    <section className={classes.pane} aria-label="Conversation">
      <header className={classes.head}>
        <h2>Conversation</h2>
        {total !== undefined && <span className={classes.soft}>{total === 1 ? '1 turn' : `${total} turns, newest first`}</span>}
      </header>
      {error !== null ? (
        <Problem error={error} onRetry={retry} />
      ) : isLoading ? (
        <Loading what="Reading the conversation …" />
      ) : items.length === 0 ? (
        <Empty icon="message" title="Nothing was asked yet" />
      ) : (
        <VirtualList
          label="Turns"
          items={items}
          keyOf={({ number }) => String(number)}
          render={(turn) => <TurnCard session={session} turn={turn} onFork={onFork} onShow={onShow} />}
          estimate={116}
          hasMore={hasMore}
          onNearEnd={loadMore}
        />
      )}
    </section>
  );
});
