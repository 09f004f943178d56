import { type RefObject, useMemo, useRef, useState } from 'react';
import type { DiffHunk, DiffLine } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, number, visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import { type ChangeSteps, DiffLines } from './diff-lines.tsx';
import classes from './file-diff.module.css';
import { FileHead, type FileView } from './file-head.tsx';
import { HunkActions } from './hunk-actions.tsx';
import { isPicture } from './language.ts';
import { useLayout } from './look.ts';
import { BinaryFile, Pictures } from './pictures.tsx';
import type { DiffSubject } from './subject.ts';
import { useCopy } from './use-copy.ts';
import { askLine, type FileLines, MORE_LINES, useFileLines, useModes } from './use-difference.ts';
import { useRestore } from './use-restore.ts';

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
            onRun: () => setLook({ layout: look.layout === 'split' ? 'unified' : 'split' }),
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
          hasMore={hasMore}
          isReadingMore={isReadingMore}
          onReadMore={readMore}
          onReread={reread}
        />
      )}
    </article>
  );
};

interface FileBodyProps {
  readonly subject: DiffSubject;
  readonly lines: FileLines;
  readonly look: Parameters<typeof DiffLines>[0]['look'];
  readonly view: FileView;
  readonly isFull: boolean;
  readonly steps: RefObject<ChangeSteps | null>;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly onReadMore: () => Promise<{ readonly hasNextPage: boolean; readonly isError: boolean }>;
  readonly onReread: () => void;
}

const FileBody = (props: FileBodyProps) => {
  const { subject, lines, look, view, isFull, steps, hasMore, isReadingMore, onReadMore, onReread } = props;
  const { file, from, to, hunks, isTorn } = lines;
  const restore = useRestore(subject, from);
  const modes = useModes(subject, file, file.status);
  const [whole, readWhole] = useWholeLines(subject, lines);
  if (isPicture(file.path) && (file.binary || view === 'picture')) return <Pictures file={file} from={from} to={to} />;
  if (file.binary) return <BinaryFile file={file} from={from} to={to} />;
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
      {hunks.length === 0 && file.status !== 'mode' && <p className={classes.note}>The file is empty.</p>}
      {hunks.length > 0 && (
        <DiffLines
          path={file.path}
          hunks={whole}
          look={look}
          isFull={isFull}
          steps={steps}
          onWholeLine={readWhole}
          actionsOf={(hunk, { isWhole }) => <HunkActions file={file} hunk={hunk} isWhole={isWhole} restore={restore} />}
          after={hasMore && <More {...lines.lines} isReading={isReadingMore} onRead={onReadMore} />}
        />
      )}
    </>
  );
};

/** Reads more of a long file, or all of it. */
const More = ({
  here,
  total,
  isReading,
  onRead,
}: {
  here: number;
  total: number;
  isReading: boolean;
  onRead: FileBodyProps['onReadMore'];
}) => {
  const [isAll, setAll] = useState(false);
  const readAll = async (): Promise<void> => {
    setAll(true);
    for (let isMore = true; isMore; ) {
      const { hasNextPage, isError } = await onRead();
      isMore = hasNextPage && !isError;
    }
    setAll(false);
  };
  return (
    <div className={classes.more} role="status">
      <p>
        {number(here)} of {count(total, 'line')} {isReading ? 'here, reading more …' : 'are shown.'}
      </p>
      <Button isSmall disabled={isReading || isAll} onClick={() => void onRead()}>
        Show {number(Math.min(MORE_LINES, total - here))} more lines
      </Button>
      <Button isSmall disabled={isReading || isAll} onClick={() => void readAll()}>
        Show all
      </Button>
    </div>
  );
};

/** Of lines that are very long only the beginning is there at first. */
const useWholeLines = (subject: DiffSubject, { file, hunks }: FileLines) => {
  const workspace = useWorkspaceId();
  const { toastTrouble } = useToast();
  const [longer, setLonger] = useState<ReadonlyMap<number, DiffLine>>(new Map());
  const read = async (place: number): Promise<void> => {
    try {
      const line = await askLine(subject, file, place, { workspace });
      if (line !== undefined) setLonger((all) => new Map(all).set(place, line));
    } catch (error) {
      toastTrouble(error);
    }
  };
  const whole = useMemo(() => (longer.size === 0 ? hunks : withLonger(hunks, longer)), [hunks, longer]);
  return [whole, (place: number) => void read(place)] as const;
};

/** What is no longer there as it was read stays as it is. */
const withLonger = (hunks: readonly DiffHunk[], longer: ReadonlyMap<number, DiffLine>): DiffHunk[] => {
  let place = 0;
  return hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => {
      const whole = longer.get(++place);
      return whole !== undefined && whole.kind === line.kind && whole.text.startsWith(line.text) ? whole : line;
    }),
  }));
};
