import type { Answer, Body, Params, Query, Route, RouteName, Routes } from '../api/index.ts';
import type { Workspace } from '../engine/index.ts';
import type { EventHub } from './events/hub.ts';
import type { Credentials } from './guard/credentials.ts';
import type { Jobs } from './jobs.ts';
import type { Workspaces } from './workspaces.ts';

/** What all requests share. */
export interface Shared {
  readonly workspaces: Workspaces;
  readonly credentials: Credentials;
  readonly jobs: Jobs;
  readonly events: EventHub;
  readonly version: string;
  readonly log: (line: string) => void;
}

/** A request that passed all checks, by its route. */
export interface HandlerContext<R extends Route> {
  readonly params: Params<R>;
  readonly query: Query<R>;
  readonly body: Body<R>;
  /** For this request alone, until it is answered. */
  readonly workspace: R['in'] extends 'workspace' ? Workspace : undefined;
  readonly shared: Shared;
  readonly headers: Headers;
  /** Aborted when the client hangs up. */
  readonly signal: AbortSignal;
}

/** An answer that goes out as it is made, no faster than the client takes it. */
export class Streamed {
  readonly type: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: string, pieces: AsyncIterable<string | Uint8Array>, headers: Readonly<Record<string, string>> = {}) {
    this.type = type;
    this.pieces = pieces;
    this.headers = headers;
  }
}

/** One that goes on for as long as the client listens, and has done with the workspace when it begins. */
export class Live extends Streamed {}

/** An answer with headers of its own. */
export class WithHeaders<T> {
  readonly answer: T;
  readonly headers: Readonly<Record<string, string>>;

  constructor(answer: T, headers: Readonly<Record<string, string>>) {
    this.answer = answer;
    this.headers = headers;
  }
}

type Handled<R extends Route> = Answer<R> | WithHeaders<Answer<R>> | Streamed;

/** Decoded request in, one call of the engine, answer out. */
export type Handler<R extends Route> = (context: HandlerContext<R>) => Handled<R> | Promise<Handled<R>>;

export type HandlersOf<N extends RouteName> = { readonly [K in N]: Handler<Routes[K]> };
