import { ADDRESSES, type Address } from './addresses.ts';
import type { RouteName, Routes } from './contract.ts';
import type { ErrorAnswer, ProblemCode } from './errors.ts';
import type { Answered, BodyToGive, ParamsToGive, QueryToGive, Route } from './route.ts';

/** What was answered in place of what was asked for. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(status: number, { error: { code, message, hint, details } }: ErrorAnswer) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

type Part<K extends string, T> = T extends undefined
  ? { readonly [P in K]?: undefined }
  : Record<never, never> extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T };

/** What a route is asked with. */
type Question<R extends Route> = Part<'params', ParamsToGive<R>> &
  Part<'query', QueryToGive<R>> &
  Part<'body', BodyToGive<R>> &
  (R['in'] extends 'workspace' ? { readonly workspace?: string | undefined } : Record<never, never>) & {
    readonly signal?: AbortSignal | undefined;
  };

export type Client = <N extends RouteName>(
  name: N,
  ...question: Record<never, never> extends Question<Routes[N]> ? [Question<Routes[N]>?] : [Question<Routes[N]>]
) => Promise<Answered<Routes[N]>>;

interface Asking {
  readonly params?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly workspace?: string;
  readonly signal?: AbortSignal;
}

/**
 * Asks a server, with types for every route. A browser that is signed in needs nothing else; others give a `fetch` that adds the token.
 */
export const createClient = (base: string, fetcher: (request: Request) => Response | Promise<Response> = fetch): Client =>
  (async (name: RouteName, asking: Asking = {}) => {
    const one = ADDRESSES[name];
    const { body, signal } = asking;
    const response = await fetcher(
      new Request(base + target(one, asking), {
        method: one.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    if (!response.ok) throw new ApiError(response.status, (await response.json()) as ErrorAnswer);
    const isOther = one.streams || !(response.headers.get('content-type') ?? '').startsWith('application/json');
    return isOther ? response : response.json();
  }) as Client;

/** Path and query of a question. */
export const target = ({ path }: Pick<Address, 'path'>, { params = {}, query = {}, workspace }: Asking): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(workspace === undefined ? {} : { workspace });
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(key, String(one));
  return search.size === 0 ? filled : `${filled}?${search}`;
};
