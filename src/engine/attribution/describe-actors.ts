import type { OperationId, Recorded, SessionId } from '../../model/index.ts';
import type { Actor } from '../../timeline/index.ts';
import { readTurnNumbers } from '../conversation/turn-numbers.ts';
import type { Workspace } from '../core/workspace.ts';

/** A step as people are told of it. */
export interface DescribedActor {
  readonly id: OperationId;
  readonly description: string;
  readonly tool: string | null;
  /** Counted along the branch of its conversation, as everywhere. */
  readonly turn: number | null;
  /** The first line; null where it was not recorded. */
  readonly prompt: string | null;
  readonly session: SessionId;
  readonly agent: string;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly createdAt: string;
}

/** Tells of steps what they were asked for by. `operations` has their records. */
export const describeActors = (workspace: Workspace, operations: readonly Recorded[]): ((actor: Actor) => DescribedActor) => {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const prompts = new Map(
    workspace.index.prompts().map(({ session, event, description }) => [`${session} ${event?.turn}`, description] as const),
  );
  const numberOf = readTurnNumbers(workspace);
  return ({ id, description, tool, turn, session, agent, agentId, agentType }) => {
    const record = byId.get(id);
    return {
      id,
      description,
      tool,
      turn: record === undefined ? turn : numberOf(record),
      prompt: prompts.get(`${session} ${turn}`) ?? null,
      session,
      agent,
      agentId,
      agentType,
      createdAt: record?.createdAt ?? '',
    };
  };
};
