import { isCheckpoint, type MessageId, type Recorded } from '../../model/index.ts';
import type { Branch } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';
import { readConversations } from './branches.ts';

/** Where in the tree of conversations a turn is. */
export interface TurnPlace {
  readonly branch: MessageId;
  /** Counted from the beginning of the conversation along its branch (CKP-6). */
  readonly number: number;
  /** The message of its prompt, its first line, and when it was said. */
  readonly prompt: MessageId;
  readonly title: string;
  readonly at: string | null;
}

/** Tells of records of agents' events which turn they belong to; null where the conversation is gone or does not tell. */
export const readTurnPlaces = (workspace: Workspace): ((operation: Recorded) => TurnPlace | null) => {
  const { tree } = readConversations(workspace);
  const byPromptId = new Map<string, TurnPlace>();
  const open: { branch: Branch; before: number }[] = tree.roots.map((branch) => ({ branch, before: 0 }));
  for (const { branch, before } of open) {
    for (const [order, { id, promptIds, title, at }] of branch.turns.entries()) {
      const place = { branch: branch.id, number: before + order + 1, prompt: id, title, at };
      for (const promptId of promptIds) byPromptId.set(promptId, place);
    }
    // One that leaves in the middle begins after fewer turns.
    for (const child of branch.children) {
      const left = branch.turns.findIndex(({ id }) => id === tree.turnBefore(child));
      open.push({ branch: child, before: before + (left < 0 ? branch.turns.length : left + 1) });
    }
  }
  const promptIds = new Map(workspace.index.turns().map(({ session, turn, promptId }) => [`${session} ${turn}`, promptId]));
  return (operation) => {
    const event = isCheckpoint(operation) ? operation.event : undefined;
    const promptId = event === undefined ? null : (promptIds.get(`${operation.session} ${event.turn}`) ?? null);
    return promptId === null ? null : (byPromptId.get(promptId) ?? null);
  };
};
