import { useSyncExternalStore } from 'react';
import { absoluteTime, relativeTime } from './words.ts';

const MINUTE = 60_000;

/** One clock for all times that are shown, however many: it goes while there is one. */
const shown = new Set<() => void>();
let timer = 0;

const follow = (onMinute: () => void): (() => void) => {
  if (shown.size === 0) timer = window.setInterval(() => shown.forEach((tell) => void tell()), MINUTE);
  shown.add(onMinute);
  return () => {
    shown.delete(onMinute);
    if (shown.size === 0) window.clearInterval(timer);
  };
};

/** When something was, told from now; the exact time when it is pointed at. */
export const Time = ({ at }: { at: string }) => {
  const told = useSyncExternalStore(follow, () => relativeTime(at));
  return (
    <time dateTime={at} title={absoluteTime(at)}>
      {told}
    </time>
  );
};
