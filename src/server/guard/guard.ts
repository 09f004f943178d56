import type { Context, MiddlewareHandler } from 'hono';
import { METHODS } from '../../api/index.ts';
import { BadRequest } from '../problem.ts';
import { checkBody } from './body.ts';
import type { Credentials } from './credentials.ts';
import { SAFE_HEADERS } from './headers.ts';
import { checkHost } from './host.ts';
import type { Incoming } from './incoming.ts';
import { checkOrigin } from './origin.ts';

export interface GuardOptions {
  /** The port that is served, known when the first request comes. */
  readonly port: () => number;
  readonly credentials: Credentials;
  /** The few things that anybody on this machine may ask for. */
  readonly isOpen: (method: string, path: string) => boolean;
}

const ALLOWED = ['HEAD', ...METHODS.map((method) => method.toUpperCase())];

/**
 * The one way in. Every request passes all checks before any route sees it, those to routes that do not exist too; what is not
 * named as open needs the token.
 */
export const guard =
  ({ port, credentials, isOpen }: GuardOptions): MiddlewareHandler =>
  async (context, next) => {
    const incoming = incomingOf(context);
    for (const [name, value] of Object.entries(SAFE_HEADERS)) context.header(name, value);
    checkHost(incoming, port());
    const isForAll = isOpen(incoming.method, incoming.path);
    checkOrigin(incoming, isForAll);
    if (!ALLOWED.includes(incoming.method)) throw new BadRequest('bad-method', `There is no ${incoming.method} here`);
    if (!isForAll && !credentials.accept(incoming.headers)) {
      throw new BadRequest('signed-out', 'A token is needed', { hint: 'retake serve prints a link that signs a browser in.' });
    }
    checkBody(incoming);
    return next();
  };

interface Socketed {
  readonly incoming?: { readonly url?: string; readonly rawHeaders: readonly string[] };
}

const incomingOf = (context: Context): Incoming => {
  const { method, path, raw } = context.req;
  const { incoming } = (context.env ?? {}) as Socketed;
  return { method, path, headers: raw.headers, target: incoming?.url, rawHeaders: incoming?.rawHeaders };
};
