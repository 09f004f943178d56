import { call, type Line, link, prompt, reply, result, said } from '../transcript/support.ts';

export interface Part {
  readonly lines: readonly Line[];
  readonly tip: string;
}

/** Writes the lines of one turn, with all sorts of others around them that look like branches and are none. */
export class TurnWriter {
  tip: string;
  readonly #stamp: (line: Line) => Line;
  readonly #file: { readonly lines: Line[] };
  readonly #promptId: string;
  readonly #spice: readonly number[];
  #used = 0;
  #ids = 0;
  #lines: Line[] = [];

  constructor(
    stamp: (line: Line) => Line,
    file: { readonly lines: Line[] },
    promptId: string,
    spice: readonly number[],
    from: string | null,
  ) {
    this.#stamp = stamp;
    this.#file = file;
    this.#promptId = promptId;
    this.#spice = spice;
    this.tip = from ?? '';
  }

  /** A number below `limit`. */
  pick(limit: number): number {
    const spice = this.#spice[this.#used % this.#spice.length] ?? 0;
    return (spice + this.#used++) % limit;
  }

  /** The lines since the last part. */
  part(): Part {
    const part = { lines: this.#lines, tip: this.tip };
    this.#lines = [];
    return part;
  }

  /** A line that the next one follows. */
  own(line: Line): void {
    this.beside(line);
    this.tip = line.uuid as string;
  }

  /** A line that nothing follows. */
  beside(line: Line): void {
    const stamped = this.#stamp(line);
    this.#lines.push(stamped);
    this.#file.lines.push(stamped);
  }

  /** A line per block, and results when they come: in any order, but never before the call. */
  reply(calls: number): void {
    const id = this.#id('msg');
    if (calls === 0) {
      const thought = this.#id('a');
      this.own(reply(thought, this.tip, id, { type: 'thinking', thinking: 'hm' }));
      this.own(reply(this.#id('a'), thought, id, said(`done ${id}`)));
      return;
    }
    const blocks = Array.from({ length: calls }, () => ({ uuid: this.#id('a'), answer: this.#id('r'), call: this.#id('call') }));
    let parent = this.tip;
    const waiting: Line[] = [];
    for (const { uuid, answer, call: asked } of blocks) {
      this.beside(reply(uuid, parent, id, call(asked)));
      parent = uuid;
      waiting.push({ ...result(answer, uuid, asked), promptId: this.#promptId });
      if (this.pick(3) === 0) this.beside(waiting.shift() as Line);
    }
    while (waiting.length > 0) this.beside(waiting.splice(this.pick(waiting.length), 1)[0] as Line);
    this.tip = (blocks.at(-1) as { answer: string }).answer;
  }

  around(isAtWork: boolean): void {
    for (let count = this.pick(4); count > 0; count--) this.#lookAlike(isAtWork);
  }

  #lookAlike(isAtWork: boolean): void {
    const { tip } = this;
    const side = { isSidechain: true, agentId: 'sub' };
    const choices: (() => void)[] = [
      () => this.own(link(this.#id('l'), tip)),
      () => this.beside(link(this.#id('l'), tip, { type: 'progress' })),
      () => this.beside(link(this.#id('l'), tip, { attachment: { type: 'hook_success', content: 'ok' } })),
      () => this.own(prompt(this.#id('n'), tip, 'Caveat', { isMeta: true })),
      () => this.own(prompt(this.#id('n'), tip, '<task-notification>done</task-notification>', { promptSource: 'system' })),
      () => this.beside(prompt(this.#id('n'), tip, '<command-name>/exit</command-name>')),
      () => this.beside(prompt(this.#id('n'), tip, '<local-command-stdout>bye</local-command-stdout>')),
      () => this.own(link(this.#id('s'), tip, { type: 'system', subtype: 'informational', content: 'note' })),
      () => this.#file.lines.push({ type: 'file-history-snapshot', messageId: tip, snapshot: {} }),
      // The same line twice.
      () => this.#file.lines.push(this.#lines[this.pick(this.#lines.length)] ?? { type: 'mode' }),
      () => {
        const stub = reply(this.#id('a'), tip, this.#id('msg'), said('No response requested.'));
        this.own({ ...stub, message: { ...(stub.message as Line), model: '<synthetic>' } });
      },
      () => {
        const first = this.#id('side');
        this.beside({ ...prompt(first, this.pick(2) === 0 ? null : tip, 'look there'), ...side });
        this.beside({ ...reply(this.#id('side'), first, this.#id('msg'), said('looked')), ...side });
      },
      () => {
        const attachment = { type: 'queued_command', prompt: 'and quickly', commandMode: 'prompt', origin: { kind: 'human' } };
        if (isAtWork) this.own(link(this.#id('q'), tip, { attachment }));
      },
    ];
    choices[this.pick(choices.length)]?.();
  }

  #id(kind: string): string {
    return `${kind}-${this.#promptId}-${++this.#ids}`;
  }
}
