import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setClock } from '../../src/engine/index.ts';
import { Credentials } from '../../src/server/guard/credentials.ts';
import { scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { PORT, serve } from './served.ts';

test('[SEC] a link signs in once, and the cookie is for our own pages alone', async () => {
  const served = serve(scene());
  const signIn = (code: string) =>
    served.request('/api/sign-in', { method: 'POST', body: JSON.stringify({ code }), headers: { 'content-type': 'application/json' } });
  const code = served.shared.credentials.issueCode();
  const first = await signIn(code);
  expect(first.status).toBe(200);
  const cookie = first.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^retake-4747=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  expect(cookie).not.toContain(served.token);
  expect((await signIn(code)).status).toBe(401);
  const value = cookie.split(';')[0] ?? '';
  const withCookie = (text: string) => served.request('/api/sessions', { headers: { cookie: text } });
  expect((await withCookie(`other=1; ${value}`)).status).toBe(200);
  const [, expires = '', voucher = ''] = /=(\d+)\.(.*)$/.exec(value) ?? [];
  for (const forged of [
    `retake-4747=${Number(expires) + 1}.${voucher}`,
    `retake-4747=${expires}.`,
    'retake-4747=',
    `retake-4748=${expires}.${voucher}`,
  ]) {
    expect((await withCookie(forged)).status, forged).toBe(401);
  }
  setClock(() => new Date(Number(expires) + 1));
  onTestFinished(() => setClock(() => new Date()));
  expect((await withCookie(value)).status, 'after its time').toBe(401);
});

test('[SEC] codes grow old, and only some wait', () => {
  const credentials = new Credentials(join(temporaryDirectory(), 'token'), () => PORT);
  const old = credentials.issueCode();
  onTestFinished(() => setClock(() => new Date()));
  setClock(() => new Date(Date.now() + 6 * 60_000));
  expect(credentials.redeem(old)).toBeUndefined();
  const first = credentials.issueCode();
  for (let more = 0; more < 16; more++) credentials.issueCode();
  expect(credentials.redeem(first)).toBeUndefined();
  expect(credentials.redeem('')).toBeUndefined();
});

test('[SEC] signing out makes the token, all cookies and links that wait void', async () => {
  const served = serve(scene());
  const { cookie } = served.shared.credentials.redeem(served.shared.credentials.issueCode()) ?? { cookie: '' };
  const headers = { cookie: cookie.split(';')[0] ?? '' };
  expect((await served.request('/api/sessions', { headers })).status).toBe(200);
  const waiting = served.shared.credentials.issueCode();
  await served.ask('signOut', { body: {} });
  expect(served.shared.credentials.redeem(waiting)).toBeUndefined();
  expect((await served.request('/api/sessions', { headers })).status).toBe(401);
  expect((await served.signed('/api/sessions')).status).toBe(401);
  expect(readFileSync(served.tokenFile, 'utf8').trim()).not.toBe(served.token);
});

test("[SEC] the token is for its owner's eyes; one that others could have read or written is replaced", () => {
  const path = join(temporaryDirectory(), 'token');
  const made = (): string => {
    new Credentials(path, () => PORT);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    return readFileSync(path, 'utf8');
  };
  const first = made();
  expect(made(), 'kept from one start to the next').toBe(first);
  chmodSync(path, 0o644);
  const second = made();
  expect(second).not.toBe(first);
  writeFileSync(path, 'short\n');
  const third = made();
  expect(third).toMatch(/^[\w-]{43}\n$/);
  const elsewhere = join(temporaryDirectory(), 'theirs');
  writeFileSync(elsewhere, second, { mode: 0o600 });
  rmSync(path);
  symlinkSync(elsewhere, path);
  expect(made()).not.toBe(second);
  expect(readFileSync(elsewhere, 'utf8'), 'what the link led to stays').toBe(second);
});
