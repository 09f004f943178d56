import { isDeepStrictEqual } from 'node:util';
import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { isStream, ROUTE_NAMES, ROUTES, type Route, workspaceQuery } from '../api/index.ts';
import { stepsEnded } from '../engine/index.ts';
import { decodeFields, decodeJson } from './decode.ts';
import { readBody } from './guard/body.ts';
import { guard } from './guard/guard.ts';
import { SAFE_HEADERS } from './guard/headers.ts';
import { type Handler, type HandlerContext, Live, type Shared, Streamed, WithHeaders } from './handler.ts';
import { HANDLERS } from './handlers/index.ts';
import { PAGE_POLICY, type Page } from './pages/page.ts';
import { SIGN_IN, SIGN_IN_PAGES } from './pages/sign-in.ts';
import { BadRequest, problemOf } from './problem.ts';
import { PATIENCE, toStream } from './to-stream.ts';
import type { Lease } from './workspaces.ts';

export interface AppOptions {
  readonly shared: Shared;
  readonly port: () => number;
  /** The web page: for those who are signed in, as everything else. */
  readonly pages?: readonly Page[];
  /** Answers are compared with their schemas before they go out: for tests. */
  readonly checksAnswers?: boolean;
  /** How long a client may leave what is ready for it, in milliseconds. */
  readonly patience?: number;
}

/** Everything that is served, behind the one guard. */
export const createApp = ({ shared, port, pages = [], checksAnswers = false, patience = PATIENCE }: AppOptions): Hono => {
  const app = new Hono();
  app.use(guard({ port, credentials: shared.credentials, isOpen }));
  for (const page of [...SIGN_IN_PAGES, ...pages]) app.get(page.path, ({ req }) => show(page, 200, ahead(page, new URL(req.url))));
  for (const name of ROUTE_NAMES) {
    const one: Route = ROUTES[name];
    app.on(one.method.toUpperCase(), inHono(one.path), (context) =>
      answer(context, one, HANDLERS[name] as unknown as Handler<Route>, shared, { checksAnswers, patience }),
    );
  }
  app.notFound(() => respond(new BadRequest('no-such-route', 'There is nothing here'), shared));
  app.onError((error, { req }) => (isAskedToSignIn(error, req) ? show(SIGN_IN, 401) : respond(error, shared)));
  return app;
};

const inHono = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const OPEN = ROUTE_NAMES.map((name): Route => ROUTES[name]).filter(({ isOpen }) => isOpen);

const isOpen = (method: string, path: string): boolean =>
  OPEN.some((one) => one.method.toUpperCase() === method && one.path === path) ||
  ((method === 'GET' || method === 'HEAD') && SIGN_IN_PAGES.some((page) => page.path === path));

const LASTING = { 'cache-control': 'private, max-age=31536000, immutable' };

const show = ({ type, body, isIdentity = false }: Page, status = 200, more: Readonly<Record<string, string>> = {}): Response => {
  const headers = {
    ...SAFE_HEADERS,
    'content-security-policy': PAGE_POLICY,
    'content-type': type,
    ...(isIdentity ? LASTING : {}),
    ...more,
  };
  return new Response(body, { status, headers });
};

/** Has the browser ask for what a page will need, as its script would, before that runs. */
const ahead = ({ asksFirst }: Page, address: URL): Readonly<Record<string, string>> => {
  const questions = asksFirst?.(address) ?? [];
  return questions.length === 0 ? {} : { link: questions.map((one) => `<${one}>; rel=preload; as=fetch; crossorigin`).join(', ') };
};

/** A person who opens the page without being signed in is told how to. */
const isAskedToSignIn = (error: unknown, request: Context['req']): boolean =>
  error instanceof BadRequest &&
  error.code === 'signed-out' &&
  request.method === 'GET' &&
  (request.header('accept') ?? '').includes('text/html');

const respond = (error: unknown, { log }: Shared): Response => {
  const { status, answer } = problemOf(error);
  if (status === 500) log(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  return json(answer, status);
};

const json = (value: unknown, status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...SAFE_HEADERS, ...headers, 'content-type': 'application/json; charset=utf-8' },
  });

/** How answers go out. */
type Manner = Required<Pick<AppOptions, 'checksAnswers' | 'patience'>>;

const answer = async (
  context: Context,
  one: Route,
  handle: Handler<Route>,
  shared: Shared,
  { checksAnswers, patience }: Manner,
): Promise<Response> => {
  const request = context.req.raw;
  const search = new URL(request.url).searchParams;
  const place = one.in === 'workspace' ? shared.workspaces.find(takeWorkspace(search)) : undefined;
  const params = fields(one.params, new URLSearchParams(context.req.param() as Record<string, string>), 'path');
  const query = fields(one.query, search, 'query');
  const body = one.body === undefined ? undefined : decodeJson(one.body, await readBody(request));
  const lease = place === undefined ? undefined : await shared.workspaces.lease(place);
  try {
    const asked: unknown = { params, query, body, workspace: lease?.workspace, shared, headers: request.headers, signal: request.signal };
    if (lease !== undefined && isToWait(query, body)) await stepsEnded(lease.workspace, { signal: request.signal });
    const handled = await handle(asked as HandlerContext<Route>);
    if (handled instanceof Live) lease?.release();
    if (handled instanceof Streamed) return await stream(handled, request, lease, patience);
    const [value, headers] = handled instanceof WithHeaders ? [handled.answer, handled.headers] : [handled, {}];
    if (checksAnswers) checkAnswer(one, value);
    const made = json(value, one.status ?? 200, headers);
    lease?.release();
    return made;
  } catch (error) {
    lease?.release();
    throw error;
  }
};

/** Before a plan is made: what it is about may depend on what the step leaves. */
const isToWait = (...given: readonly unknown[]): boolean =>
  given.some((one) => typeof one === 'object' && one !== null && 'wait' in one && one.wait === true);

const fields = (schema: z.ZodObject | undefined, search: URLSearchParams, what: string): object => {
  if (schema !== undefined) return decodeFields(schema, search, what);
  const [first] = search.keys();
  if (first !== undefined) throw new BadRequest('bad-request', `${what}: there is no ${JSON.stringify(first.slice(0, 50))}`);
  return {};
};

const takeWorkspace = (search: URLSearchParams): string | undefined => {
  const own = new URLSearchParams(search.getAll('workspace').map((value): [string, string] => ['workspace', value]));
  search.delete('workspace');
  return decodeFields(workspaceQuery, own, 'query').workspace;
};

/** The workspace is given back when the last piece is out, or nobody wants it any more. */
const stream = async (
  { type, pieces, headers }: Streamed,
  { method }: Request,
  lease: Lease | undefined,
  patience: number,
): Promise<Response> => {
  const body = toStream(pieces, () => lease?.release(), patience);
  const isHead = method === 'HEAD';
  if (isHead) await body.cancel();
  return new Response(isHead ? null : body, { headers: { ...SAFE_HEADERS, ...headers, 'content-type': type } });
};

const checkAnswer = ({ answer: schema, path }: Route, value: unknown): void => {
  if (isStream(schema)) throw new Error(`${path} was to stream`);
  const sent: unknown = JSON.parse(JSON.stringify(value));
  if (!isDeepStrictEqual(schema.parse(sent), sent)) throw new Error(`the answer of ${path} has fields that its schema does not know`);
};
