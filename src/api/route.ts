import type { z } from 'zod';
import type { Status } from './errors.ts';

export const METHODS = ['get', 'post', 'put', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** An answer that is no JSON document but goes out as it is made. */
export interface Stream {
  readonly stream: `${string}/${string}`;
  /** What the stream is made of, for types that are. */
  readonly of?: z.ZodType;
}

/**
 * One thing that can be asked for: everything that a server, a client and the OpenAPI document need to know of it.
 */
export interface Route {
  readonly method: Method;
  /** As OpenAPI writes it, parameters in braces. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly tag: string;
  /** Whether it concerns one workspace, which `?workspace=` then names; without it, the one that `retake serve` was called in last. */
  readonly in: 'workspace' | 'server';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | Stream;
  /** In place of the answer, when the query asks for it. */
  readonly orStream?: Stream;
  /** 200 unless told. */
  readonly status?: 201;
  /** What can be wrong, besides what is checked of every request. */
  readonly errors: readonly Status[];
  /** Anybody on this machine may ask, without a token: only for what gives nothing away. */
  readonly isOpen?: true;
}

export const route = <const R extends Route>(route: R): R => route;

type Given<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;
type ToGive<S, Otherwise> = S extends z.ZodType ? z.input<S> : Otherwise;

type None = Record<never, never>;

/** What a handler is given. */
export type Params<R extends Route> = Given<R['params'], None>;
export type Query<R extends Route> = Given<R['query'], None>;
export type Body<R extends Route> = Given<R['body'], undefined>;

/** What a handler gives back, unless it streams. Nobody changes it on its way. */
export type Answer<R extends Route> = R['answer'] extends z.ZodType ? Unchanging<z.input<R['answer']>> : never;

type Unchanging<T> = T extends readonly (infer E)[]
  ? readonly Unchanging<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanging<T[K]> }
    : T;

/** What a client gives, and gets. */
export type ParamsToGive<R extends Route> = ToGive<R['params'], None>;
export type QueryToGive<R extends Route> = ToGive<R['query'], None>;
export type BodyToGive<R extends Route> = ToGive<R['body'], undefined>;
export type Answered<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : Response;

export const isStream = (answer: Route['answer']): answer is Stream => 'stream' in answer;
