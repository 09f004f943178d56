import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { now, readIfExists, replaceFile } from '../../host/index.ts';

/** How long a browser stays signed in. */
const SIGNED_IN = 7 * 24 * 3_600_000;

/** How long a sign-in link is good, and how many may wait to be used. */
const CODE_LASTS = 5 * 60_000;
const MOST_CODES = 16;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface SignedIn {
  readonly cookie: string;
  readonly until: string;
}

/**
 * Who may ask: whoever can read the token's file, and browsers that were signed in with a code that such a one was given.
 *
 * - The token is in a file that only its owner can read, and in nothing else that lasts.
 * - A code is good once and for minutes; only its digest is kept.
 * - A cookie is good until the time it names, which the token vouches for: another token makes all of them void.
 */
export class Credentials {
  readonly #path: string;
  readonly #port: () => number;
  readonly #codes = new Map<string, number>();
  #token: string;

  constructor(path: string, port: () => number) {
    this.#path = path;
    this.#port = port;
    this.#token = readToken(path) ?? this.#renew();
  }

  /** Whether a request has the token, as a bearer, or the cookie of a browser that was signed in. */
  accept(headers: Headers): boolean {
    const [scheme = '', bearer = ''] = (headers.get('authorization') ?? '').split(' ', 2);
    if (scheme.toLowerCase() === 'bearer' && isSame(bearer, this.#token)) return true;
    return cookiesIn(headers, this.#cookieName).some((value) => this.#isGoodCookie(value));
  }

  /** A code for a link. */
  issueCode(): string {
    const code = randomBytes(24).toString('base64url');
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(digest(code).toString('hex'), now().getTime() + CODE_LASTS);
    return code;
  }

  /** Undefined where the code is none of ours, used already, or too old. */
  redeem(code: string): SignedIn | undefined {
    const key = digest(code).toString('hex');
    const until = this.#codes.get(key);
    this.#codes.delete(key);
    if (until === undefined || until < now().getTime()) return undefined;
    const expires = now().getTime() + SIGNED_IN;
    const value = `${expires}.${this.#vouchFor(expires)}`;
    return {
      cookie: `${this.#cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SIGNED_IN / 1000}`,
      until: new Date(expires).toISOString(),
    };
  }

  /** Makes all that was given out void. */
  revoke(): void {
    this.#codes.clear();
    this.#token = this.#renew();
  }

  #isGoodCookie(value: string): boolean {
    const [expires = '', voucher = ''] = value.split('.', 2);
    return isSame(voucher, this.#vouchFor(Number(expires))) && Number(expires) > now().getTime();
  }

  #vouchFor(expires: number): string {
    return createHmac('sha256', this.#token).update(`${this.#cookieName} ${expires}`).digest('base64url');
  }

  /** Browsers tell hosts apart and not ports: one server's cookie is not to take the place of another's. */
  get #cookieName(): string {
    return `retake-${this.#port()}`;
  }

  #renew(): string {
    const token = randomBytes(32).toString('base64url');
    replaceFile(this.#path, Buffer.from(`${token}\n`), { mode: 0o600 });
    return token;
  }
}

/** Undefined where there is none, or others could have read or written it. */
const readToken = (path: string): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) return undefined;
  const token = readIfExists(path)?.toString().trim() ?? '';
  return TOKEN.test(token) ? token : undefined;
};

const cookiesIn = (headers: Headers, name: string): string[] =>
  (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** In the same time whatever is given. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
