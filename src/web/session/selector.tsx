import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import type { CheckpointDetails } from '../client/types.ts';
import { NameEditor, NoteEditor } from '../notes/note-editor.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button, IconButton, PlaceButton } from '../parts/button.tsx';
import { Counts, Lines } from '../parts/counts.tsx';
import { kindOf } from '../parts/kinds.ts';
import { RolledBack } from '../parts/rolled-back.tsx';
import { Loading, Problem } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { bytes, count, number, shortId, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import { useCommands } from '../shell/commands.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import type { CheckpointActions } from './checkpoint-actions.tsx';
import { ForkBadge } from './fork-badge.tsx';
import { Messages } from './messages.tsx';
import classes from './selector.module.css';

interface SelectorProps {
  readonly session: string;
  readonly branch: string | undefined;
  readonly id: string;
  readonly actions: CheckpointActions;
}

/** One checkpoint among all: where it is, what it holds, what was said, and what can be done with it. */
export const Selector = ({ session, branch, id, actions }: SelectorProps) => {
  const { data, error, refetch } = useAnswer('getCheckpoint', { params: { session, checkpoint: id }, query: { branch } });
  const [isSaidOnly, setSaidOnly] = useState(false);
  const places = usePlaces();
  const go = useGo();
  const { rollBack } = usePlans();
  const open = (other: string | null | undefined): void => {
    if (other != null) go(places.checkpoint(session, other, branch));
  };
  const close = (): void => go(places.session(session, branch));
  const group = 'Checkpoint';
  useCommands([
    { group, label: 'Older checkpoint', keys: 'arrowleft', onRun: () => open(data?.place.older) },
    { group, label: 'Newer checkpoint', keys: 'arrowright', onRun: () => open(data?.place.newer) },
    { group, label: 'Preview changes since it', keys: 'd', onRun: () => go(places.diff(session, id)) },
    { group, label: 'Roll back to it', keys: 'r', onRun: () => rollBack({ session, checkpoint: id }) },
    { group, label: 'View messages only', keys: 'm', onRun: () => setSaidOnly(!isSaidOnly) },
    { group, label: data?.pinned ? 'No longer pin it' : 'Pin it', keys: 'p', onRun: () => data !== undefined && void actions.pin(data) },
    { group, label: 'Delete it', keys: 'x', onRun: () => data !== undefined && actions.askToDelete(data) },
    { group, label: 'Close it', keys: 'escape', onRun: close },
  ]);
  return (
    <section className={classes.selector} aria-label="Checkpoint">
      <header className={classes.head}>
        <IconButton icon="left" label="Older checkpoint" disabled={data?.place.older == null} onClick={() => open(data?.place.older)} />
        <span className={classes.place} role="status">
          {data === undefined ? '…' : `${number(data.place.number)} of ${number(data.place.total)}`}
        </span>
        <IconButton icon="right" label="Newer checkpoint" disabled={data?.place.newer == null} onClick={() => open(data?.place.newer)} />
        <span className={classes.gap} />
        <IconButton icon="cross" label="Close the checkpoint" onClick={close} />
      </header>
      <div className={classes.body}>
        {error !== null ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading />
        ) : (
          <>
            {!isSaidOnly && <Facts session={session} checkpoint={data} actions={actions} />}
            <div className={classes.actions}>
              <PlaceButton icon="file" href={places.diff(session, id)}>
                Preview changes
              </PlaceButton>
              <Button look="primary" icon="back" onClick={() => rollBack({ session, checkpoint: id })}>
                Roll back
              </Button>
              <Button icon="message" aria-pressed={isSaidOnly} onClick={() => setSaidOnly(!isSaidOnly)}>
                {isSaidOnly ? 'View everything' : 'View messages only'}
              </Button>
            </div>
            <Messages checkpoint={id} isAdjustable={isSaidOnly} />
          </>
        )}
      </div>
    </section>
  );
};

const MOST_FILES = 30;

const Facts = ({ session, checkpoint, actions }: { session: string; checkpoint: CheckpointDetails; actions: CheckpointActions }) => {
  const places = usePlaces();
  const { id, kind, description, status, omissions, createdAt, pinned, rolledBack, remaining, changes, files, bytesAdded, forkPoint, git } =
    checkpoint;
  return (
    <div className={classes.facts}>
      <h2 className={classes.title}>{visible(description)}</h2>
      <p className={classes.line}>
        <Badge>{kindOf(kind).label}</Badge>
        {status === 'partial' ? <Badge tone="warn">partial</Badge> : <Badge tone="good">complete</Badge>}
        <RolledBack rolledBack={rolledBack} remaining={remaining} />
        <ForkBadge point={forkPoint} />
        <Time at={createdAt} />
        <code title={id}>{shortId(id)}</code>
        <span>{bytes(bytesAdded)} added to the store</span>
      </p>
      <NameEditor session={session} checkpoint={checkpoint} keys="e" />
      <NoteEditor session={session} checkpoint={checkpoint} keys="c" />
      <div className={classes.line}>
        <Button isSmall icon="pin" aria-pressed={pinned} onClick={() => void actions.pin(checkpoint)}>
          {pinned ? 'Unpin' : 'Pin'}
        </Button>
        <Button isSmall icon="trash" look="danger" onClick={() => actions.askToDelete(checkpoint)}>
          Delete
        </Button>
        <Button isSmall icon="fork" onClick={() => void actions.fork(checkpoint)}>
          Fork from here
        </Button>
      </div>
      {omissions.length > 0 && (
        <details>
          <summary>{count(omissions.length, 'file')} could not be captured</summary>
          <ul className={classes.files}>
            {omissions.slice(0, MOST_FILES).map(({ path, reason }) => (
              <li key={path}>
                <code>{visible(path)}</code> <span>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {git !== null && (
        <p className={classes.soft}>
          git: {git.branch === null ? 'detached' : visible(git.branch)}
          {git.commit !== null && <> at {shortId(git.commit)}</>}
          {git.news.length > 0 && `, ${visible(git.news.join('; '))}`}
        </p>
      )}
      {files !== null && files.changed > 0 && (
        <details open={changes.length <= 8}>
          <summary>
            It changed <Counts files={files.changed} {...files} />
          </summary>
          <ul className={classes.files}>
            {changes.slice(0, MOST_FILES).map(({ path, pathBase64, status: what, insertions, deletions, by }) => (
              <li key={pathBase64 ?? path}>
                <Link href={`${places.step(session, id)}?path=${encodeURIComponent(path)}`}>{visible(path)}</Link> <span>{what}</span>{' '}
                <Lines insertions={insertions} deletions={deletions} /> {by === 'person' && <Badge tone="accent">you</Badge>}
              </li>
            ))}
          </ul>
          {changes.length > MOST_FILES && <Link href={places.step(session, id)}>All {number(changes.length)} files</Link>}
        </details>
      )}
    </div>
  );
};
