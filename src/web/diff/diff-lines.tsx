import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DiffHunk } from '../client/types.ts';
import { count, visible } from '../parts/words.ts';
import { Code, type CodeContext } from './code.tsx';
import classes from './diff-lines.module.css';
import { hunkRange } from './hunks.ts';
import type { Look } from './look.ts';
import { type Row, type Rows, rowsOf, type ShownLine } from './rows.ts';
import { useColours } from './use-colours.ts';
import { useWidth } from './use-width.ts';

/** Goes from change to change; false where there is no further one. */
export interface ChangeSteps {
  readonly next: () => boolean;
  readonly previous: () => boolean;
}

interface DiffLinesProps {
  /** Its ending says how to colour it. */
  readonly path: string;
  /** What these lines are, for those who do not see what is around them; changes of the file unless given. */
  readonly label?: string | undefined;
  readonly hunks: readonly DiffHunk[];
  readonly look: Look;
  /** What can be done about a hunk, at the end of its heading. */
  readonly actionsOf?: ((hunk: DiffHunk, of: { readonly number: number; readonly isWhole: boolean }) => ReactNode) | undefined;
  readonly onWholeLine?: CodeContext['onWholeLine'];
  /** Below the last line. */
  readonly after?: ReactNode;
  /** It fills what it is in; else it is as high as it needs, up to most of the window. */
  readonly isFull?: boolean;
  readonly steps?: Ref<ChangeSteps> | undefined;
}

/** The lines of a file's hunks; only those in sight are drawn, however many there are. */
export const DiffLines = (props: DiffLinesProps) => {
  const { hunks, look, isFull = false } = props;
  const { layout, hidesWhitespace } = look;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const anchor = useRef<ShownLine | null>(null);
  const rows = useMemo(() => rowsOf(hunks, { layout, hidesWhitespace }), [hunks, layout, hidesWhitespace]);
  return (
    <div className={`${classes.frame} ${isFull ? classes.full : ''}`} ref={frame}>
      {rows.hidden > 0 && (
        <p className={classes.note} role="status">
          {count(rows.hidden, 'line differs', 'lines differ')} in whitespace alone and {rows.hidden === 1 ? 'is' : 'are'} shown as
          unchanged.
        </p>
      )}
      {/* What was measured of rows in one layout says nothing about those in the other. */}
      {width !== undefined && <Lines key={`${layout} ${hidesWhitespace}`} {...props} width={width} rows={rows} anchor={anchor} />}
    </div>
  );
};

const LINE_HEIGHT = 20;
const HEADING_HEIGHT = 34;
/** What a character takes, for guessing how often a line is folded before it is drawn. */
const CHARACTER = 7.8;

interface LinesProps extends DiffLinesProps {
  readonly width: number;
  readonly rows: Rows;
  /** The line at the top, for finding it again in another layout. */
  readonly anchor: RefObject<ShownLine | null>;
}

const Lines = ({
  path,
  label,
  hunks,
  look: { layout },
  actionsOf,
  onWholeLine,
  after,
  steps,
  width,
  rows: { rows, changes },
  anchor,
}: LinesProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const colours = useColours(path, hunks);
  const marksReturns = useMemo(() => hasSomeReturns(hunks), [hunks]);
  const context = useMemo(() => ({ colours, marksReturns, onWholeLine }), [colours, marksReturns, onWholeLine]);
  const digits = useMemo(() => digitsOf(hunks), [hunks]);
  const [current, setCurrent] = useState<number | null>(null);
  const room = Math.max(10, Math.floor(layout === 'split' ? width / 2 / CHARACTER - digits - 4 : width / CHARACTER - 2 * digits - 6));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(rows[at] as Row, room),
    overscan: 15,
  });
  const items = virtualizer.getVirtualItems();

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are folded elsewhere when the window is wider or narrower
  useLayoutEffect(() => virtualizer.measure(), [room]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the layout changed
  useLayoutEffect(() => {
    const at = rows.findIndex((row) => isAt(row, anchor.current));
    if (at > 0) virtualizer.scrollToIndex(at, { align: 'start' });
  }, []);
  useLayoutEffect(() => {
    const offset = virtualizer.scrollOffset ?? 0;
    const first = items.find(({ end, index }) => end > offset && rows[index]?.type !== 'hunk');
    anchor.current = offset === 0 || first === undefined ? null : lineIn(rows[first.index] as Row);
  });

  useImperativeHandle(steps, () => {
    const go = (to: number): boolean => {
      const row = changes[to];
      if (row === undefined) return false;
      setCurrent(to);
      virtualizer.scrollToIndex(row, { align: 'center' });
      return true;
    };
    // From where one is, and not from where one was before scrolling away.
    const isInSight = (): boolean => {
      const row = current === null ? undefined : changes[current];
      const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
      return row !== undefined && row >= startIndex && row <= endIndex;
    };
    const firstFrom = (row: number): number => {
      const at = changes.findIndex((start) => start >= row);
      return at < 0 ? changes.length : at;
    };
    const top = (): number => virtualizer.range?.startIndex ?? 0;
    return {
      next: () => go(isInSight() ? (current ?? 0) + 1 : current === null ? 0 : firstFrom(top())),
      previous: () => go(isInSight() ? (current ?? 0) - 1 : firstFrom(top()) - 1),
    };
  });

  const [from, to] = current === null ? [-1, -1] : [changes[current] ?? -1, endOf(rows, changes[current] ?? -1)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.scroller} ref={scroller} tabIndex={0} aria-label={label ?? `Changes of ${visible(path)}`}>
      <div
        className={`${classes.lines} ${layout === 'split' ? classes.split : ''}`}
        style={{ height: virtualizer.getTotalSize(), '--digits': digits } as CSSProperties}
      >
        {items.map(({ index, start }) => (
          <div
            key={index}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.place}
            data-current={index >= from && index < to ? true : undefined}
            style={{ transform: `translateY(${start}px)` }}
          >
            <OneRow row={rows[index] as Row} hunks={hunks} context={context} actionsOf={actionsOf} />
          </div>
        ))}
      </div>
      {after}
    </section>
  );
};

type OneRowProps = Pick<DiffLinesProps, 'hunks' | 'actionsOf'> & { readonly row: Row; readonly context: CodeContext };

const OneRow = memo(({ row, hunks, context, actionsOf }: OneRowProps) => {
  if (row.type === 'hunk') {
    const hunk = hunks[row.hunk] as DiffHunk;
    return (
      <div className={classes.hunk}>
        <h3 className={classes.range}>
          {hunkRange(hunk)} <span className={classes.section}>{visible(hunk.section)}</span>
          {row.isHidden && <span className={classes.section}>(whitespace alone)</span>}
        </h3>
        {actionsOf?.(hunk, { number: row.hunk, isWhole: row.isWhole })}
      </div>
    );
  }
  if (row.type === 'line') {
    const { line } = row;
    return (
      <div className={classes.row} data-kind={line.kind}>
        <span className={classes.number} data-number={line.old ?? ''} />
        <span className={classes.number} data-number={line.new ?? ''} />
        <span className={classes.text}>
          <Code line={line} context={context} />
        </span>
      </div>
    );
  }
  return (
    <div className={classes.row}>
      <Half line={row.left} number={row.left?.old} context={context} />
      <Half line={row.right} number={row.right?.new} context={context} />
    </div>
  );
});

const Half = ({ line, number, context }: { line: ShownLine | null; number: number | null | undefined; context: CodeContext }) => (
  <div className={classes.half} data-kind={line === null ? 'none' : line.kind}>
    <span className={classes.number} data-number={number ?? ''} />
    <span className={classes.text}>{line !== null && <Code line={line} context={context} />}</span>
  </div>
);

const lineIn = (row: Row): ShownLine | null => (row.type === 'line' ? row.line : row.type === 'pair' ? (row.right ?? row.left) : null);

const isAt = (row: Row, wanted: ShownLine | null): boolean => {
  const places = row.type === 'line' ? [row.line.place] : row.type === 'pair' ? [row.left?.place, row.right?.place] : [];
  return wanted !== null && places.includes(wanted.place);
};

const isChange = (row: Row | undefined): boolean =>
  row?.type === 'line'
    ? row.line.kind !== 'context'
    : row?.type === 'pair' && (row.left?.kind !== 'context' || row.right?.kind !== 'context');

/** Where a change ends that begins there; nobody sees more of it than that. */
const MOST_MARKED = 2000;
const endOf = (rows: readonly Row[], start: number): number => {
  let end = start;
  while (end >= 0 && end - start < MOST_MARKED && isChange(rows[end])) end++;
  return end;
};

const heightOf = (row: Row, room: number): number => {
  if (row.type === 'hunk') return HEADING_HEIGHT;
  const lines = row.type === 'line' ? [row.line] : [row.left, row.right];
  return LINE_HEIGHT * Math.max(1, ...lines.map((line) => Math.ceil((line?.line.text.length ?? 0) / room)));
};

/** Whether some lines end in CRLF and others do not; where all do, it is not worth telling. */
const hasSomeReturns = (hunks: readonly DiffHunk[]): boolean => {
  const isWith = (text: string): boolean => text.endsWith('\r');
  const isSome = hunks.some(({ lines }) => lines.some(({ text }) => isWith(text)));
  return isSome && hunks.some(({ lines }) => lines.some(({ text, noNewline }) => !isWith(text) && !noNewline));
};

const digitsOf = (hunks: readonly DiffHunk[]): number => {
  const { oldStart = 0, oldLines = 0, newStart = 0, newLines = 0 } = hunks.at(-1) ?? {};
  return Math.max(2, String(Math.max(oldStart + oldLines, newStart + newLines)).length);
};
