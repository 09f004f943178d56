import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import type { DiffFile } from '../client/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { TextField } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { count, number, visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import { usePlaces } from '../shell/places.ts';
import { SideName, titleOf, useRecord } from './diff-heading.tsx';
import classes from './diff-view.module.css';
import { FileDiff } from './file-diff.tsx';
import { FileTree } from './file-tree.tsx';
import { type DiffSubject, isWithPresent } from './subject.ts';
import { filterFiles, keyOfFile } from './tree.ts';
import { type Difference, useDifference } from './use-difference.ts';
import { useUndoStep } from './use-restore.ts';

export type { DiffSubject } from './subject.ts';

/** What differs: the files, and the lines of the one that is chosen. */
export const DiffView = ({ subject }: { subject: DiffSubject }) => <View key={JSON.stringify(subject)} subject={subject} />;

const View = ({ subject }: { subject: DiffSubject }) => {
  const { difference, error, isReading, reread } = useDifference(subject);
  const { session } = subject;
  const step = useRecord(session, subject.of === 'step' ? difference?.to.id : undefined);
  const { data: whole } = useAnswer('getSession', { params: { session } });
  const places = usePlaces();
  const sessionTitle = visible(whole?.title ?? '') || 'Session';
  const title =
    subject.of === 'step'
      ? step === undefined
        ? 'What a step changed'
        : titleOf(step)
      : subject.of === 'session'
        ? 'All changes of the session'
        : 'What changed';
  return (
    <Page
      isFull
      title={title}
      above={
        <nav aria-label="Where this is">
          <Link href={places.session(session)}>{sessionTitle}</Link>
        </nav>
      }
      below={difference && <Compared subject={subject} difference={difference} />}
      actions={difference && <Actions subject={subject} difference={difference} isReading={isReading} onReread={reread} stepName={title} />}
    >
      {difference === undefined ? (
        error === null ? (
          <Loading what="Comparing …" />
        ) : (
          <Problem error={error} onRetry={reread} />
        )
      ) : difference.files.length === 0 ? (
        <Empty icon="check" title="Nothing differs">
          <p>{isWithPresent(subject) ? 'The files are as they were at the checkpoint.' : 'Both sides have the same files.'}</p>
        </Empty>
      ) : (
        <Files subject={subject} difference={difference} />
      )}
    </Page>
  );
};

interface ComparedProps {
  readonly subject: DiffSubject;
  readonly difference: Difference;
}

/** Names of both sides, and how much differs. */
const Compared = ({ subject: { session }, difference: { from, to, stats } }: ComparedProps) => (
  <div className={classes.compared}>
    <span className={classes.sides}>
      {from === null ? (
        <span className={classes.soft}>nothing, as it is the first record</span>
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
          <Link className={classes.link ?? ''} href={places.diff(session, to.id, from.id)}>
            Swap sides
          </Link>
          <Link className={classes.link ?? ''} href={places.diff(session, from.id)}>
            First side with the present
          </Link>
        </>
      )}
      {to.id !== null && (
        <Link className={classes.link ?? ''} href={places.diff(session, to.id)}>
          {from === null || !isOwn ? 'With the present' : 'Second side with the present'}
        </Link>
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

/** The tree of files and the one that is chosen, which the address names. */
const Files = ({ subject, difference: { files, stats, isComplete } }: ComparedProps) => {
  const [search, setSearch] = useSearchParams();
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  const filter = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => filterFiles(files, words), [files, words]);
  const [path, pathBase64] = [search.get('path'), search.get('pathBase64') ?? undefined];
  const named = path === null ? undefined : { path, pathBase64 };
  const listed = useMemo(
    () => (path === null ? undefined : files.find((file) => keyOfFile(file) === keyOfFile({ path, pathBase64 }))),
    [files, path, pathBase64],
  );
  const chosen = named === undefined ? files[0] : listed;
  const at = chosen === undefined ? -1 : shown.indexOf(chosen);

  const choose = (file: DiffFile | undefined, isStep = false): void => {
    if (file === undefined) return;
    setOpen(false);
    const next = new URLSearchParams({ path: file.path, ...(file.pathBase64 === undefined ? {} : { pathBase64: file.pathBase64 }) });
    // Going through files one by one leaves one entry in the history, not hundreds.
    setSearch(next, { replace: isStep });
  };
  const step = (by: 1 | -1): void => choose(at < 0 ? shown[0] : shown[at + by], true);
  const group = 'Difference';
  useCommands([
    { group, label: 'Next file', keys: 'j', onRun: () => step(1) },
    { group, label: 'Previous file', keys: 'k', onRun: () => step(-1) },
    { group, label: 'Next file, too', keys: ']', onRun: () => step(1) },
    { group, label: 'Previous file, too', keys: '[', onRun: () => step(-1) },
    {
      group,
      label: 'Filter the files',
      keys: 'f',
      onRun: () => {
        setOpen(true);
        window.setTimeout(() => filter.current?.querySelector('input')?.focus());
      },
    },
  ]);
  const current = chosen ?? named;
  useEffect(() => {
    if (isOpen) filter.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <div className={classes.files}>
      <div className={classes.bar}>
        <Button isSmall icon="folder" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count(stats.files, 'file')}
        </Button>
        <span className={classes.soft}>{at < 0 ? '' : `${number(at + 1)} of ${number(shown.length)}`}</span>
        <IconButton isSmall icon="up" label="Previous file" disabled={at <= 0} onClick={() => step(-1)} />
        <IconButton isSmall icon="down" label="Next file" disabled={at < 0 || at >= shown.length - 1} onClick={() => step(1)} />
      </div>
      <section className={classes.list} data-open={isOpen} aria-label="Files">
        <div className={classes.filter} ref={filter}>
          <TextField
            label="Filter the files"
            isLabelHidden
            type="search"
            placeholder="Filter the files  f"
            value={words}
            onChange={({ target }) => setWords(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                setWords('');
                event.currentTarget.blur();
              }
              if (event.key === 'Enter') choose(shown[0]);
            }}
          />
          <p className={classes.soft} role="status">
            {isComplete ? '' : `${number(files.length)} of ${number(stats.files)} read …`}
            {isComplete && words !== '' ? `${number(shown.length)} of ${count(files.length, 'file')}` : ''}
          </p>
        </div>
        {shown.length === 0 ? (
          <p className={classes.none}>No file is called that.</p>
        ) : (
          <FileTree files={shown} chosen={chosen} onChoose={choose} />
        )}
      </section>
      <div className={classes.pane}>
        {current !== undefined && (
          <FileDiff
            key={keyOfFile(current)}
            subject={subject}
            path={current.path}
            pathBase64={current.pathBase64}
            isFull
            hasKeys
            onEnd={step}
          />
        )}
      </div>
    </div>
  );
};
