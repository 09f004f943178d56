import { type RefObject, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useCopy } from '../parts/copyable.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import { type ChangeSteps, DiffLines } from './diff-lines.tsx';
import classes from './file-diff.module.css';
import { FileHead, type FileView } from './file-head.tsx';
import { HunkActions } from './hunk-actions.tsx';
import { isPicture } from './language.ts';
import { type Look, useLayout } from './look.ts';
import { MoreLines } from './more-lines.tsx';
import { BinaryFile, Pictures } from './pictures.tsx';
import type { DiffSubject } from './subject.ts';
import { type FileLines, useFileLines, useModes } from './use-difference.ts';
import { useRestore } from './use-restore.ts';
import { useWholeLines } from './use-whole-lines.ts';

interface FileDiffProps {
  /** What is compared. */
  readonly subject: DiffSubject;
  readonly path: string;
  /** The path where it is not UTF-8, as an answer told it. */
  readonly pathBase64?: string | undefined;
  /** It fills the height of what it is in, and scrolls inside; else it is as high as it needs, up to most of the window. */
  readonly isFull?: boolean;
  /** The keys for looking at a difference are for this one: of all on the screen at most one has them. */
  readonly hasKeys?: boolean;
  /** Called when there is no further change in this file: 1 for forwards, -1 for backwards. */
  readonly onEnd?: (by: 1 | -1) => void;
}

/** One file of a difference: its lines, or its pictures, with what can be done about it. Reads what it needs by itself. */
export const FileDiff = ({ subject, path, pathBase64, isFull = false, hasKeys = false, onEnd }: FileDiffProps) => {
  const frame = useRef<HTMLElement>(null);
  const steps = useRef<ChangeSteps>(null);
  const { look, hasRoom, setLook } = useLayout(frame);
  const [view, setView] = useState<FileView>('lines');
  const { lines, error, hasMore, isReadingMore, readMore, reread } = useFileLines(subject, { path, pathBase64 });
  const copy = useCopy();
  const step = (by: 1 | -1): void => {
    if (!(by === 1 ? steps.current?.next() : steps.current?.previous())) onEnd?.(by);
  };
  const group = 'Difference';
  useCommands(
    hasKeys
      ? [
          { group, label: 'Next change', keys: 'n', onRun: () => step(1) },
          { group, label: 'Previous change', keys: 'p', onRun: () => step(-1) },
          {
            group,
            label: 'Unified or side by side',
            keys: 'u',
            onRun: () => hasRoom && setLook({ layout: look.layout === 'split' ? 'unified' : 'split' }),
          },
          {
            group,
            label: 'Hide or show changes of whitespace',
            keys: 'w',
            onRun: () => setLook({ hidesWhitespace: !look.hidesWhitespace }),
          },
          { group, label: "Copy the file's path", keys: 'c', onRun: () => void copy('Path', path) },
        ]
      : [],
  );
  return (
    <article className={`${classes.file} ${isFull ? classes.full : ''}`} ref={frame} aria-label={visible(path)}>
      <FileHead
        subject={subject}
        path={path}
        pathBase64={pathBase64}
        lines={lines ?? undefined}
        look={look}
        onLook={setLook}
        hasRoom={hasRoom}
        view={view}
        onView={setView}
        onStep={step}
      />
      {error !== null && lines === undefined && <Problem error={error} onRetry={reread} />}
      {error === null && lines === undefined && <Loading what="Reading the lines …" />}
      {lines === null && (
        <Empty icon="file" title="This file is the same on both sides">
          <p>What differs may have changed since this address was made.</p>
        </Empty>
      )}
      {lines != null && (
        <FileBody
          subject={subject}
          lines={lines}
          look={look}
          view={view}
          isFull={isFull}
          steps={steps}
          error={error}
          hasMore={hasMore}
          isReadingMore={isReadingMore}
          onReadMore={readMore}
          onReread={reread}
        />
      )}
    </article>
  );
};

type FileBodyProps = Pick<Parameters<typeof MoreLines>[0], 'error' | 'isReadingMore' | 'onReadMore'> & {
  readonly subject: DiffSubject;
  readonly lines: FileLines;
  readonly look: Look;
  readonly view: FileView;
  readonly isFull: boolean;
  readonly steps: RefObject<ChangeSteps | null>;
  readonly hasMore: boolean;
  readonly onReread: () => void;
};

const FileBody = (props: FileBodyProps) => {
  const { subject, lines, look, view, isFull, steps, error, hasMore, isReadingMore, onReadMore, onReread } = props;
  const { file, from, to, hunks, isTorn } = lines;
  const restore = useRestore(subject, from);
  const modes = useModes(subject, file, file.status);
  const [whole, readWhole] = useWholeLines(subject, lines);
  const isDrawn = isPicture(file.path) && (file.binary || view === 'picture');
  return (
    <>
      {modes !== undefined && <p className={classes.note}>{modes}</p>}
      {isTorn && (
        <p className={classes.note} role="alert">
          <Icon name="warn" /> The file changed while it was read.{' '}
          <Button isSmall onClick={onReread}>
            Read it again
          </Button>
        </p>
      )}
      {isDrawn && <Pictures file={file} from={from} to={to} />}
      {file.binary && !isDrawn && <BinaryFile file={file} from={from} to={to} />}
      {hunks.length === 0 && !file.binary && file.status !== 'mode' && <p className={classes.note}>The file is empty.</p>}
      {hunks.length > 0 && !isDrawn && (
        <DiffLines
          path={file.path}
          hunks={whole}
          look={look}
          isFull={isFull}
          steps={steps}
          onWholeLine={readWhole}
          actionsOf={(hunk, { isWhole }) => <HunkActions file={file} hunk={hunk} isWhole={isWhole} restore={restore} />}
          after={hasMore && <MoreLines {...lines.lines} error={error} isReadingMore={isReadingMore} onReadMore={onReadMore} />}
        />
      )}
    </>
  );
};
