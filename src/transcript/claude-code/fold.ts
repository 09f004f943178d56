import type { Message, MessageId, MessageKind, ToolCall, ToolResult } from '../../model/index.ts';
import type { Ancestry } from './ancestry.ts';
import type { AskedCall, ChainLine } from './line.ts';

/** A message while its lines are gathered. */
export interface Node {
  readonly id: MessageId;
  readonly parent: Node | null;
  readonly role: Message['role'];
  readonly kind: MessageKind;
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
 * lines tie these together: what looks like many branches is one message after the other.
 */
export const fold = ({ ordered, parentOf }: Ancestry): Nodes => {
  const byId = new Map<MessageId, Node>();
  const ownerOf = new Map<ChainLine, Node>();
  const callers = new Map<string, Node>();

  const begin = (line: ChainLine, parent: Node | null, what: Pick<Node, 'role' | 'kind' | 'reply'>): Node => {
    const node: Node = {
      ...what,
      id: freeId(byId, what.reply, line.uuid),
      parent,
      first: line,
      promptId: line.promptId ?? parent?.promptId ?? null,
      texts: [],
      calls: new Map(),
      results: new Map(),
    };
    byId.set(node.id, node);
    return node;
  };

  const owner = (line: ChainLine, above: Node | null): Node | null => {
    const { says } = line;
    switch (says.type) {
      case 'message': {
        const node = begin(line, above, { role: says.role, kind: says.kind, reply: null });
        node.texts.push(says.text);
        return node;
      }
      case 'reply': {
        const node =
          sameReply(above, says.message) ??
          begin(line, above, { role: 'assistant', kind: says.stub ? 'notice' : 'reply', reply: says.message });
        if (says.text !== '') node.texts.push(says.text);
        for (const call of says.calls) {
          node.calls.set(call.id, call);
          callers.set(call.id, node);
        }
        return node;
      }
      case 'results': {
        const found = [...says.results].map(([id, result]) => {
          const caller = nearestCaller(above, id) ?? callers.get(id);
          if (caller !== undefined && !caller.results.has(id)) caller.results.set(id, result);
          return caller;
        });
        return found.find((caller) => caller !== undefined) ?? above;
      }
      case 'link':
        return above;
    }
  };

  for (const line of ordered) {
    const parent = parentOf(line);
    const node = owner(line, (parent && ownerOf.get(parent)) ?? null);
    if (node !== null) ownerOf.set(line, node);
  }
  return { byId, ownerOf };
};

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
  role: node.role,
  kind: node.kind,
  text: node.texts.join('\n'),
  calls: [...node.calls.values()].map((call): ToolCall => ({ ...call, result: node.results.get(call.id) ?? null })),
  at: node.first.at,
  promptId: node.promptId,
  agentId: node.first.agentId,
});
