import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTE_NAMES, ROUTES, type Route } from '../../src/api/index.ts';
import { scene } from '../support/scene.ts';
import { ORIGIN, PORT, type Served, serve, WEB_PAGES } from './served.ts';

const PAGES = ['/sign-in', '/sign-in.js', '/sign-in.css'];
const OPEN = ['POST /api/sign-in', ...PAGES.map((path) => `GET ${path}`)];

/** Every route that the app really has, with its parameters filled in. */
const registered = ({ app }: Served): { method: string; path: string; name: string }[] =>
  app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+|\*/g, 'x'), name: `${method} ${path}` }));

const wanted = (method: string): RequestInit =>
  method === 'GET' || method === 'DELETE' ? { method } : { method, body: '{}', headers: { 'content-type': 'application/json' } };

const withHeaders = (init: RequestInit, more: Record<string, string>): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), ...more },
});

const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error?: { code: string } }).error?.code;

test('[SEC] the app has the routes of the contract, the pages for signing in and the files of the web page, and no other', () => {
  const served = serve(scene());
  const contract = ROUTE_NAMES.map((name): Route => ROUTES[name]).map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`,
  );
  const found = registered(served).map(({ method, path }) => `${method} ${path}`);
  const built = readdirSync(join(import.meta.dirname, '../../dist/web'), { recursive: true, encoding: 'utf8' });
  const assets = built.filter((name) => name.startsWith('assets/')).map((name) => `/${name}`);
  expect(assets.map((path) => extname(path))).toEqual(expect.arrayContaining(['.js', '.css']));
  const pages = [...PAGES, '/', '/w/x', ...assets].map((path) => `GET ${path}`);
  expect(found.toSorted()).toEqual([...contract, ...pages].toSorted());
});

test('[SEC] every route needs the token, but for those that sign in', async () => {
  const served = serve(scene());
  const open: string[] = [];
  for (const { method, path, name } of registered(served)) {
    for (const given of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${served.token}x`,
      `Bearer x${served.token}`,
      `Basic ${served.token}`,
      served.token,
    ]) {
      const { status } = await served.request(path, withHeaders(wanted(method), given === '' ? {} : { authorization: given }));
      if (OPEN.includes(name)) expect(status, name).not.toBe(403);
      else expect(status, `${name} with ${JSON.stringify(given)}`).toBe(401);
    }
    const { status } = await served.request(path, withHeaders(wanted(method), { cookie: `retake-${PORT}=${Date.now() + 1e9}.x` }));
    if (status !== 401 || (method === 'POST' && path === '/api/sign-in')) open.push(name);
  }
  expect(open.toSorted()).toEqual(OPEN.toSorted());
  expect(served.faults).toEqual([]);
});

/** Every address of the web page and its files. */
const WEB_PATHS = [...WEB_PAGES.map(({ path }) => path.replace('*', 'any/s/view')), '/w/x/search?q=y'];

test('[SEC] the page needs the sign-in like everything else; a browser that is signed out is shown how to, and nothing of the page', async () => {
  const served = serve(scene());
  expect(WEB_PATHS.length).toBeGreaterThan(4);
  const browsing = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
  const sign = await (await served.request('/sign-in')).text();
  for (const path of [...WEB_PATHS, '/nothing', '/api/sessions']) {
    const shown = await served.request(path, { headers: browsing });
    expect([shown.status, shown.headers.get('content-type')], path).toEqual([401, 'text/html; charset=utf-8']);
    expect(await shown.text(), path).toBe(sign);
    expect(shown.headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; script-src 'self'/);
    // A program is told so in its own words, and so is whatever asks for a change.
    const told = await served.request(path, { headers: { accept: '*/*' } });
    expect([told.status, await codeOf(told)], path).toEqual([401, 'signed-out']);
    const asked = await served.request(path, { method: 'POST', body: '{}', headers: { ...browsing, 'content-type': 'application/json' } });
    expect([asked.status, await codeOf(asked)], path).toEqual([401, 'signed-out']);
    const head = await served.request(path, { method: 'HEAD', headers: browsing });
    expect([head.status, await head.text()], path).toEqual([401, '']);
  }
  expect(sign).not.toMatch(/\/assets\//);
});

test('[SEC] whoever is signed in is given the page as it was built, for every view the same, and only its own scripts may run', async () => {
  const served = serve(scene());
  const { cookie } = served.shared.credentials.redeem(served.shared.credentials.issueCode()) ?? { cookie: '' };
  const headers = { cookie: cookie.split(';')[0] ?? '', accept: 'text/html' };
  const html = readFileSync(join(import.meta.dirname, '../../dist/web/index.html'), 'utf8');
  for (const path of WEB_PATHS) {
    const response = await served.request(path, { headers });
    expect(response.status, path).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').toSorted(), path).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ].toSorted(),
    );
    if (path.startsWith('/assets/')) continue;
    expect([response.headers.get('content-type'), await response.text()], path).toEqual(['text/html; charset=utf-8', html]);
  }
  // Nothing of it is written into the page, where the policy would refuse it, or comes from elsewhere.
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+\s*=|\bstyle\s*=|(?:src|href)="(?!\/)/i);
  for (const path of ['/W/x', '/assets', '/assets/', '/assets/nothing.js', '/assets/../index.html', '/index.html', '/w/../sign-out'])
    expect((await served.request(path, { headers })).status, path).toBe(404);
});

const FOREIGN_HOSTS = [
  'evil.example',
  `evil.example:${PORT}`,
  `0.0.0.0:${PORT}`,
  '127.0.0.1',
  `127.0.0.1:${PORT + 1}`,
  `127.0.0.1:${PORT}.evil.example`,
  `[::1]:${PORT}`,
  `127.0.0.2:${PORT}`,
  `localhost.evil.example:${PORT}`,
  `user@127.0.0.1:${PORT}`,
];

test('[SEC] every route refuses hosts that are not served, token or not', async () => {
  const served = serve(scene());
  for (const { method, path, name } of registered(served)) {
    for (const host of FOREIGN_HOSTS) {
      const response = await served.signed(path, withHeaders(wanted(method), { host }));
      expect([response.status, await codeOf(response)], `${name} for ${host}`).toEqual([403, 'forbidden']);
    }
  }
});

const FOREIGN_ORIGINS = [
  'http://evil.example',
  'null',
  `https://127.0.0.1:${PORT}`,
  'http://127.0.0.1',
  `http://localhost:${PORT}`,
  `${ORIGIN}.evil.example`,
  'file://',
];

test('[SEC] every route refuses other origins and other sites, token or not', async () => {
  const served = serve(scene());
  for (const { method, path, name } of registered(served)) {
    for (const origin of FOREIGN_ORIGINS) {
      const { status } = await served.signed(path, withHeaders(wanted(method), { origin }));
      expect(status, `${name} from ${origin}`).toBe(403);
    }
    for (const site of ['cross-site', 'same-site']) {
      const { status } = await served.signed(path, withHeaders(wanted(method), { 'sec-fetch-site': site }));
      expect(status, `${name} ${site}`).toBe(403);
    }
    const { status } = await served.request(path, withHeaders(wanted(method), { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }));
    expect(status, `${name} from our own page`).not.toBe(403);
  }
  const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await served.request('/sign-in', { headers: followed })).status).toBe(200);
  expect((await served.signed('/api/sessions', { headers: followed })).status).toBe(403);
});

test('[SEC] every answer is inert: no sniffing, no frames, no scripts, no cache, no other site', async () => {
  const served = serve(scene());
  for (const { method, path, name } of [...registered(served), { method: 'GET', path: '/nothing', name: 'nothing' }]) {
    for (const response of [await served.signed(path, wanted(method)), await served.request(path, wanted(method))]) {
      const { headers, status } = response;
      await response.body?.cancel();
      expect(headers.get('x-content-type-options'), name).toBe('nosniff');
      // The browser may keep the page's own scripts and styles, whose names change with them, and what nobody was signed in for never.
      const isIdentity = status === 200 && path.startsWith('/assets/');
      expect(headers.get('cache-control'), name).toBe(isIdentity ? 'private, max-age=31536000, immutable' : 'no-store');
      expect(headers.get('cross-origin-resource-policy'), name).toBe('same-origin');
      expect(headers.get('content-security-policy'), name).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('access-control-allow-origin'), name).toBeNull();
    }
  }
});

test('[SEC] what changes something takes JSON only, so that no form of a page can ask for it', async () => {
  const served = serve(scene());
  const changing = registered(served).filter(({ method }) => method === 'POST' || method === 'PUT');
  expect(changing.length).toBeGreaterThan(1);
  for (const { method, path, name } of changing) {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json+evil',
      '',
    ]) {
      const { status } = await served.signed(path, { method, body: '{}', headers: type === '' ? {} : { 'content-type': type } });
      expect(status, `${name} as ${type}`).toBe(415);
    }
  }
});

test('[SEC] bodies are bounded, whatever they say of their length', async () => {
  const served = serve(scene());
  const big = JSON.stringify({ code: 'x'.repeat(1_000_001) });
  const json = { 'content-type': 'application/json' };
  const said = await served.request('/api/sign-in', { method: 'POST', body: '{}', headers: { ...json, 'content-length': '99999999' } });
  expect(said.status).toBe(413);
  const unsaid = await served.request('/api/sign-in', {
    method: 'POST',
    headers: json,
    body: new Blob([big]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect([unsaid.status, await codeOf(unsaid)]).toEqual([413, 'too-large']);
});

test('[SEC] bad bodies: not JSON, not UTF-8, unknown fields, a prototype', async () => {
  const served = serve(scene());
  const post = (body: string | Uint8Array<ArrayBuffer>) =>
    served.signed('/api/sign-in', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"code":1}',
    '{"code":"x","more":1}',
    '{"__proto__":{"code":"x"}}',
    '{"code":"x","__proto__":{}}',
  ]) {
    expect((await post(body)).status, body).toBe(400);
  }
  expect((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  expect(({} as Record<string, unknown>).code).toBeUndefined();
  expect(served.faults).toEqual([]);
});

const TRAVERSALS = [
  '/../../etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%252e%252e%252fetc',
  '/sign-in/../api/sessions/../../etc/passwd',
  '/..\\..\\etc\\passwd',
  '/sign-in.js%00.html',
  '//evil.example/api/sessions',
  '/api/sessions/..%2f..%2f..%2fetc%2fpasswd',
  '/api/sessions/%2e%2e%2f%2e%2e',
  '/api//sessions',
  '/API/sessions',
  '/.git/config',
  '/api/sessions;x=1',
];

test('[SEC] no path leads to anything else, in whatever encoding', async () => {
  const served = serve(scene());
  for (const path of TRAVERSALS) {
    const response = await served.signed(path);
    expect([400, 404], `${path}: ${response.status}`).toContain(response.status);
    expect(await response.text(), path).not.toContain('root:');
  }
});

const NASTY = [
  '--output=x',
  '-x',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '.',
  '%00',
  '%',
  '%ff',
  'a'.repeat(5000),
  "' OR 1=1 --",
  '<script>',
  '\u202e',
  '@{-1}',
  'refs/heads/last',
  '$(touch x)',
  '*',
  '🙂',
];

test('[SEC] ids that are none are refused as such, on every route', async () => {
  const at = scene();
  at.retake.json(at.workspace, 'checkpoint');
  const served = serve(at);
  for (const route of ROUTE_NAMES.map((name): Route => ROUTES[name]).filter(({ params }) => params !== undefined)) {
    for (const id of NASTY) {
      const path = route.path.replaceAll(/\{\w+\}/g, id.startsWith('%') ? id : encodeURIComponent(id));
      const response = await served.signed(path, wanted(route.method.toUpperCase()));
      await response.body?.cancel();
      expect(response.status, `${route.method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(response.status, `${route.method} ${path}`).toBeLessThan(500);
    }
  }
  expect(served.faults).toEqual([]);
});

test('[SEC] a query is what the contract says: nothing unknown, nothing twice, nothing out of bounds', async () => {
  const served = serve(scene());
  for (const query of [
    'limit=0',
    'limit=501',
    'limit=1e2',
    'limit=',
    'limit=1&limit=2',
    'more=1',
    '__proto__=1',
    'cursor=x',
    'cursor=WzEsMl0',
    'workspace=',
    'workspace=a&workspace=b',
    'limit=99999999999999999999',
  ]) {
    expect((await served.signed(`/api/sessions?${query}`)).status, query).toBe(400);
  }
  expect((await served.signed('/api/sessions?limit=500')).status).toBe(200);
});
