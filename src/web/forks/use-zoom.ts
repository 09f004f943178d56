import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { CARD, FAR, fittingScale, nextScale, type Point, type Size } from './geometry.ts';

export interface Zoom {
  /** The box that the drawing is moved in. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly scale: number;
  readonly zoom: (by: 1 | -1) => void;
  /** All of it, as far as it can be read then; what is looked at stays in sight. */
  readonly fit: () => void;
}

/** How large a drawing is shown, and which part of it. At first all of it, where that can be read, or `at`. */
export const useZoom = (drawing: Size, at: Point | undefined): Zoom => {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  /** What is to be in the middle once the new scale is on the screen. */
  const middle = useRef<Point>(undefined);
  const card = at && { x: at.x + CARD.width / 2, y: at.y + CARD.height / 2 };
  const show = (next: number, point: Point | undefined): void => {
    middle.current = point;
    if (next === scale) place(box.current, next, point);
    else setScale(next);
  };
  useLayoutEffect(() => place(box.current, scale, middle.current), [scale]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it comes on the screen; after that the person decides
  useLayoutEffect(() => {
    const all = fittingScale(sizeOf(box.current), drawing);
    show(all < FAR ? 1 : all, card);
  }, []);
  return {
    box,
    scale,
    zoom: (by) => show(nextScale(scale, by), middleOf(box.current, scale)),
    fit: () => show(fittingScale(sizeOf(box.current), drawing), card),
  };
};

const sizeOf = (box: HTMLElement | null): Size => ({ width: box?.clientWidth ?? 0, height: box?.clientHeight ?? 0 });

const middleOf = (box: HTMLElement | null, scale: number): Point | undefined =>
  box === null ? undefined : { x: (box.scrollLeft + box.clientWidth / 2) / scale, y: (box.scrollTop + box.clientHeight / 2) / scale };

const place = (box: HTMLElement | null, scale: number, point: Point | undefined): void => {
  if (box !== null && point !== undefined) box.scrollTo(point.x * scale - box.clientWidth / 2, point.y * scale - box.clientHeight / 2);
};
