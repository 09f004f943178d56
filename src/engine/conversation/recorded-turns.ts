import type { RecordedTurn } from '../../index/index.ts';
import type { MessageId, OperationId, Recorded, Rollback, SessionId } from '../../model/index.ts';
import type { Branch, ConversationTree, Turn } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** The newest record of the code on a turn. */
interface Tip {
  readonly id: OperationId;
  readonly sequence: number;
}

/** What was recorded of the turns of all conversations: ties the tree of what was said to the states of the code. */
export class RecordedTurns {
  readonly #byPromptId = new Map<string, RecordedTurn>();
  readonly #bySession: Map<SessionId, RecordedTurn[]>;
  readonly #tips = new Map<MessageId, Tip>();

  constructor({ index }: Workspace, tree: ConversationTree, branches: readonly Branch[]) {
    const recorded = index.turns();
    for (const turn of recorded) if (turn.promptId !== null) this.#byPromptId.set(turn.promptId, turn);
    this.#bySession = Map.groupBy(recorded, ({ session }) => session);
    const rollbacks = [null, ...index.importedLines()].flatMap((line) =>
      index.rollbacks(line).map(({ operation }) => operation as Recorded<Rollback>),
    );
    if (recorded.length === 0) return;
    const turnIds = new Map<string, MessageId>();
    for (const turn of branches.flatMap(({ turns }) => turns)) {
      for (const promptId of turn.promptIds) turnIds.set(promptId, turn.id);
      const { last, lastSequence = 0 } = this.of(turn) ?? {};
      if (last != null) this.#note(turn.id, { id: last, sequence: lastSequence });
    }
    for (const { conversation, outcome, safety, sequence } of rollbacks) {
      if (conversation?.from == null || outcome === 'taken-back') continue;
      const { promptId } = this.#lastBefore(conversation.from, sequence) ?? {};
      const left = (promptId == null ? undefined : turnIds.get(promptId)) ?? tree.lastTurn(conversation.from);
      if (left !== undefined) this.#note(left, { id: safety, sequence });
    }
  }

  of({ promptIds }: Turn): RecordedTurn | undefined {
    for (const promptId of promptIds) {
      const recorded = this.#byPromptId.get(promptId);
      if (recorded !== undefined) return recorded;
    }
    return undefined;
  }

  /** The state of the code when a branch was left, or now, if it is the current one and nothing changed since. */
  tip({ turns }: Pick<Branch, 'turns'>): OperationId | null {
    const last = turns.at(-1);
    return (last && this.#tips.get(last.id)?.id) ?? null;
  }

  /** The code when its first prompt was sent. */
  begin({ turns: [first] }: Pick<Branch, 'turns'>): OperationId | null {
    return (first && this.of(first)?.prompt) ?? null;
  }

  /** When the conversation is taken elsewhere, the code as it is then is the last of the branch that is left. */
  #note(turn: MessageId, tip: Tip): void {
    if ((this.#tips.get(turn)?.sequence ?? 0) < tip.sequence) this.#tips.set(turn, tip);
  }

  #lastBefore(session: SessionId, sequence: number): RecordedTurn | undefined {
    return this.#bySession
      .get(session)
      ?.filter(({ firstSequence }) => firstSequence < sequence)
      .toSorted((a, b) => a.firstSequence - b.firstSequence)
      .at(-1);
  }
}
