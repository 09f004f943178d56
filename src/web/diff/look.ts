import { type RefObject, useSyncExternalStore } from 'react';
import type { Layout } from './rows.ts';
import { useWidth } from './use-width.ts';

/** How differences are looked at, wherever on the page they are. */
export interface Look {
  readonly layout: Layout;
  readonly hidesWhitespace: boolean;
}

const KEPT = 'retake-diff-layout';

let look: Look = { layout: localStorage.getItem(KEPT) === 'split' ? 'split' : 'unified', hidesWhitespace: false };
const listeners = new Set<() => void>();

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The layout is remembered by the browser; that something is hidden is not. */
const setLook = (change: Partial<Look>): void => {
  look = { ...look, ...change };
  localStorage.setItem(KEPT, look.layout);
  for (const listener of listeners) listener();
};

/** Narrower than that, two sides beside each other are unreadable. */
const ROOM_FOR_TWO = 760;

/** How to look at it in a place of the page, where there may be no room for two sides. */
export const useLayout = (frame: RefObject<HTMLElement | null>) => {
  const wanted = useSyncExternalStore(listen, () => look);
  const hasRoom = (useWidth(frame) ?? 0) >= ROOM_FOR_TWO;
  const layout = hasRoom ? wanted.layout : 'unified';
  return { look: { ...wanted, layout } satisfies Look, hasRoom, setLook };
};
