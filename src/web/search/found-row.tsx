import { Link } from 'wouter';
import type { Step } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Counts } from '../parts/counts.tsx';
import { Icon } from '../parts/icon.tsx';
import { RolledBack } from '../parts/rolled-back.tsx';
import { Time } from '../parts/time.tsx';
import { shortId, visible } from '../parts/words.ts';
import { ROW_FOCUS } from '../recover/long-list.tsx';
import { usePlaces } from '../shell/places.ts';
import classes from './found-row.module.css';
import { excerpt, holds, marked } from './marked.ts';

interface FoundRowProps {
  readonly operation: Step;
  readonly words: readonly string[];
  /** Of its session, where that is known. */
  readonly title: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  'session-start': 'session begins',
  'session-end': 'session ends',
  prompt: 'prompt',
  'before-step': 'before a step',
  'after-step': 'step',
  'turn-end': 'turn ends',
  compact: 'conversation compacted',
  manual: 'by hand',
  safety: 'before a rollback',
};

const LONGEST = 240;
/** Of a session that nobody has: checkpoints made by hand. */
const NOBODY = 'local';

/** A checkpoint that was found, with the words in sight that it was found by. */
export const FoundRow = ({ operation, words, title }: FoundRowProps) => {
  const places = usePlaces();
  const { id, kind, session, turn, tool, name, note, description, pinned, createdAt, files, rolledBack, remaining } = operation;
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <Link href={places.checkpoint(session, id)} className={classes.title ?? ''} {...ROW_FOCUS}>
          <Marked text={name ?? description} words={words} />
        </Link>
        {name !== null && name !== description && holds(description, words) && (
          <p className={classes.text}>
            <Marked text={description} words={words} />
          </p>
        )}
        {note !== null && (
          <p className={classes.text}>
            <Icon name="pencil" size={12} /> <span className="visually-hidden">Note: </span>
            <Marked text={note} words={words} />
          </p>
        )}
        <span className={classes.facts}>
          {session === NOBODY ? (
            <span>no session</span>
          ) : (
            <Link href={places.session(session)}>{visible(title ?? '') || `session ${shortId(session)}`}</Link>
          )}
          {turn !== null && <span>turn {turn}</span>}
          {tool !== null && <span>{visible(tool)}</span>}
          {files !== null && <Counts files={files.changed} {...files} />}
          <Time at={createdAt} />
        </span>
      </div>
      <span className={classes.badges}>
        {pinned && <Badge tone="accent">pinned</Badge>}
        <RolledBack rolledBack={rolledBack} remaining={remaining} />
        <Badge>{KINDS[kind] ?? visible(kind)}</Badge>
      </span>
    </div>
  );
};

const Marked = ({ text, words }: { text: string; words: readonly string[] }) => (
  <>
    {marked(visible(excerpt(text, words, LONGEST)), words).map((piece, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have their place and nothing else
      piece.isHit ? <mark key={at}>{piece.text}</mark> : piece.text,
    )}
  </>
);
