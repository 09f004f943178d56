import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ServerEvent } from '../../api/index.ts';
import { ask } from './ask.ts';
import { follow } from './follow.ts';
import { askAgainForKnown } from './keys.ts';
import { useWorkspaceId } from './workspace.tsx';

type Listener = (event: ServerEvent) => void;

interface Live {
  /** Whether news are heard of right now. */
  readonly isLive: boolean;
  readonly listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live>({ isLive: false, listen: () => () => {} });

/** Hears what happens in the workspace, so that what is shown of it is as it is. */
export const LiveProvider = ({ children }: { children: ReactNode }) => {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const listeners = useRef(new Set<Listener>());
  const [isLive, setLive] = useState(false);
  // Views ask in effects, which come after this: where the log is has to be asked before them, so that all that comes later is told.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (event: ServerEvent): void => {
      for (const listener of listeners.current) listener(event);
    };
    // Who was here before did not listen since.
    void askAgainForKnown(client, workspace);
    void ask('getPosition', { workspace, signal })
      .catch(() => undefined)
      .then((position) => {
        if (signal.aborted) return;
        // What was answered sooner may be from before that. Without a position, a `hello` says so.
        if (position !== undefined) void askAgainForKnown(client, workspace);
        follow({ workspace, after: position?.after, tell, setLive, signal });
      });
    return () => leaving.abort();
  }, [client, workspace]);
  const [listen] = useState(() => (listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  });
  return <LiveContext value={{ isLive, listen }}>{children}</LiveContext>;
};

export const useIsLive = (): boolean => useContext(LiveContext).isLive;

/** Calls with each event for as long as the view is there. */
export const useEvents = (listener: Listener): void => {
  const { listen } = useContext(LiveContext);
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(() => listen((event) => newest.current(event)), [listen]);
};
