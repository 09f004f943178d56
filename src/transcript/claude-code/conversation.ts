import type { Message, MessageId } from '../../model/index.ts';
import type { Continuation, ContinuationRequest, ContinuationSource, Conversation, Folded } from '../format.ts';
import type { SourceLine } from '../line-reader.ts';
import { type Ancestry, ancestry } from './ancestry.ts';
import { Folding, type Node, type Nodes, toMessage } from './fold.ts';
import { type ChainLine, type FlatLine, parseLine } from './line.ts';
import { planContinuation } from './plan.ts';
import { writePlanned } from './write.ts';

/** The whole of a session file, understood. */
export interface Structure extends Ancestry, Nodes {
  readonly flat: readonly FlatLine[];
  /** The line that the agent goes on from. */
  readonly leaf: ChainLine | undefined;
}

/**
 * Lines are added as they come, and what they say together is known by then: a long session that grows by a line is not gone through
 * again. Only a line that changes what others follow (a compaction, a parent that was missing) makes all be looked at anew.
 */
export class ClaudeCodeConversation implements Conversation {
  readonly #lines: ChainLine[] = [];
  readonly #flat: FlatLine[] = [];
  readonly #ids = new Set<string>();
  #leaf: ChainLine | undefined;
  #tree = ancestry([]);
  #folding = new Folding();
  #messages: Message[] = [];
  #places = new Map<MessageId, number>();
  #isStale = false;

  add(source: SourceLine): string | null {
    const parsed = parseLine(source);
    switch (parsed.type) {
      case 'unreadable':
        return parsed.reason;
      case 'flat':
        this.#flat.push(parsed.line);
        return null;
      case 'chain':
        if (this.#ids.has(parsed.line.uuid)) return 'its id was there before';
        this.#take(parsed.line);
        return null;
    }
  }

  folded(): Folded {
    this.#understand();
    const messages = [...this.#messages];
    const places = this.#places;
    const [orphans, cycles] = [this.#tree.orphans(), this.#tree.cycles()];
    return {
      messages,
      find: (id) => messages[places.get(id) ?? -1],
      leaf: (this.#leaf && this.#folding.ownerOf.get(this.#leaf)?.id) ?? null,
      oddities: [
        ...(orphans > 0 ? [`${orphans} without the line they follow`] : []),
        ...(cycles > 0 ? [`${cycles} circles of lines that follow each other`] : []),
      ],
    };
  }

  writeContinuation(source: ContinuationSource, request: ContinuationRequest): Continuation | null {
    this.#understand();
    const { byId, ownerOf } = this.#folding;
    const plan = planContinuation({ ...this.#tree, byId, ownerOf, flat: this.#flat, leaf: this.#leaf }, request, source.path);
    return plan && writePlanned(source, request, plan);
  }

  #take(line: ChainLine): void {
    this.#ids.add(line.uuid);
    this.#lines.push(line);
    // A subagent's own file has nothing but a side chain; in others it is beside the conversation.
    if (!line.sideChain || this.#leaf === undefined || this.#leaf.sideChain) this.#leaf = line;
    this.#isStale ||= !this.#tree.extend(line);
    if (!this.#isStale) this.#folding.take(line, this.#tree.parentOf(line));
  }

  /** Brings messages up to date with the lines. */
  #understand(): void {
    if (this.#isStale) {
      this.#tree = ancestry(this.#lines);
      this.#folding = new Folding();
      for (const line of this.#tree.ordered) this.#folding.take(line, this.#tree.parentOf(line));
      this.#messages = [];
      this.#places = new Map();
      this.#isStale = false;
    }
    for (const node of inFileOrder(this.#folding.changes())) {
      const place = this.#places.get(node.id) ?? this.#messages.length;
      this.#places.set(node.id, place);
      this.#messages[place] = toMessage(node);
    }
  }
}

const inFileOrder = (nodes: ReadonlySet<Node>): Node[] => [...nodes].sort((a, b) => a.first.start - b.first.start);
