import type { Continuation, ContinuationRequest, ContinuationSource, Conversation, Folded } from '../format.ts';
import type { SourceLine } from '../line-reader.ts';
import { type Ancestry, ancestry } from './ancestry.ts';
import { fold, type Nodes, toMessage } from './fold.ts';
import { type ChainLine, type FlatLine, parseLine } from './line.ts';
import { planContinuation } from './plan.ts';
import { writePlanned } from './write.ts';

/** The whole of a session file, understood. */
export interface Structure extends Ancestry, Nodes {
  readonly flat: readonly FlatLine[];
  /** The line that the agent goes on from. */
  readonly leaf: ChainLine | undefined;
}

export class ClaudeCodeConversation implements Conversation {
  readonly #lines: ChainLine[] = [];
  readonly #flat: FlatLine[] = [];
  readonly #ids = new Set<string>();
  #structure: Structure | undefined;

  add(source: SourceLine): string | null {
    const parsed = parseLine(source);
    this.#structure = undefined;
    switch (parsed.type) {
      case 'unreadable':
        return parsed.reason;
      case 'flat':
        this.#flat.push(parsed.line);
        return null;
      case 'chain':
        if (this.#ids.has(parsed.line.uuid)) return 'its id was there before';
        this.#ids.add(parsed.line.uuid);
        this.#lines.push(parsed.line);
        return null;
    }
  }

  folded(): Folded {
    const structure = this.#understand();
    const { leaf, orphans, cycles } = structure;
    return {
      messages: [...structure.byId.values()].sort((a, b) => a.first.start - b.first.start).map(toMessage),
      leaf: (leaf && structure.ownerOf.get(leaf)?.id) ?? null,
      oddities: [
        ...(orphans > 0 ? [`${orphans} without the line they follow`] : []),
        ...(cycles > 0 ? [`${cycles} circles of lines that follow each other`] : []),
      ],
    };
  }

  writeContinuation(source: ContinuationSource, request: ContinuationRequest): Continuation | null {
    const plan = planContinuation(this.#understand(), request, source.path);
    return plan && writePlanned(source, request.session, plan);
  }

  #understand(): Structure {
    if (this.#structure === undefined) {
      const tree = ancestry(this.#lines);
      // A subagent's own file has nothing but a side chain.
      const leaf = this.#lines.findLast((line) => !line.sideChain) ?? this.#lines.at(-1);
      this.#structure = { ...tree, ...fold(tree), flat: this.#flat, leaf };
    }
    return this.#structure;
  }
}
