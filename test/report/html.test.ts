import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { EVIL_LINE, playHostile, SECRET } from './hostile-session.ts';

/** All that a report is made of. */
const ELEMENTS = new Set(
  'a blockquote body code dd details div dl dt figcaption figure footer h1 h2 h3 head header html li main meta nav ol p pre section small span style summary table tbody td th thead time title tr ul'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set('aria-label charset class content data-n datetime href http-equiv id lang name open'.split(' '));

/** Every tag of a document with the attributes it has. A text whose `<` is escaped is none. */
const tagsOf = (html: string): { name: string; attributes: [string, string][] }[] =>
  [...html.replace(/<style>[\s\S]*?<\/style>/, '<style></style>').matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, name = '', rest = '']) => ({
      name: name.toLowerCase(),
      attributes: [...rest.matchAll(/\s([^\s=>]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']): [string, string] => [key, value]),
    }),
  );

const expectHarmless = (html: string): void => {
  const tags = tagsOf(html);
  expect(tags.map(({ name }) => name).filter((name) => !ELEMENTS.has(name))).toEqual([]);
  const attributes = tags.flatMap((tag) => tag.attributes);
  expect(attributes.map(([key]) => key).filter((key) => !ATTRIBUTES.has(key))).toEqual([]);
  expect(attributes.filter(([key, value]) => key === 'href' && !value.startsWith('#'))).toEqual([]);
};

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

test('[STO-4] a page has no script and no reference to anything, whatever names, prompts and files hold', async () => {
  const { at, session } = await playHostile();
  const file = join(temporaryDirectory(), 'report.html');
  at.retake.json(at.workspace, 'report', session.id, '--format', 'html', '--output', file);
  const html = at.retake.run(at.workspace, 'report', session.id, '--format', 'html').stdout;
  // A `<` that begins no tag of ours is one that was not escaped.
  expect(html.replace(/<style>[\s\S]*?<\/style>/, '').match(/<(?![a-z/!])/gi)).toBeNull();
  expectHarmless(html);
  expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^"]+"/);

  // What was said and changed is there, and what is hidden in it shows.
  expect(html).toContain('&lt;/blockquote&gt;&lt;script src=&quot;https://evil.example/x.js&quot;&gt;');
  expect(html).toContain('+&lt;/span&gt;&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('&lt;iframe src=&quot;https://evil.example&quot;&gt;');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;.txt');
  expect(html).toContain('photo-⟨U+202E⟩gnp.exe');
  expect(html).toContain('+⟨U+001B⟩[31mred');
  expect(html).toMatch(/<span class="r" data-n=" +1 +">-export const price = 1;/);
  expect(html).toMatch(/<span class="a" data-n=" +1">\+export const price = 2;/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/);

  // Secrets and what has no lines are named only, and the end says why.
  expect(html).not.toContain(SECRET);
  const leftOut = html.slice(html.indexOf('id="left-out"'));
  expect(leftOut).toMatch(/\.env\.local<\/span> <span class="quiet">its content is not to leave/);
  expect(leftOut).toMatch(/logo\.png<\/span> <span class="quiet">it is binary/);
  expect(leftOut).toMatch(/long\.txt<\/span> <span class="quiet">50 more lines/);
  expect(html).toContain('+line 399\n');
  expect(html).not.toContain('+line 400\n');

  if (CHROMIUM === undefined) return;
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${temporaryDirectory()}`,
    '--dump-dom',
    pathToFileURL(file).href,
  ];
  const dom = spawnSync(CHROMIUM, args, { encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 600_000 });
  expect(dom.stdout).toContain('id="left-out"');
  expectHarmless(dom.stdout);
  expect(dom.stdout).toContain(EVIL_LINE.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
});
