import { useCallback, useEffect, useRef, useState } from 'react';

export interface Previewed<P> {
  /** The newest there is; while another is being made, the one before. */
  readonly proposal: P | undefined;
  readonly error: unknown;
  readonly isPlanning: boolean;
  readonly again: () => void;
}

/** Several clicks in a row are one wish. */
const SETTLE = 120;

const settled = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = window.setTimeout(resolve, SETTLE);
    signal.addEventListener('abort', () => window.clearTimeout(timer));
  });

/**
 * A plan for what is wanted now, which `key` tells. What is wanted otherwise meanwhile ends the making of it. It is never made anew by itself: a
 * person who is about to agree to it looks at the same plan for as long as they want.
 */
export const useProposal = <P>(key: string, preview: (signal: AbortSignal) => Promise<P>): Previewed<P> => {
  const [turn, setTurn] = useState(0);
  const [made, setMade] = useState<{ readonly wanted: string; readonly proposal: P | undefined; readonly error: unknown }>();
  const wanted = `${turn} ${key}`;
  const newest = useRef(preview);
  const isFirst = useRef(true);
  useEffect(() => {
    newest.current = preview;
  });
  useEffect(() => {
    const end = new AbortController();
    const make = async (): Promise<void> => {
      if (!isFirst.current) await settled(end.signal);
      isFirst.current = false;
      try {
        const proposal = await newest.current(end.signal);
        if (!end.signal.aborted) setMade({ wanted, proposal, error: undefined });
      } catch (error) {
        if (!end.signal.aborted) setMade({ wanted, proposal: undefined, error });
      }
    };
    void make();
    return () => end.abort();
  }, [wanted]);
  return {
    proposal: made?.proposal,
    error: made?.wanted === wanted ? made.error : undefined,
    isPlanning: made?.wanted !== wanted,
    again: useCallback(() => setTurn((before) => before + 1), []),
  };
};
