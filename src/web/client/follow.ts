import type { ServerEvent } from '../../api/index.ts';
import { addressOf } from './ask.ts';

const EVENTS = ['hello', 'reset', 'operation', 'fork', 'session-started', 'session-ended', 'progress'] as const;

/** Milliseconds until we come again after having been refused, and at most, as each refusal doubles them. */
const SOON = 1000;
const LATE = 60_000;

interface Following {
  readonly workspace: string;
  /** The id of the event to go on after; without one it begins with now, which is told by a `hello`. */
  readonly after: string | undefined;
  readonly tell: (event: ServerEvent) => void;
  readonly setLive: (isLive: boolean) => void;
  readonly signal: AbortSignal;
}

/**
 * Hears of every event after the one that was heard of last, until the signal: a browser comes again by itself when it is cut off, and here when
 * it is refused. A page that nobody looks at does not listen: a browser has only some connections for all of them, and the others could not ask
 * for anything any more. It is told what it missed when it is looked at again.
 */
export const follow = ({ workspace, after, tell, setLive, signal }: Following): void => {
  let last = after;
  let wait = SOON;
  let timer = 0;
  let source: EventSource | undefined;
  const open = (): void => {
    const opened = new EventSource(addressOf('followEvents', { workspace, query: { after: last } }));
    source = opened;
    for (const name of EVENTS)
      opened.addEventListener(name, ({ data, lastEventId }) => {
        if (lastEventId !== '') last = lastEventId;
        tell({ event: name, data: JSON.parse(data) } as ServerEvent);
      });
    opened.onopen = () => {
      wait = SOON;
      setLive(true);
    };
    opened.onerror = () => {
      setLive(false);
      if (opened.readyState !== EventSource.CLOSED) return;
      close();
      timer = window.setTimeout(open, wait);
      wait = Math.min(wait * 2, LATE);
    };
  };
  const close = (): void => {
    window.clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const look = (): void => {
    if (document.hidden) close();
    else if (source === undefined) {
      close();
      open();
    }
  };
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', close);
  look();
};
