import type { MessageId, OperationId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type Conversations, readConversations } from './branches.ts';
import { knownForks } from './forks.ts';

/** A fork that is at some place. */
export interface ForkPointMark {
  /** Its record; null while nobody has recorded it. */
  readonly fork: OperationId | null;
  /** In how many ways the conversation goes on from there. */
  readonly ways: number;
}

export interface ForkPoints {
  /** By the record of the code there, and those of the prompts where the ways part. */
  readonly byRecord: ReadonlyMap<OperationId, ForkPointMark>;
  /** By the prompts where the ways part. */
  readonly byPrompt: ReadonlyMap<MessageId, ForkPointMark>;
}

/** Where the forks of all conversations are (FRK-2). */
export const readForkPoints = (workspace: Workspace, conversations: Conversations = readConversations(workspace)): ForkPoints => {
  const byRecord = new Map<OperationId, ForkPointMark>();
  const byPrompt = new Map<MessageId, ForkPointMark>();
  const { tree, recorded } = conversations;
  for (const { id: fork, children, checkpoint } of workspace.isProtected ? knownForks(workspace, conversations) : []) {
    const mark = { fork, ways: children.length };
    for (const child of children) byPrompt.set(child, mark);
    const begins = children.map((child) => tree.branch(child)).map((branch) => branch && recorded?.begin(branch));
    for (const record of [checkpoint, ...begins]) if (record != null) byRecord.set(record, mark);
  }
  return { byRecord, byPrompt };
};
