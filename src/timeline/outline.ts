import type { Message, MessageId, SessionId } from '../model/index.ts';
import { beginsTurn } from './turns.ts';

/**
 * One session's conversation, reduced to what forks are told from: the prompts that begin a turn and where each goes out from. Plain
 * data that can be kept; ids are those of the originals, as far as the file itself tells.
 */
export interface Outline {
  readonly agent: string;
  readonly session: SessionId;
  /** In the order of the file. */
  readonly prompts: readonly OutlinedPrompt[];
  /** The compactions with something above them in this file; others may have the summary without it. */
  readonly summaries: readonly OutlinedSummary[];
  /** Messages that have another id here than in the session they were copied from: [here, there]. */
  readonly copies: readonly (readonly [MessageId, MessageId])[];
  /** The turn that the active branch ends in. */
  readonly leaf: MessageId | null;
  readonly startedAt: string | null;
  readonly lastAt: string | null;
}

/** A place in a conversation: right behind some message. */
export interface Spot {
  /** The nearest prompt or reply above; null at the beginning. Notices and summaries are passed over. */
  readonly anchor: MessageId | null;
  /** The prompt whose turn the anchor is in. */
  readonly parent: MessageId | null;
  /** How many replies of that turn there are up to the anchor. */
  readonly place: number;
  /** Where nothing else is above: the summary that stands for what was. */
  readonly summary: MessageId | null;
  /** There is no anchor because what was above is missing. */
  readonly isOrphan: boolean;
}

export interface OutlinedPrompt extends Spot {
  readonly id: MessageId;
  /** As the agent's hooks name it. None where the file can't tell: a copied session may give all its prompts the same. */
  readonly promptId: string | null;
  readonly title: string;
  readonly at: string | null;
  readonly isHandOver: boolean;
  /** The file shows that it was copied here from another one. */
  readonly isCopy: boolean;
  /** How many messages its turn has, itself included. */
  readonly messages: number;
  readonly tools: number;
  /** How many replies lead to the turn's last one. */
  readonly replies: number;
  readonly last: LastMessage;
}

interface OutlinedSummary extends Spot {
  readonly id: MessageId;
}

export interface LastMessage {
  readonly message: MessageId;
  readonly at: string | null;
}

/** `leaf` is the last message of the active branch. */
export const outlineOf = (
  { agent, session }: { readonly agent: string; readonly session: SessionId },
  messages: readonly Message[],
  leaf: MessageId | null,
): Outline => {
  const standings = standingsOf(messages.filter(({ agentId }) => agentId === null));
  const inOrder = [...standings.values()].sort((a, b) => a.order - b.order);
  const beginnings = inOrder.filter(({ message, turn }) => turn === message);
  const turns = new Map(beginnings.map((standing) => [standing.message, newTurn(standing)]));
  for (const { message, turn, after } of inOrder) {
    const count = turn === null ? undefined : turns.get(turn);
    if (count === undefined) continue;
    count.messages++;
    count.tools += message.calls.length;
    if (message.kind === 'reply') count.replies = after.place;
    count.last = { message: message.id, at: message.at };
  }
  const named = new Map(beginnings.map(({ message }) => [message.promptId, message]));
  const end = leaf === null ? undefined : standings.get(leaf)?.turn;
  const times = inOrder.flatMap(({ message }) => message.at ?? []);
  return {
    agent,
    session,
    prompts: beginnings.map(({ message, before }) => {
      // Where several have the same id, it is that of the last: the others were copied when that one was sent.
      const isNamed = named.get(message.promptId) === message;
      return {
        id: originalId(message),
        ...before,
        promptId: isNamed ? message.promptId : null,
        title: titleOf(message.text),
        at: message.at,
        isHandOver: message.isHandOver,
        isCopy: message.copyOf !== null || (message.promptId !== null && !isNamed),
        ...(turns.get(message) as TurnCount),
      };
    }),
    summaries: inOrder
      .filter(({ message, before }) => message.kind === 'summary' && before.anchor !== null)
      .map(({ message, before }) => ({ id: originalId(message), ...before })),
    copies: inOrder.flatMap(({ message }) => {
      const there = originalId(message);
      return message.kind === 'notice' || there === message.id ? [] : [[message.id, there] as const];
    }),
    leaf: end == null ? null : originalId(end),
    startedAt: times.reduce<string | null>((least, at) => (least === null || at < least ? at : least), null),
    lastAt: times.reduce<string | null>((most, at) => (most === null || at > most ? at : most), null),
  };
};

/** What was said from a prompt up to the next ones, in the order of the file. The prompt may be named by its id in the session it was copied from. */
export const saidInTurn = (messages: readonly Message[], prompt: MessageId): Message[] =>
  [...standingsOf(messages).values()]
    .filter(({ turn }) => turn !== null && (turn.id === prompt || originalId(turn) === prompt))
    .sort((a, b) => a.order - b.order)
    .map(({ message }) => message);

type TurnCount = { -readonly [Key in 'messages' | 'tools' | 'replies' | 'last']: OutlinedPrompt[Key] };

const newTurn = ({ message: { id, at } }: MessagePlace): TurnCount => ({ messages: 0, tools: 0, replies: 0, last: { message: id, at } });

const originalId = ({ id, copyOf }: Message): MessageId => copyOf ?? id;

const LONGEST_TITLE = 120;

const titleOf = (text: string): string =>
  (text.trim().split('\n', 1)[0] ?? '')
    .slice(0, LONGEST_TITLE)
    // Not half of a character.
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();

/** A message, the place it was said at and the place behind it. */
interface MessagePlace {
  readonly message: Message;
  /** In the file. */
  readonly order: number;
  readonly before: Spot;
  readonly after: Spot;
  /** The prompt that began the turn it is in. */
  readonly turn: Message | null;
}

/** Parents may stand below their children in the file, and hostile ones in a circle. */
const standingsOf = (messages: readonly Message[]): Map<MessageId, MessagePlace> => {
  const places = new Map<MessageId, number>();
  for (const [order, { id }] of messages.entries()) if (!places.has(id)) places.set(id, order);
  const standings = new Map<MessageId, MessagePlace>();
  const climbed = new Set<number>();
  for (const first of places.values()) {
    climbed.clear();
    for (let order: number | undefined = first; order !== undefined && !climbed.has(order); ) {
      const { id, parent } = messages[order] as Message;
      if (standings.has(id)) break;
      climbed.add(order);
      order = parent === null ? undefined : places.get(parent);
    }
    for (const order of [...climbed].reverse()) {
      const message = messages[order] as Message;
      standings.set(message.id, standing(message, order, message.parent === null ? undefined : standings.get(message.parent)));
    }
  }
  return standings;
};

const standing = (message: Message, order: number, above: MessagePlace | undefined): MessagePlace => {
  const isOrphan = message.isOrphan || message.parent !== null;
  const before: Spot = above?.after ?? { anchor: null, parent: null, place: 0, summary: null, isOrphan };
  const turn = beginsTurn(message) ? message : (above?.turn ?? null);
  return { message, order, before, after: spotAfter(message, before, turn), turn };
};

const spotAfter = (message: Message, before: Spot, turn: Message | null): Spot => {
  const id = originalId(message);
  switch (message.kind) {
    case 'notice':
      return before;
    case 'summary':
      return before.anchor === null ? { ...before, summary: id, isOrphan: false } : before;
    case 'reply':
    case 'prompt': {
      const place = turn === message ? 0 : before.place + (message.kind === 'reply' ? 1 : 0);
      return { anchor: id, parent: turn && originalId(turn), place, summary: null, isOrphan: false };
    }
  }
};
