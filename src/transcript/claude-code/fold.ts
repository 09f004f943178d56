import type { Message, MessageId, MessageKind, ToolCall, ToolResult } from '../../model/index.ts';
import type { AskedCall, ChainLine } from './line.ts';

/** A message while its lines are gathered. */
export interface Node {
  readonly id: MessageId;
  readonly parent: Node | null;
  readonly isOrphan: boolean;
  readonly role: Message['role'];
  readonly kind: MessageKind;
  readonly isAdded: boolean;
  readonly isHandOver: boolean;
  readonly first: ChainLine;
  readonly promptId: string | null;
  /** The model's id of a reply. */
  readonly reply: string | null;
  readonly texts: string[];
  readonly calls: Map<string, AskedCall>;
  readonly results: Map<string, ToolResult>;
}

export interface Nodes {
  readonly byId: ReadonlyMap<MessageId, Node>;
  /** The message a line is part of; for a line that is part of none, the nearest one above it. */
  readonly ownerOf: ReadonlyMap<ChainLine, Node>;
}

/**
 * Lines become messages. A reply is written as one line per block, with the results of its calls in between or beside it, and other
 * lines tie these together: what looks like many branches is one message after the other. Parents must be taken before children.
 */
export class Folding implements Nodes {
  readonly byId = new Map<MessageId, Node>();
  readonly ownerOf = new Map<ChainLine, Node>();
  readonly #callers = new Map<string, Node>();
  /** Lines without a message above them that don't begin the conversation: what they follow is missing. */
  readonly #orphans = new Set<ChainLine>();
  #changed = new Set<Node>();

  take(line: ChainLine, parent: ChainLine | undefined): void {
    const above = (parent && this.ownerOf.get(parent)) ?? null;
    if (above === null && (parent === undefined ? line.parent !== null : this.#orphans.has(parent))) this.#orphans.add(line);
    const node = this.#ownerOf(line, above);
    if (node !== null) this.ownerOf.set(line, node);
  }

  /** The nodes that are new or have more to say than when this was last asked. */
  changes(): ReadonlySet<Node> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #ownerOf(line: ChainLine, above: Node | null): Node | null {
    const { says } = line;
    switch (says.type) {
      case 'message': {
        const { role, kind, isAdded = false, isHandOver = false } = says;
        const node = this.#begin(line, above, { role, kind, isAdded, isHandOver, reply: null });
        node.texts.push(says.text);
        return node;
      }
      case 'reply': {
        const kind = says.stub ? 'notice' : 'reply';
        const what = { role: 'assistant', kind, isAdded: false, isHandOver: false, reply: says.message } as const;
        const node = sameReply(above, says.message) ?? this.#begin(line, above, what);
        if (says.text !== '') node.texts.push(says.text);
        for (const call of says.calls) {
          node.calls.set(call.id, call);
          this.#callers.set(call.id, node);
        }
        this.#changed.add(node);
        return node;
      }
      case 'results': {
        const callers = [...says.results].map(([id, result]) => this.#answer(above, id, result));
        return callers.find((caller) => caller !== undefined) ?? above;
      }
      case 'link':
        return above;
    }
  }

  #begin(line: ChainLine, parent: Node | null, what: Pick<Node, 'role' | 'kind' | 'isAdded' | 'isHandOver' | 'reply'>): Node {
    const node: Node = {
      ...what,
      id: freeId(this.byId, what.reply, line.uuid),
      parent,
      isOrphan: this.#orphans.has(line),
      first: line,
      promptId: line.promptId ?? parent?.promptId ?? null,
      texts: [],
      calls: new Map(),
      results: new Map(),
    };
    this.byId.set(node.id, node);
    this.#changed.add(node);
    return node;
  }

  #answer(above: Node | null, call: string, result: ToolResult): Node | undefined {
    const caller = nearestCaller(above, call) ?? this.#callers.get(call);
    if (caller === undefined || caller.results.has(call)) return caller;
    caller.results.set(call, result);
    this.#changed.add(caller);
    return caller;
  }
}

/** Notices may stand between the lines of one reply. Anything else between them makes it another reply, whatever its id. */
const sameReply = (above: Node | null, reply: string): Node | undefined => {
  let node = above;
  while (node !== null && node.kind === 'notice' && node.reply === null) node = node.parent;
  return node?.reply === reply ? node : undefined;
};

/** Ids of calls are unique to the model, but not to everything that plays one. */
const nearestCaller = (above: Node | null, call: string): Node | undefined => {
  let node = above;
  while (node !== null && node.kind === 'notice') node = node.parent;
  return node?.calls.has(call) ? node : undefined;
};

const freeId = (taken: ReadonlyMap<MessageId, Node>, reply: string | null, uuid: string): MessageId => {
  for (const id of [reply, uuid]) if (id !== null && !taken.has(id as MessageId)) return id as MessageId;
  let count = 2;
  while (taken.has(`${uuid}#${count}` as MessageId)) count++;
  return `${uuid}#${count}` as MessageId;
};

export const toMessage = (node: Node): Message => ({
  id: node.id,
  parent: node.parent?.id ?? null,
  isOrphan: node.isOrphan,
  copyOf: originalOf(node),
  role: node.role,
  kind: node.kind,
  isAdded: node.isAdded,
  isHandOver: node.isHandOver,
  text: node.texts.join('\n'),
  calls: [...node.calls.values()].map((call): ToolCall => ({ ...call, result: node.results.get(call.id) ?? null })),
  at: node.first.at,
  promptId: node.promptId,
  agentId: node.first.agentId,
});

/** Copies of a reply share the model's id; other messages are called by their line's, which a copy may keep or not. */
const originalOf = ({ id, reply, first }: Node): MessageId | null => {
  if (first.copyOf === null) return null;
  return id === reply && id !== first.uuid ? id : (first.copyOf as MessageId);
};
