import type { MessageId, OperationId, SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { readConversations } from './branches.ts';

/** Where a session stands. */
export interface SessionPlace {
  /** The branch of the conversation that it is on, by its first prompt. */
  readonly branch: MessageId | null;
  /** How many places of it were continued in several ways. */
  readonly forks: number;
  /** The newest record of the workspace's content that belongs to it. */
  readonly checkpoint: OperationId | null;
}

/** Tells of each session where it stands. */
export const readSessionPlaces = (workspace: Workspace): ((session: SessionId) => SessionPlace) => {
  const { tree } = readConversations(workspace);
  const forks = new Map<SessionId, number>();
  for (const { sessions } of tree.forks) for (const session of sessions) forks.set(session, (forks.get(session) ?? 0) + 1);
  return (session) => ({
    branch: tree.current(session)?.id ?? null,
    forks: forks.get(session) ?? 0,
    checkpoint: workspace.isProtected ? (workspace.index.newestCheckpointOf(session)?.id ?? null) : null,
  });
};
