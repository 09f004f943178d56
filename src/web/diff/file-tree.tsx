import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { DiffFile } from '../client/types.ts';
import { Lines } from '../parts/counts.tsx';
import { Icon } from '../parts/icon.tsx';
import { count, visible } from '../parts/words.ts';
import classes from './file-tree.module.css';
import { STATUS } from './status.ts';
import { foldersAbove, keyOfFile, type TreeRow, treeOf, treeRows } from './tree.ts';

interface FileTreeProps {
  readonly files: readonly DiffFile[];
  readonly chosen: DiffFile | undefined;
  readonly onChoose: (file: DiffFile) => void;
}

const ROW = 28;

/** The files of a difference as a tree: arrows walk and fold, Enter shows a file. Only what is in sight is drawn. */
export const FileTree = ({ files, chosen, onChoose }: FileTreeProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => treeOf(files), [files]);
  const rows = useMemo(() => treeRows(tree, folded), [tree, folded]);
  const chosenKey = chosen === undefined ? '' : keyOfFile(chosen);
  const [cursorKey, setCursor] = useState(chosenKey);
  const cursor = Math.max(
    0,
    rows.findIndex(({ key }) => key === cursorKey),
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });

  /** A file that is chosen elsewhere is brought into sight. */
  useEffect(() => {
    if (chosen === undefined) return;
    setCursor(chosenKey);
    const above = foldersAbove(tree, chosen.path);
    setFolded((all) => (above.some((folder) => all.has(folder)) ? new Set([...all].filter((one) => !above.includes(one))) : all));
  }, [chosen, chosenKey, tree]);
  const place = rows.findIndex(({ key }) => key === chosenKey);
  useEffect(() => {
    if (place >= 0) virtualizer.scrollToIndex(place, { align: 'auto' });
  }, [place, virtualizer]);

  const fold = (key: string, isFolded: boolean): void => {
    const folder = key.slice('folder:'.length);
    setFolded((all) => new Set(isFolded ? [...all, folder] : [...all].filter((one) => one !== folder)));
  };
  const move = (to: number): void => {
    const at = Math.max(0, Math.min(to, rows.length - 1));
    setCursor(rows[at]?.key ?? '');
    virtualizer.scrollToIndex(at, { align: 'auto' });
  };
  const act = (row: TreeRow): void => {
    setCursor(row.key);
    if (row.type === 'folder') fold(row.key, !row.isFolded);
    else onChoose(row.file);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[cursor];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const parent = (): number => rows.findLastIndex(({ level }, at) => at < cursor && level < row.level);
    if (event.key === 'ArrowDown') move(cursor + 1);
    else if (event.key === 'ArrowUp') move(cursor - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(rows.length - 1);
    else if (event.key === 'PageDown') move(cursor + 15);
    else if (event.key === 'PageUp') move(cursor - 15);
    else if (event.key === 'Enter' || event.key === ' ') act(row);
    else if (event.key === 'ArrowRight' && row.type === 'folder') row.isFolded ? fold(row.key, false) : move(cursor + 1);
    else if (event.key === 'ArrowLeft') row.type === 'folder' && !row.isFolded ? fold(row.key, true) : parent() >= 0 && move(parent());
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      className={classes.tree}
      role="tree"
      tabIndex={0}
      aria-label="Changed files"
      aria-activedescendant={rows.length === 0 ? undefined : `${id}-${cursor}`}
      onKeyDown={onKeyDown}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as TreeRow;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
            <div
              key={row.key}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={row.level}
              aria-expanded={row.type === 'folder' ? !row.isFolded : undefined}
              aria-selected={row.key === chosenKey}
              className={classes.row}
              data-cursor={index === cursor}
              style={{ transform: `translateY(${start}px)`, '--level': row.level } as CSSProperties}
              title={row.type === 'file' ? visible(row.file.path) : undefined}
              onClick={() => act(row)}
            >
              {row.type === 'folder' ? <FolderRow row={row} /> : <FileRow row={row} />}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const FolderRow = ({ row: { name, files, isFolded } }: { row: Extract<TreeRow, { type: 'folder' }> }) => (
  <>
    <Icon name={isFolded ? 'right' : 'down'} size={12} />
    <bdi className={classes.name}>{visible(name)}</bdi>
    {isFolded && <span className={classes.soft}>{count(files, 'file')}</span>}
  </>
);

const FileRow = ({ row: { name, file } }: { row: Extract<TreeRow, { type: 'file' }> }) => {
  const { letter, word, tone } = STATUS[file.status];
  return (
    <>
      <span className={`${classes.status} ${classes[tone]}`} aria-hidden="true" title={word}>
        {letter}
      </span>
      <bdi className={classes.name}>{visible(name)}</bdi>
      <span className="visually-hidden">, {word}</span>
      {!file.binary && file.insertions + file.deletions > 0 && <Lines {...file} />}
    </>
  );
};
