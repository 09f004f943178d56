import { useEffect, useState } from 'react';
import { absoluteTime, relativeTime } from './words.ts';

const MINUTE = 60_000;

/** When something was, told from now; the exact time when it is pointed at. */
export const Time = ({ at }: { at: string }) => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => tick((turn) => turn + 1), MINUTE);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={absoluteTime(at)}>
      {relativeTime(at)}
    </time>
  );
};
