import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import { Button, PlaceButton } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import { DiffFiles } from './diff-files.tsx';
import { SideName, titleOf, useRecord } from './diff-heading.tsx';
import classes from './diff-view.module.css';
import { type DiffSubject, isWithPresent } from './subject.ts';
import { type Difference, useDifference, useReread } from './use-difference.ts';
import { useUndoStep } from './use-restore.ts';

export type { DiffSubject } from './subject.ts';

/** What differs: the files, and the lines of the one that is chosen. */
export const DiffView = ({ subject }: { subject: DiffSubject }) => <View key={JSON.stringify(subject)} subject={subject} />;

const TITLES = {
  checkpoints: 'What changed',
  step: 'What a step changed',
  commit: 'What a commit changed',
  session: 'All changes of the session',
} as const;

const View = ({ subject }: { subject: DiffSubject }) => {
  const { difference, error, isReading, retry } = useDifference(subject);
  const reread = useReread();
  const { session } = subject;
  const step = useRecord(session, subject.of === 'step' ? difference?.to.id : undefined);
  const { data: whole } = useAnswer('getSession', session === 'local' || subject.of === 'commit' ? undefined : { params: { session } });
  const places = usePlaces();
  const sessionTitle = session === 'local' ? 'Checkpoints made by hand' : visible(whole?.title ?? '') || 'Session';
  const title = subject.of === 'step' && step !== undefined ? titleOf(step) : TITLES[subject.of];
  return (
    <Page
      isFull
      title={title}
      above={
        <nav aria-label="Where this is">
          {subject.of === 'commit' ? <Link href={places.git()}>Reflog</Link> : <Link href={places.session(session)}>{sessionTitle}</Link>}
        </nav>
      }
      below={difference && <Compared subject={subject} difference={difference} />}
      actions={
        difference && (
          <Actions subject={subject} difference={difference} isReading={isReading} onReread={() => void reread()} stepName={title} />
        )
      }
    >
      {difference === undefined && error === null && <Loading what="Comparing …" />}
      {difference === undefined && error !== null && <Problem error={error} onRetry={retry} />}
      {difference?.files.length === 0 && (
        <Empty icon="check" title="Nothing differs">
          <p>{isWithPresent(subject) ? 'The files are as they were at the checkpoint.' : 'Both sides have the same files.'}</p>
        </Empty>
      )}
      {difference !== undefined && difference.files.length > 0 && (
        <DiffFiles subject={subject} difference={difference} error={error} onRetry={retry} />
      )}
    </Page>
  );
};

interface ComparedProps {
  readonly subject: DiffSubject;
  readonly difference: Difference;
}

/** Names of both sides, and how much differs. */
const Compared = ({ subject: { session, of }, difference: { from, to, stats } }: ComparedProps) => (
  <div className={classes.compared}>
    <span className={classes.sides}>
      {from === null ? (
        <span className={classes.soft}>nothing, as it is the first {of === 'commit' ? 'commit' : 'record'}</span>
      ) : (
        <SideName session={session} side={from} />
      )}
      <span className={classes.arrow}>
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">compared with</span>
      </span>
      <SideName session={session} side={to} />
    </span>
    <Counts {...stats} />
  </div>
);

interface ActionsProps extends ComparedProps {
  readonly isReading: boolean;
  readonly onReread: () => void;
  readonly stepName: string;
}

/** Other things to compare, and what can be done about all of it. */
const Actions = ({ subject, difference: { from, to }, isReading, onReread, stepName }: ActionsProps) => {
  const places = usePlaces();
  const undoStep = useUndoStep();
  const { session } = subject;
  // Of another session's record there is no address in this one.
  const isOwn = useRecord(session, from?.id) !== undefined;
  return (
    <>
      {from?.id != null && to.id !== null && isOwn && (
        <>
          <PlaceButton href={places.diff(session, to.id, from.id)}>Swap sides</PlaceButton>
          <PlaceButton href={places.diff(session, from.id)}>First side with the present</PlaceButton>
        </>
      )}
      {to.id !== null && (
        <PlaceButton href={places.diff(session, to.id)}>
          {from === null || !isOwn ? 'With the present' : 'Second side with the present'}
        </PlaceButton>
      )}
      {isWithPresent(subject) && (
        <Button icon="forward" disabled={isReading} onClick={onReread}>
          Read again
        </Button>
      )}
      {subject.of === 'step' && to.id !== null && (
        <Button icon="back" onClick={() => undoStep(to.id ?? '', stepName)}>
          Undo just this step
        </Button>
      )}
    </>
  );
};
