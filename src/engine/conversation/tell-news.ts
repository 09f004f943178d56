import { join } from 'node:path';
import type { AgentEvent, SessionId } from '../../model/index.ts';
import { isObject, readList, writeList } from '../core/list-file.ts';
import type { Workspace } from '../core/workspace.ts';
import { newsSince } from './news.ts';

/** Up to where an agent of a session knows what was rolled back. */
interface Told {
  readonly session: SessionId;
  /** Absent for the session's own agent. Each reads what its own events are answered with. */
  readonly agentId?: string;
  readonly sequence: number;
}

/** More than are at work at once. */
const MOST = 1000;

/**
 * What the agent of an event is to be told with the answer to it, which it is told once: with its next tool event or prompt, whichever comes
 * first. Where nobody hears the answer, it counts as not told. Needs the lock.
 */
export const tellNews = (workspace: Workspace, event: AgentEvent, isUnheard: boolean): string | null => {
  const { kind, session, place } = event;
  const { agentId } = place;
  if (!workspace.settings['agent.tellRewinds'] || (kind !== 'prompt' && kind !== 'before-step' && kind !== 'after-step')) return null;
  const { index } = workspace;
  const path = join(workspace.data, 'told-rewinds.json');
  const list = readList<Told>(path, isObject);
  const own = list.find((one) => one.session === session && one.agentId === agentId);
  const newest = index.newestRollback()?.sequence ?? 0;
  // A subagent knows the files from when it was first heard of.
  const since = Math.max(own?.sequence ?? -1, agentId === undefined ? (index.newestPromptTold(session)?.sequence ?? -1) : -1);
  const note = (sequence: number): void => {
    const told: Told = { session, ...(agentId === undefined ? {} : { agentId }), sequence };
    writeList(path, [...list.filter((one) => one !== own), told].slice(-MOST));
  };
  if (since < 0) {
    if (agentId !== undefined) note(newest);
    return null;
  }
  if (newest <= since) return null;
  const news = newsSince(workspace, since);
  // A prompt's own record tells that it was told.
  if (kind !== 'prompt' && !isUnheard) note(newest);
  return news;
};
