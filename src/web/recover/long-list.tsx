import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { List } from '../client/queries.ts';
import { useCommands } from '../shell/commands.tsx';
import classes from './long-list.module.css';

interface LongListProps<T> extends Pick<List<T>, 'hasMore' | 'isLoadingMore' | 'loadMore'> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, at: number) => string;
  /** What the list is of, for the help and for those who do not see it. */
  readonly noun: string;
  readonly label: string;
  readonly onOpen: (item: T) => void;
  /** How much at the bottom of the window something else covers. */
  readonly covered?: number;
  readonly children: (item: T, at: number) => ReactNode;
}

/** What of a row the keys lead to. */
export const ROW_FOCUS = { 'data-row-focus': '' } as const;

const ESTIMATE = 64;
/** More is asked for before the end is in sight. */
const AHEAD = 10;

const scroller = (): HTMLElement | null => document.getElementById('main');

/** A list of any length that scrolls with the page: only what is in sight is there, and more is read as it is looked at. j and k walk in it. */
export const LongList = <T,>({
  items,
  keyOf,
  noun,
  label,
  onOpen,
  hasMore,
  isLoadingMore,
  loadMore,
  covered = 0,
  children,
}: LongListProps<T>) => {
  const list = useRef<HTMLUListElement>(null);
  const margin = useMargin(list);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: scroller,
    estimateSize: () => ESTIMATE,
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingEnd: covered,
    getItemKey: (at) => keyOf(items[at] as T, at),
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const isNearEnd = hasMore && !isLoadingMore && last >= items.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) loadMore();
  }, [isNearEnd, loadMore]);

  const wanted = useRef<number>(undefined);
  const focusWanted = (): void => {
    const row = list.current?.querySelector<HTMLElement>(`:scope > li[data-index="${wanted.current}"] [data-row-focus]`);
    if (row === null || row === undefined) return;
    wanted.current = undefined;
    row.focus();
  };
  useEffect(() => {
    if (wanted.current !== undefined) focusWanted();
  });
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('li[data-index]');
    return row != null && list.current?.contains(row) ? Number(row.dataset.index) : -1;
  };
  const firstInSight = (): number => virtualizer.range?.startIndex ?? 0;
  const goTo = (at: number): void => {
    if (items.length === 0) return;
    wanted.current = Math.max(0, Math.min(at, items.length - 1));
    virtualizer.scrollToIndex(wanted.current);
    focusWanted();
  };
  /** Keys that come faster than rows are drawn go on from the row that is on its way. */
  const move = (by: number): void => {
    const from = wanted.current ?? focused();
    goTo(from < 0 ? firstInSight() : from + by);
  };
  const group = 'List';
  useCommands([
    { group, label: `Next ${noun}`, keys: 'j', onRun: () => move(1) },
    { group, label: `Previous ${noun}`, keys: 'k', onRun: () => move(-1) },
    {
      group,
      label: `Open the ${noun}`,
      keys: 'o',
      onRun: () => {
        const item = items[focused() < 0 ? firstInSight() : focused()];
        if (item !== undefined) onOpen(item);
      },
    },
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || focused() < 0 || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    move(by);
  };
  return (
    <ul ref={list} className={classes.list} aria-label={label} style={{ height: virtualizer.getTotalSize() }} onKeyDown={onKeyDown}>
      {rows.map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={classes.row}
          aria-setsize={hasMore ? -1 : items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {children(items[index] as T, index)}
        </li>
      ))}
    </ul>
  );
};

/** How far down in what scrolls the list begins, whatever comes and goes above it. */
const useMargin = (list: { readonly current: HTMLElement | null }): number => {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const outer = scroller();
      if (list.current === null || outer === null) return;
      setMargin(Math.round(list.current.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop));
    };
    measure();
    const above = list.current?.parentElement;
    const observer = new ResizeObserver(measure);
    if (above != null) observer.observe(above);
    return () => observer.disconnect();
  }, [list]);
  return margin;
};
