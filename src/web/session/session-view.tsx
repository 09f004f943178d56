import { useCallback, useEffect, useRef, useState } from 'react';
import { type CheckpointFilter, useAnswer, useCheckpoints, useTurns } from '../client/queries.ts';
import { Breadcrumbs } from '../forks/breadcrumbs.tsx';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import { useSearchParams } from '../shell/address.ts';
import { useCommands } from '../shell/commands.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import { useCheckpointActions } from './checkpoint-actions.tsx';
import { Conversation } from './conversation.tsx';
import { Filters } from './filters.tsx';
import { NewCheckpoint } from './new-checkpoint.tsx';
import { Selector } from './selector.tsx';
import { SessionActions, SessionFacts } from './session-head.tsx';
import classes from './session-view.module.css';
import { Timeline, type TimelineHandle } from './timeline.tsx';

interface SessionViewProps {
  readonly session: string;
  readonly checkpoint?: string | undefined;
}

/** A session: what was asked and what was done, side by side, and one checkpoint of it if one is chosen. */
export const SessionView = ({ session, checkpoint }: SessionViewProps) => {
  const [search] = useSearchParams();
  const branch = search.get('branch') ?? undefined;
  // While another branch is read, nothing of the one before stands in its place.
  return <OnBranch key={branch} session={session} checkpoint={checkpoint} branch={branch} />;
};

const OnBranch = ({ session, checkpoint, branch }: SessionViewProps & { readonly branch: string | undefined }) => {
  const [filter, setFilter] = useState<CheckpointFilter>({});
  const [isCreating, setCreating] = useState(false);
  const [pane, setPane] = useState<'conversation' | 'timeline'>('conversation');
  const timeline = useRef<TimelineHandle>(null);
  const places = usePlaces();
  const go = useGo();
  // Answered one after the other: what is looked at first is asked for first.
  const checkpoints = useCheckpoints(session, branch, filter);
  const turns = useTurns(session, branch);
  // What its work comes to takes longest to tell.
  const details = useAnswer('getSession', turns.isLoading || checkpoints.isLoading ? undefined : { params: { session } });
  const actions = useCheckpointActions(session);
  const open = (id: string | undefined): void => {
    if (id !== undefined) go(places.checkpoint(session, id, branch));
  };
  const walk = (by: number): void => {
    const at = checkpoints.items.findIndex(({ id }) => id === checkpoint);
    open(checkpoints.items[at < 0 ? 0 : at + by]?.id);
  };
  const showTurn = useCallback((turn: number): void => {
    setPane('timeline');
    timeline.current?.showTurn(turn);
  }, []);
  const group = 'Session';
  useCommands([
    { group, label: 'Next checkpoint in the timeline', keys: 'j', onRun: () => walk(1) },
    { group, label: 'Previous checkpoint in the timeline', keys: 'k', onRun: () => walk(-1) },
    { group, label: 'Create a checkpoint', keys: 'n', onRun: () => setCreating(true) },
    { group, label: 'Forks', keys: 'f', onRun: () => go(places.forks(session)) },
    { group, label: 'All changes of the session', keys: 'a', onRun: () => go(places.changes(session)) },
    { group, label: 'Recover steps', keys: 'v', onRun: () => go(places.recover(session)) },
  ]);
  useEffect(() => {
    if (checkpoint !== undefined) setPane('timeline');
  }, [checkpoint]);
  const title = details.data === undefined ? 'Session' : visible(details.data.title) || 'Session';
  const error = details.error ?? checkpoints.error ?? turns.error;
  if (error !== null && details.data === undefined)
    return (
      <Page title={title}>
        <Problem error={error} onRetry={() => void details.refetch()} />
      </Page>
    );
  return (
    <Page
      isFull
      title={title}
      above={!checkpoints.isLoading && <Breadcrumbs session={session} branch={branch} />}
      below={details.data !== undefined && <SessionFacts session={details.data} />}
      actions={<SessionActions session={session} details={details.data} onCreate={() => setCreating(true)} />}
    >
      <div className={classes.panes} data-pane={checkpoint === undefined ? pane : 'checkpoint'}>
        <div className={classes.choice}>
          <Choice
            label="What is shown"
            value={pane}
            options={[
              { value: 'conversation', label: 'Conversation' },
              { value: 'timeline', label: 'Timeline' },
            ]}
            onChange={setPane}
          />
        </div>
        <div className={classes.conversation}>
          <Conversation session={session} turns={turns} onFork={actions.fork} onShow={showTurn} />
        </div>
        <div className={classes.timeline}>
          <Timeline
            ref={timeline}
            session={session}
            branch={branch}
            checkpoints={checkpoints}
            selected={checkpoint}
            filters={<Filters session={details.data} filter={filter} onChange={setFilter} />}
          />
        </div>
        {checkpoint !== undefined && (
          <div className={classes.chosen}>
            <Selector key={checkpoint} session={session} branch={branch} id={checkpoint} actions={actions} />
          </div>
        )}
      </div>
      {actions.dialogs}
      {isCreating && (
        <NewCheckpoint
          session={session}
          onClose={() => setCreating(false)}
          onOpen={(id) => {
            setCreating(false);
            open(id);
          }}
        />
      )}
    </Page>
  );
};
