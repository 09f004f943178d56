import { onTestFinished } from 'vitest';
import { type ServerEvent, serverEvent } from '../../src/api/index.ts';
import type { Served } from './served.ts';

export type Heard = ServerEvent & {
  /** What a client would send as Last-Event-ID after it. */
  readonly lastId: string | undefined;
};

/** A client of the event stream, which reads it as the standard says, checks each event's data, and asks for nothing that it does not await. */
export class Listener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #lastId: string | undefined;
  /** Comments that came between events. */
  beats = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  static async open(served: Served, { lastId, after }: { lastId?: string | undefined; after?: string } = {}): Promise<Listener> {
    const search = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const response = await served.signed(`/api/events${search}`, lastId === undefined ? {} : { headers: { 'last-event-id': lastId } });
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
    const listener = new Listener(response.body);
    onTestFinished(() => listener.close());
    return listener;
  }

  /** Undefined at the end. */
  async next(): Promise<Heard | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.#reader.read();
        if (done) return undefined;
        this.#rest += this.#decoder.decode(value, { stream: true });
        continue;
      }
      const block = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      const event = this.#parse(block);
      if (event !== undefined) return event;
    }
  }

  /** As many events as are expected. */
  async take(count: number): Promise<Heard[]> {
    const heard: Heard[] = [];
    while (heard.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`it ended after ${heard.length} events`);
      heard.push(event);
    }
    return heard;
  }

  close(): Promise<void> {
    return this.#reader.cancel().catch(() => {});
  }

  #parse(block: string): Heard | undefined {
    const fields = new Map<string, string>();
    for (const line of block.split(/\r\n|\r|\n/)) {
      if (line.startsWith(':')) this.beats++;
      else {
        const [, name = '', value = ''] = /^(event|id|data|retry): (.*)$/s.exec(line) ?? [];
        if (name === '' || fields.has(name)) throw new Error(`a line that does not belong there: ${line}`);
        fields.set(name, value);
      }
    }
    this.#lastId = fields.get('id') ?? this.#lastId;
    const data = fields.get('data');
    if (data === undefined) return undefined;
    return { ...serverEvent.parse({ event: fields.get('event'), data: JSON.parse(data) }), lastId: this.#lastId };
  }
}

/** Events as words: the kind of an operation, the state of work, and the names of all others. */
export const words = (heard: readonly Heard[]): string[] =>
  heard.map(({ event, data }) => {
    if (event === 'operation') return data.kind;
    return event === 'progress' ? data.state : `(${event})`;
  });

/** The operation that an event is about. */
export const idOf = (heard: Heard | undefined): string => {
  if (heard?.event === 'operation') return heard.data.id;
  if (heard === undefined || !('operation' in heard.data)) throw new Error(`about no operation: ${heard?.event}`);
  return heard.data.operation;
};
