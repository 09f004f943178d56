import { RetakeError } from '../model/index.ts';

export const interrupted = (): RetakeError =>
  new RetakeError('interrupted', 'Ended before it was done', { hint: 'Nothing is lost, and nothing needs cleaning up.' });

/** For work that goes on for long without a process that could be ended. */
export const refuseIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw interrupted();
};
