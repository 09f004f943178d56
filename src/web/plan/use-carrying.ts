import { useState } from 'react';
import type { ServerEvent } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { useEvents } from '../client/live.tsx';

export type JobProgress = Extract<ServerEvent, { event: 'progress' }>['data']['progress'];

/** Work under way that can be followed and ended. */
export interface Carrying {
  readonly job: string;
  readonly progress: JobProgress;
  readonly isCancelling: boolean;
}

export const newJob = (): string => crypto.randomUUID();

/** How far a job is, by what the server tells of it. */
export const useProgress = (job: string | undefined): JobProgress => {
  const [told, setTold] = useState<{ readonly job: string; readonly progress: JobProgress }>();
  useEvents(({ event, data }) => {
    if (event === 'progress' && data.id === job) setTold({ job: data.id, progress: data.progress });
  });
  return told !== undefined && told.job === job ? told.progress : null;
};

/** One piece of work at a time: asked for by a request that is answered when it is over. */
export const useCarrying = () => {
  const [running, setRunning] = useState<Omit<Carrying, 'progress'>>();
  const progress = useProgress(running?.job);
  const carry = async <T>(work: (job: string) => Promise<T>): Promise<T> => {
    const job = newJob();
    setRunning({ job, isCancelling: false });
    try {
      return await work(job);
    } finally {
      setRunning(undefined);
    }
  };
  const cancel = async (): Promise<void> => {
    if (running === undefined) return;
    setRunning({ ...running, isCancelling: true });
    // Where it can not be asked any more, it is over: its own request tells how.
    await ask('cancelJob', { params: { job: running.job } }).catch(() => undefined);
  };
  return { carrying: running && { ...running, progress }, carry, cancel: () => void cancel() };
};
