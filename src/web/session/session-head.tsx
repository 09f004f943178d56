import type { SessionDetails } from '../client/types.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button, PlaceButton } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { Menu } from '../parts/menu.tsx';
import { Time } from '../parts/time.tsx';
import { count, number, shortId } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import { SessionBadge } from '../sessions/session-badge.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import classes from './session-head.module.css';

/** What a session comes to, in a line. */
export const SessionFacts = ({ session }: { session: SessionDetails }) => {
  const { id, agent, isCurrent, turns, steps, onBranch, messages, files, insertions, deletions, lastAt } = session;
  return (
    <p className={classes.facts}>
      {isCurrent && <Badge tone="accent">current</Badge>}
      <SessionBadge session={session} />
      <span>{agent}</span>
      <code title={id}>{shortId(id)}</code>
      <span>{count(turns, 'turn')}</span>
      <span>{count(steps, 'step')}</span>
      {(onBranch.turns !== turns || onBranch.steps !== steps) && (
        <span title="With what came from other sessions">
          {count(onBranch.turns, 'turn')} and {count(onBranch.steps, 'step')} on its branch
        </span>
      )}
      {messages !== null && <span>{number(messages)} messages</span>}
      <span title="Edit by edit, of what is in the present">
        <Counts files={files} insertions={insertions} deletions={deletions} /> in its edits
      </span>
      {lastAt !== null && <Time at={lastAt} />}
    </p>
  );
};

interface SessionActionsProps {
  readonly session: string;
  readonly details: SessionDetails | undefined;
  readonly onCreate: () => void;
}

export const SessionActions = ({ session, details, onCreate }: SessionActionsProps) => {
  const places = usePlaces();
  const go = useGo();
  const { keep, discard } = usePlans();
  const work = details?.work;
  const decidedBecause = work !== undefined && work.steps === work.kept + work.rolledBack ? 'None of its work is undecided' : undefined;
  return (
    <>
      <Button icon="plus" onClick={onCreate}>
        Checkpoint
      </Button>
      <PlaceButton icon="file" href={places.changes(session)}>
        Changes
      </PlaceButton>
      <PlaceButton icon="fork" href={places.forks(session)}>
        Forks{details !== undefined && details.forks > 0 ? ` (${details.forks})` : ''}
      </PlaceButton>
      <ExportMenu session={session} />
      <Menu
        label="Its work"
        items={[
          { label: 'Keep: put it on the git branch', icon: 'check', disabledBecause: decidedBecause, onChoose: () => keep(session) },
          {
            label: 'Discard: take it back',
            icon: 'trash',
            isDangerous: true,
            disabledBecause: decidedBecause,
            onChoose: () => discard(session),
          },
          { label: 'Recover steps', icon: 'forward', onChoose: () => go(places.recover(session)) },
        ]}
      />
    </>
  );
};
