import { type Message, type MessageId, RetakeError, type SessionId } from '../model/index.ts';
import type { Conversation, Folded, Subagent } from './format.ts';
import { type AgentFormat, formatOf } from './formats.ts';
import { LineReader } from './line-reader.ts';

/** A session file as messages. It reads what was there when it was opened; `refresh` reads on. */
export class Transcript {
  readonly agent: string;
  readonly session: SessionId;
  readonly path: string;
  readonly #format: AgentFormat;
  readonly #reader: LineReader;
  #conversation: Conversation;
  #folded: Folded | undefined;
  #unread = new Map<string, number>();

  private constructor(file: { agent: string; session: SessionId; path: string }) {
    this.agent = file.agent;
    this.session = file.session;
    this.path = file.path;
    this.#format = formatOf(file.agent);
    this.#reader = new LineReader(file.path);
    this.#conversation = this.#format.conversation();
  }

  static open(file: { agent: string; session: SessionId; path: string }): Transcript {
    const transcript = new Transcript(file);
    transcript.refresh();
    return transcript;
  }

  /** Reads what was written since; a file that was replaced or became shorter is read anew. */
  refresh(): void {
    this.#reader.read({
      restart: () => {
        this.#conversation = this.#format.conversation();
        this.#unread = new Map();
        this.#folded = undefined;
      },
      line: (line) => {
        if (line.text.trim() === '') return;
        const trouble = this.#conversation.add(line);
        if (trouble !== null) this.#leftOut(trouble);
        this.#folded = undefined;
      },
      oversized: () => this.#leftOut('too long to read'),
    });
  }

  /** All messages of the file, in its order. */
  get messages(): readonly Message[] {
    return this.#fold().messages;
  }

  /** The active branch, root first. */
  get current(): readonly Message[] {
    return this.leaf === null ? [] : this.branchTo(this.leaf);
  }

  /** The last message of the active branch. */
  get leaf(): MessageId | null {
    return this.#fold().leaf;
  }

  /** The messages from the root to this one. */
  branchTo(id: MessageId): readonly Message[] {
    const { find } = this.#fold();
    let message = find(id);
    if (message === undefined) throw new RetakeError('unknown-id', `There is no message ${id} in ${this.path}`);
    const branch: Message[] = [];
    while (message !== undefined) {
      branch.push(message);
      message = message.parent === null ? undefined : find(message.parent);
    }
    return branch.reverse();
  }

  /** What could not be read, with the reasons for people. */
  get skipped(): { readonly lines: number; readonly reasons: readonly string[] } {
    const unread = [...this.#unread, ...(this.#reader.isTorn ? [['not written to its end yet', 1] as const] : [])];
    return {
      lines: unread.reduce((sum, [, count]) => sum + count, 0),
      reasons: [...unread.map(([reason, count]) => `${count === 1 ? '1 line' : `${count} lines`}: ${reason}`), ...this.#fold().oddities],
    };
  }

  get subagents(): readonly Subagent[] {
    return this.#format.subagents(this.path);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  openSame(): number {
    return this.#reader.openSame();
  }

  #fold(): Folded {
    this.#folded ??= this.#conversation.folded();
    return this.#folded;
  }

  #leftOut(reason: string): void {
    this.#unread.set(reason, (this.#unread.get(reason) ?? 0) + 1);
  }
}
