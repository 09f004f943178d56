import { Link } from 'wouter';
import type { CheckpointDetails, RollbackEntry } from '../client/types.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { Menu } from '../parts/menu.tsx';
import { Time } from '../parts/time.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import { PathName } from './path-name.tsx';
import { useOwnPlans } from './plans.tsx';
import { isUndoable, type Origin } from './rollback-history.ts';
import classes from './rollbacks-view.module.css';

const TYPES: Readonly<Record<string, string>> = {
  rollback: 'Rolled back to',
  discard: 'Discarded the work since',
  switch: 'Switched to',
  merge: 'Merged',
  revert: 'Reverted',
  recover: 'Recovered',
};

const SCOPES = { code: 'code', conversation: 'conversation', both: 'code and conversation' } as const;

const OUTCOMES: Readonly<Record<RollbackEntry['outcome'], readonly [string, Tone, string]>> = {
  complete: ['complete', 'good', 'All of it was done'],
  incomplete: ['incomplete', 'bad', 'Some paths could not be brought back and are in between'],
  'taken-back': ['taken back', 'plain', 'It was ended or failed, and all that it had done was taken back at once'],
};

/** States by their ids, as far as they are known. */
export type Records = ReadonlyMap<string, CheckpointDetails>;

interface RollbackRowProps {
  readonly entry: RollbackEntry;
  readonly origin: Origin | undefined;
  readonly records: Records;
}

const described = ({ type, to }: RollbackEntry, records: Records): string => {
  const target = records.get(to);
  return `${TYPES[type] ?? type} ${target === undefined ? shortId(to) : `“${target.description}”`}`;
};

/** One rollback: what it was, what it changed, and the way back. */
export const RollbackRow = ({ entry, origin = { first: entry, depth: 0 }, records }: RollbackRowProps) => {
  const { id, undoneBy, undoes } = entry;
  const places = usePlaces();
  const to = records.get(entry.to);
  const isUndo = origin.depth % 2 === 1;
  const turned = isUndo ? 'Undone' : 'Redone';
  const first = origin.first === undefined ? shortId(undoes ?? id) : described(origin.first, records);
  const name = visible(origin.depth === 0 ? described(entry, records) : `${turned}: ${first}`);
  return (
    <>
      {to === undefined ? (
        <span className={classes.title} data-undone={undoneBy !== null}>
          {name}
        </span>
      ) : (
        <Link href={places.step(to.session, id)} className={classes.title ?? ''} data-undone={undoneBy !== null}>
          {name}
          <span className="visually-hidden">: what it changed</span>
        </Link>
      )}
      <Actions entry={entry} isUndo={isUndo} session={to?.session} />
      <div className={classes.words}>
        <Facts entry={entry} />
        <Limits entry={entry} />
        <Way entry={entry} session={to?.session} />
      </div>
    </>
  );
};

const Facts = ({ entry }: { entry: RollbackEntry }) => {
  const { type, level, createdAt, scope, git, outcome, files, undoneBy, undoneAt, undoes } = entry;
  const [told, tone, title] = OUTCOMES[outcome];
  return (
    <p className={classes.facts}>
      <Badge>{type}</Badge>
      <Badge title="What it went back to">{level}</Badge>
      <Time at={createdAt} />
      <span>{SCOPES[scope]}</span>
      {git && <span>with git</span>}
      {files !== null && <Counts files={files.changed} insertions={files.insertions} deletions={files.deletions} />}
      <Badge tone={tone} title={title}>
        {told}
      </Badge>
      {undoneBy !== null && undoneAt !== null && (
        <span>
          undone <Time at={undoneAt} /> by <a href={`#${undoneBy}`}>{shortId(undoneBy)}</a>
        </span>
      )}
      {undoes !== null && (
        <span>
          takes back <a href={`#${undoes}`}>{shortId(undoes)}</a>
        </span>
      )}
    </p>
  );
};

const MOST = 5;

/** What it was limited to. */
const Limits = ({ entry: { only, hunks } }: { entry: RollbackEntry }) => {
  if (only === null) return null;
  const parts = new Map(hunks?.map(({ path, count: number }) => [path, number]));
  return (
    <p className={classes.limits}>
      <span>only</span>
      {only.slice(0, MOST).map((path) => (
        <span key={path}>
          <PathName path={path} />
          {parts.has(path) && ` (${count(parts.get(path) ?? 0, 'part')})`}
        </span>
      ))}
      {only.length > MOST && <span>and {only.length - MOST} more</span>}
    </p>
  );
};

/** From where to where. */
const Way = ({ entry: { from, to }, session }: { entry: RollbackEntry; session: string | undefined }) => {
  const places = usePlaces();
  if (session === undefined)
    return (
      <p className={classes.way}>
        <code>{shortId(from)}</code> → <code>{shortId(to)}</code>
      </p>
    );
  return (
    <p className={classes.way}>
      <Link href={places.checkpoint(session, from)}>
        <code>{shortId(from)}</code>
        <span className="visually-hidden"> the state before it</span>
      </Link>{' '}
      →{' '}
      <Link href={places.checkpoint(session, to)}>
        <code>{shortId(to)}</code>
        <span className="visually-hidden"> the state that it went to</span>
      </Link>
      <Link href={places.diff(session, from, to)}>Compare these two</Link>
    </p>
  );
};

const Actions = ({ entry, isUndo, session }: { entry: RollbackEntry; isUndo: boolean; session: string | undefined }) => {
  const { undo, previewUndo, rollBack } = useOwnPlans();
  return (
    <div className={classes.actions}>
      {isUndoable(entry) && (
        <Button isSmall icon={isUndo ? 'forward' : 'back'} onClick={() => undo(entry.id, isUndo)}>
          {isUndo ? 'Redo' : 'Undo'}
        </Button>
      )}
      {isUndoable(entry) && (
        <Button isSmall look="quiet" onClick={() => previewUndo(entry.id, isUndo)}>
          Look first
        </Button>
      )}
      {session !== undefined && (
        <Menu
          label="Go to"
          isSmall
          look="quiet"
          items={[
            { label: 'The state before it', icon: 'left', onChoose: () => rollBack({ session, checkpoint: entry.from }) },
            { label: 'The state it went to', icon: 'right', onChoose: () => rollBack({ session, checkpoint: entry.to }) },
          ]}
        />
      )}
    </div>
  );
};
