import { memo } from 'react';
import { Link } from 'wouter';
import type { Checkpoint } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Counts } from '../parts/counts.tsx';
import { Icon } from '../parts/icon.tsx';
import { kindOf } from '../parts/kinds.ts';
import { RolledBack } from '../parts/rolled-back.tsx';
import { Time } from '../parts/time.tsx';
import { visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import classes from './checkpoint-row.module.css';
import { ForkBadge } from './fork-badge.tsx';

interface CheckpointRowProps {
  readonly session: string;
  readonly branch: string | undefined;
  readonly checkpoint: Checkpoint;
  readonly isSelected: boolean;
}

const BY: Readonly<Record<string, string>> = { person: 'you', agent: '', both: 'agent and you', unknown: 'unknown' };

/** One record: what happened, by whom, and what it did to the code. Drawn once, however far the list is scrolled. */
export const CheckpointRow = memo(({ session, branch, checkpoint, isSelected }: CheckpointRowProps) => {
  const places = usePlaces();
  const {
    id,
    kind,
    description,
    name,
    note,
    pinned,
    tool,
    agentId,
    agentType,
    files,
    by,
    rolledBack,
    remaining,
    status,
    createdAt,
    forkPoint,
    git,
  } = checkpoint;
  const { label, icon } = kindOf(kind);
  const who = by === null ? '' : (BY[by] ?? by);
  return (
    <Link
      href={places.checkpoint(session, id, branch)}
      className={`${classes.row} ${rolledBack === null ? '' : classes.back}`}
      data-checkpoint={id}
      data-kind={kind}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className={classes.icon} title={label}>
        <Icon name={icon} />
        <span className="visually-hidden">{label}: </span>
      </span>
      <span className={classes.words}>
        {name !== null && <strong>{visible(name)}</strong>}
        {name !== description && <span className={name === null ? '' : classes.soft}>{visible(description)}</span>}
      </span>
      <span className={classes.marks}>
        {pinned && <Mark icon="pin" label="pinned" />}
        {note !== null && <Mark icon="pencil" label="has a note" />}
        {tool !== null && <Badge>{visible(tool)}</Badge>}
        {agentId !== null && (
          <Badge tone="info" title={`Subagent ${agentId}`}>
            {visible(agentType ?? agentId)}
          </Badge>
        )}
        {who !== '' && <Badge tone="accent">{who}</Badge>}
        {status === 'partial' && <Badge tone="warn">partial</Badge>}
        <RolledBack rolledBack={rolledBack} remaining={remaining} />
        <ForkBadge point={forkPoint} />
      </span>
      <span className={classes.facts}>
        {files === null ? <span>unreadable</span> : <Counts files={files.changed} {...files} />}
        {git?.news.map((news) => (
          <span key={news} className={classes.git}>
            {visible(news)}
          </span>
        ))}
        <Time at={createdAt} />
      </span>
    </Link>
  );
});

const Mark = ({ icon, label }: { icon: 'pin' | 'pencil'; label: string }) => (
  <span title={label}>
    <Icon name={icon} size={14} />
    <span className="visually-hidden">{label}</span>
  </span>
);
