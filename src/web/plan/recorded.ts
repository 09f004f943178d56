import { ApiError } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import type { CheckpointDetails } from '../client/types.ts';

/** What belongs to no agent's session. */
export const LOCAL = 'local';

/** The session that a record belongs to, which only its conversation tells; without one it is nobody's. */
export const sessionOf = async (workspace: string, checkpoint: string, signal: AbortSignal): Promise<string> => {
  try {
    return (await ask('getMessages', { params: { checkpoint }, query: { before: 0, after: 0 }, workspace, signal })).session;
  } catch (error) {
    if (error instanceof ApiError) return LOCAL;
    throw error;
  }
};

/** A record by its id alone. Undefined where it is gone, or whose it is can not be told any more. */
export const readRecord = async (workspace: string, checkpoint: string, signal: AbortSignal): Promise<CheckpointDetails | null> => {
  const session = await sessionOf(workspace, checkpoint, signal);
  try {
    return await ask('getCheckpoint', { params: { session, checkpoint }, workspace, signal });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
};
