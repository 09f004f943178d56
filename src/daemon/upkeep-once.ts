import { lookAfter, Workspace } from '../engine/index.ts';
import { yieldToOthers } from '../host/index.ts';
import type { Log } from './log.ts';

/** Looks after the store of one workspace, and gives way to everybody. */
export const lookAfterOnce = async (directory: string, log: Log): Promise<void> => {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort());
  yieldToOthers();
  const workspace = await Workspace.open({ directory });
  try {
    const { extent, before, after, damaged } = await lookAfter(workspace, { signal: ending.signal });
    const told =
      extent === 'nothing' ? 'nothing to do' : `${before.files} files of ${before.bytes} bytes became ${after.files} of ${after.bytes}`;
    log(`the store of ${directory}: ${told}${damaged === 0 ? '' : `; ${damaged} objects can not be read`}`);
  } finally {
    workspace.close();
  }
};
