import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { ServerEvent } from '../../api/index.ts';
import { useWorkspaceId } from './workspace.tsx';

type Listener = (event: ServerEvent) => void;

interface Live {
  /** Whether news are heard of right now. */
  readonly isLive: boolean;
  readonly listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live>({ isLive: false, listen: () => () => {} });

const EVENTS = ['hello', 'reset', 'operation', 'fork', 'session-started', 'session-ended', 'progress'] as const;

/** Hears what happens in the workspace; a browser that is cut off comes again by itself and is told what it missed. */
export const LiveProvider = ({ children }: { children: ReactNode }) => {
  const workspace = useWorkspaceId();
  const listeners = useRef(new Set<Listener>());
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const source = new EventSource(`/api/events?workspace=${encodeURIComponent(workspace)}`);
    for (const name of EVENTS)
      source.addEventListener(name, (message) => {
        const event = { event: name, data: JSON.parse(message.data) } as ServerEvent;
        for (const listener of listeners.current) listener(event);
      });
    source.onopen = () => setLive(true);
    source.onerror = () => setLive(false);
    return () => source.close();
  }, [workspace]);
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
