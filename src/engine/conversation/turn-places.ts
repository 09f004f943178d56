import type { RecordedTurn } from '../../index/index.ts';
import { isCheckpoint, type MessageId, type Recorded, type SessionId } from '../../model/index.ts';
import type { Branch, ConversationTree } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type Conversations, readConversations } from './branches.ts';

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
export const readTurnPlaces = (
  workspace: Workspace,
  { tree }: Pick<Conversations, 'tree'> = readConversations(workspace),
): ((operation: Recorded) => TurnPlace | null) => {
  const places = remembered(placesByTree, tree, placesIn);
  const promptIds = remembered(promptIdsByTurns, workspace.index.turns(), promptIdsOf);
  return (operation) => {
    const event = isCheckpoint(operation) ? operation.event : undefined;
    const promptId = event === undefined ? null : (promptIds.get(nameOf(operation.session, event.turn)) ?? null);
    return promptId === null ? null : (places.get(promptId) ?? null);
  };
};

/** Made once of what is the same for one question after the other, as long as nothing was said or recorded. */
const remembered = <K extends object, V>(made: WeakMap<K, V>, from: K, make: (from: K) => V): V => {
  const known = made.get(from) ?? make(from);
  made.set(from, known);
  return known;
};

const placesByTree = new WeakMap<ConversationTree, ReadonlyMap<string, TurnPlace>>();
const promptIdsByTurns = new WeakMap<readonly RecordedTurn[], ReadonlyMap<string, string | null>>();

const promptIdsOf = (turns: readonly RecordedTurn[]): ReadonlyMap<string, string | null> =>
  new Map(turns.map(({ session, turn, promptId }) => [nameOf(session, turn), promptId]));

const nameOf = (session: SessionId, turn: number): string => `${session} ${turn}`;

/** Where all turns of a tree are, by the ids of their prompts. */
const placesIn = (tree: ConversationTree): ReadonlyMap<string, TurnPlace> => {
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
  return byPromptId;
};
