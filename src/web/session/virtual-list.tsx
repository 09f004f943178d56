import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import classes from './virtual-list.module.css';

export interface ListHandle {
  readonly scrollTo: (at: number) => void;
}

interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly render: (item: T, at: number) => ReactNode;
  /** About how high one is, in pixels. */
  readonly estimate: number;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
  readonly handle?: Ref<ListHandle>;
  /** After the last one. */
  readonly end?: ReactNode;
}

/** As many rows are near enough to the end that more are wanted. */
const NEAR = 50;

/** A long list of which only what is in sight is drawn. */
export const VirtualList = <T,>({ label, items, keyOf, render, estimate, hasMore, onNearEnd, handle, end }: VirtualListProps<T>) => {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (at) => {
      const item = items[at];
      return item === undefined ? at : keyOf(item);
    },
    overscan: 8,
  });
  useImperativeHandle(handle, () => ({ scrollTo: (at) => virtualizer.scrollToIndex(at, { align: 'start' }) }), [virtualizer]);
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isNear = hasMore && last >= items.length - NEAR;
  useEffect(() => {
    if (isNear) onNearEnd();
  }, [isNear, onNearEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={classes.box} ref={box} tabIndex={0} aria-label={label}>
      <ol className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.item}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {item !== undefined && render(item, index)}
            </li>
          );
        })}
      </ol>
      {end}
    </section>
  );
};
