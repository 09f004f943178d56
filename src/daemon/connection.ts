import { hash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { RetakeError } from '../model/index.ts';
import { LineReader } from './lines.ts';
import { describe, type Log } from './log.ts';
import { type DaemonReply, type DaemonRequest, type Envelope, isCancel, isEnvelope, MAXIMUM_LINE, type WireError } from './protocol.ts';

/** How long a client may be silent before its request is complete. */
const SILENCE = 10_000;

/** Thrown by a handler that does not answer any more; the client sees the connection end and knows what to do. */
export class Departing extends Error {}

/** Who asked, as far as the handler needs to know. */
export interface Asker {
  readonly isWaiting: boolean;
  /** Aborted when it said so; one that merely hangs up changes nothing. */
  readonly signal: AbortSignal;
  tell(progress: unknown): void;
}

type Handler = (request: DaemonRequest, asker: Asker) => Promise<unknown>;

export interface ConnectionOptions {
  readonly token: string;
  readonly handle: Handler;
  readonly log: Log;
}

/** One client with its one request. */
export class Connection implements Asker {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #ending = new AbortController();
  #isTaken = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    const lines = new LineReader((line) => this.#hear(line), MAXIMUM_LINE);
    socket.on('data', (chunk) => {
      if (!lines.push(chunk) && !this.#isTaken) this.#refuse('the request is too long');
    });
    // Clients go away when they like.
    socket.on('error', () => {});
    socket.setTimeout(SILENCE, () => {
      if (!this.#isTaken) options.log('dropped a client that sent no request');
      socket.destroy();
    });
  }

  get isWaiting(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  tell(progress: unknown): void {
    if (this.isWaiting) this.#socket.write(encode({ progress }));
  }

  /** Ends it, unless its request is being worked on. */
  dropIfIdle(): void {
    if (!this.#isTaken) this.#socket.destroy();
  }

  /** The request comes first; of what follows, only one thing means something. */
  #hear(line: string): void {
    if (!this.#isTaken) this.#take(line);
    else if (isCancel(parse(line))) this.#ending.abort();
  }

  #take(line: string): void {
    this.#isTaken = true;
    this.#socket.setTimeout(0);
    const envelope = decode(line);
    if (envelope === undefined) this.#refuse('the request can not be understood');
    else if (!isSame(envelope.token, this.#options.token)) this.#refuse('the token is wrong');
    else void this.#answer(envelope.request);
  }

  async #answer(request: DaemonRequest): Promise<void> {
    try {
      this.#end({ result: await this.#options.handle(request, this) });
    } catch (error) {
      if (error instanceof Departing) this.#socket.destroy();
      else this.#end({ error: this.#describe(error) });
    }
  }

  #describe(error: unknown): WireError {
    if (!(error instanceof RetakeError)) {
      this.#options.log(`unexpected: ${describe(error)}`);
      return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
    }
    const { code, message, hint, details } = error;
    return { code, message, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) };
  }

  #refuse(why: string): void {
    this.#isTaken = true;
    this.#options.log(`refused: ${why}`);
    this.#end({ error: { code: 'refused', message: why } });
  }

  /** Leaves it to the client to hang up: closing on one that is still sending would take the reply from it. */
  #end(reply: DaemonReply): void {
    this.#socket.end(encode(reply));
    setTimeout(() => this.#socket.destroy(), SILENCE).unref();
  }
}

const encode = (reply: DaemonReply): string => `${JSON.stringify(reply)}\n`;

const decode = (line: string): Envelope | undefined => {
  const value = parse(line);
  return isEnvelope(value) ? value : undefined;
};

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
