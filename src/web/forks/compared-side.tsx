import { Link } from 'wouter';
import type { Comparison } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Counts } from '../parts/counts.tsx';
import { Time } from '../parts/time.tsx';
import { count } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import { ChangedFiles } from './changed-files.tsx';
import classes from './compare-view.module.css';
import { conflictWords, fileKey } from './compare-words.ts';
import { titleOf } from './fork-tree.ts';

type Side = Comparison['a'];
type SharedFile = Comparison['both'][number];

interface ComparedSideProps {
  readonly side: Side;
  /** What both changed. */
  readonly shared: ReadonlyMap<string, SharedFile>;
  readonly isSharedOnly: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (file: Side['files'][number]) => void;
}

/** One of two branches: what happened on it since they parted. */
export const ComparedSide = ({ side, shared, isSharedOnly, chosen, onChoose }: ComparedSideProps) => {
  const places = usePlaces();
  const { sessionId, branch, current, since, stats, lastAt, files } = side;
  const title = titleOf(side);
  return (
    <section className={classes.side} aria-label={title}>
      <h2>
        <Link href={places.session(sessionId, branch)}>
          <bdi>{title}</bdi>
        </Link>
      </h2>
      <p className={classes.facts}>
        {current && <Badge tone="accent">You are here</Badge>}
        <span>
          {count(since.turns, 'turn')}, {count(since.steps, 'step')} since
        </span>
        {stats.files === 0 ? <span>no code changed</span> : <Counts {...stats} />}
        {lastAt !== null && <Time at={lastAt} />}
      </p>
      <ChangedFiles
        label={`Files changed on ${title}`}
        files={isSharedOnly ? files.filter((file) => shared.has(fileKey(file))) : files}
        chosen={chosen}
        markOf={(file) => <SharedMark file={shared.get(fileKey(file))} />}
        onChoose={onChoose}
      />
    </section>
  );
};

const SharedMark = ({ file }: { file: SharedFile | undefined }) => {
  if (file === undefined) return null;
  if (file.conflict === null) return <Badge tone="warn">both</Badge>;
  return (
    <Badge tone="bad" title={conflictWords(file.conflict)}>
      both, conflict
    </Badge>
  );
};
