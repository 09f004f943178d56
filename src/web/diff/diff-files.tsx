import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DiffFile } from '../client/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { count, number } from '../parts/words.ts';
import { useSearchParams } from '../shell/address.ts';
import { useCommands } from '../shell/commands.tsx';
import classes from './diff-view.module.css';
import { FileDiff } from './file-diff.tsx';
import { FileTree } from './file-tree.tsx';
import type { DiffSubject } from './subject.ts';
import { filterFiles, keyOfFile } from './tree.ts';
import type { Difference } from './use-difference.ts';

interface DiffFilesProps {
  readonly subject: DiffSubject;
  readonly difference: Difference;
  /** Why the others could not be read. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** The tree of files and the one that is chosen, which the address names. */
export const DiffFiles = ({ subject, difference: { files, stats, isComplete }, error, onRetry }: DiffFilesProps) => {
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
        // What is not there can not be typed into.
        flushSync(() => setOpen(true));
        filter.current?.querySelector('input')?.focus();
      },
    },
  ]);
  const current = chosen ?? named;
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
          {error !== null && (
            <>
              <ProblemLine error={error} />
              <Button isSmall onClick={onRetry}>
                Try again
              </Button>
            </>
          )}
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
