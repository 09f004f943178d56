import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forked, forkScene } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { put, repositoryScene, scene, storeOf } from '../support/scene.ts';
import { HOSTILE, refused } from './asked.ts';
import { type Served, serve } from './served.ts';

/** The smallest there is of each, or what begins like one: what a picture holds is the browser's to judge. */
const PICTURES: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1]),
  'image/gif': Buffer.from('GIF89a'),
  'image/webp': Buffer.from('RIFF____WEBP'),
  'image/avif': Buffer.from('____ftypavif'),
  'image/bmp': Buffer.from('BM'),
  'image/x-icon': Buffer.from([0, 0, 1, 0]),
  'image/svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
};

const ENDINGS: readonly [string, string][] = [
  ['a.png', 'image/png'],
  ['deep/b.JPG', 'image/jpeg'],
  ['b.jpeg', 'image/jpeg'],
  ['c.gif', 'image/gif'],
  ['d.webp', 'image/webp'],
  ['e.avif', 'image/avif'],
  ['f.bmp', 'image/bmp'],
  ['favicon.ico', 'image/x-icon'],
  ['g.svg', 'image/svg+xml'],
];

const OTHERS = ['page.html', 'script.js', 'style.css', 'doc.pdf', 'data.json', 'png', '.png.txt', 'x.svgz', 'ä ö?&#.txt', 'constructor'];

const fileAt = ({ signed }: Served, checkpoint: string, path: string, init?: RequestInit): Promise<Response> =>
  signed(`/api/checkpoints/${encodeURIComponent(checkpoint)}/file?path=${encodeURIComponent(path)}`, init);

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('[API] a file at a checkpoint, byte by byte: pictures as what they are, everything else to be saved, and nothing of it runs', async () => {
  const at = repositoryScene();
  for (const [path, type] of ENDINGS) put(at.workspace, path, PICTURES[type]);
  for (const path of OTHERS) put(at.workspace, path, `<script>alert("${path}")</script>\r\n\u0000\u001b`);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'all of it');
  for (const [path] of ENDINGS) put(at.workspace, path, 'changed since');
  const served = serve(at);
  for (const path of [...ENDINGS.map(([path]) => path), ...OTHERS]) {
    const response = await fileAt(served, id, path);
    expect(response.status, path).toBe(200);
    const { headers } = response;
    const content = await bytesOf(response);
    expect(content, path).toEqual(execFileSync('git', ['cat-file', 'blob', `${id}:files/${path}`], { cwd: storeOf(at) }));
    expect(headers.get('content-type'), path).toBe(new Map(ENDINGS).get(path) ?? 'application/octet-stream');
    expect(headers.get('content-length')).toBe(String(content.length));
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  for (const address of [id.slice(0, 8), 'all of it', '@-1']) expect((await fileAt(served, address, 'a.png')).status, address).toBe(200);
  const head = await fileAt(served, id, 'a.png', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), (await bytesOf(head)).length]).toEqual([200, 'image/png', 0]);
  const asked = await served.ask('getFile', { params: { checkpoint: id }, query: { path: 'a.png' } });
  expect(await bytesOf(asked)).toEqual(PICTURES['image/png']);
  expect(served.faults).toEqual([]);
});

test('[API] the present file, recorded or not, and nothing is recorded for it', async () => {
  const at = repositoryScene();
  put(at.workspace, 'kept.txt', 'before\n');
  put(at.workspace, 'gone.txt', 'gone\n');
  put(at.workspace, '.gitignore', 'ignored.txt\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'kept.txt', 'now\n');
  put(at.workspace, 'new.png', PICTURES['image/png']);
  put(at.workspace, 'ignored.txt', 'ignored\n');
  rmSync(join(at.workspace, 'gone.txt'));
  const log = gitIn(storeOf(at), 'for-each-ref');
  const served = serve(at);
  const read = async (address: string, path: string) => (await bytesOf(await fileAt(served, address, path))).toString();
  expect([await read('@', 'kept.txt'), await read(id, 'kept.txt')]).toEqual(['now\n', 'before\n']);
  expect(await bytesOf(await fileAt(served, '@', 'new.png'))).toEqual(PICTURES['image/png']);
  expect(await refused(fileAt(served, id, 'new.png'))).toBe('404 no-such-file');
  expect(await read(id, 'gone.txt')).toBe('gone\n');
  expect(await refused(fileAt(served, '@', 'gone.txt'))).toBe('404 no-such-file');
  expect(await refused(fileAt(served, '@', 'ignored.txt')), 'what is left out is not given out').toBe('404 no-such-file');
  expect(gitIn(storeOf(at), 'for-each-ref')).toBe(log);
  expect(served.faults).toEqual([]);
});

test('[SEC] nothing but recorded files: no directory, no way out, no link that is followed', async () => {
  const at = repositoryScene();
  const outside = scene().workspace;
  put(outside, 'secret.txt', 'secret\n');
  put(at.workspace, 'src/a.txt', 'a\n');
  mkdirSync(join(at.workspace, 'empty'));
  symlinkSync(join(outside, 'secret.txt'), join(at.workspace, 'link.png'));
  symlinkSync(outside, join(at.workspace, 'folder'));
  symlinkSync('src', join(at.workspace, 'inside'));
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good');
  const served = serve(at);
  for (const address of ['good', '@']) {
    for (const path of [
      'src',
      'src/',
      'empty',
      'folder/secret.txt',
      'inside/a.txt',
      'src/a.txt/b',
      'A.txt',
      '.git/config',
      '.git',
      'nothing',
      '*',
    ])
      expect(await refused(fileAt(served, address, path)), `${address} ${path}`).toBe('404 no-such-file');
    for (const path of ['../x', 'src/../..', '/etc/passwd', join(at.workspace, 'src/a.txt'), '.', '/', 'src/../../../../etc/passwd'])
      expect(await refused(fileAt(served, address, path)), `${address} ${path}`).toBe('400 usage');
    // Of a link, where it points, and whatever it is called: no picture.
    for (const [path, target] of [
      ['link.png', join(outside, 'secret.txt')],
      ['folder', outside],
      ['inside', 'src'],
    ] as const) {
      const response = await fileAt(served, address, path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
      expect((await bytesOf(response)).toString()).toBe(target);
    }
    expect((await bytesOf(await fileAt(served, address, './src//../src/a.txt'))).toString()).toBe('a\n');
  }
  expect(served.faults).toEqual([]);
});

test('[API] a file whose name is no UTF-8, by its bytes', async () => {
  const at = repositoryScene();
  const name = Buffer.from([0x66, 0xff, 0x2e, 0x70, 0x6e, 0x67]);
  writeFileSync(Buffer.concat([Buffer.from(`${at.workspace}/`), name]), 'odd');
  put(at.workspace, 'dir/plain.txt', 'plain');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good');
  const served = serve(at);
  const by = (query: Record<string, string>): Promise<Response> =>
    served.signed(`/api/checkpoints/good/file?${new URLSearchParams(query)}`);
  const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
  const odd = await by({ pathBase64: base64(name) });
  expect([odd.headers.get('content-type'), (await bytesOf(odd)).toString()]).toEqual(['image/png', 'odd']);
  expect((await bytesOf(await by({ pathBase64: base64('dir/plain.txt') }))).toString()).toBe('plain');
  for (const path of ['', '..', '../x', '/etc/passwd', 'dir//plain.txt', 'dir/./plain.txt', 'dir/../dir/plain.txt', 'dir/', 'a\0b'])
    expect(await refused(by({ pathBase64: base64(path) })), path).toMatch(/^400 (usage|bad-request)$/);
  expect(await refused(by({ pathBase64: base64('dir') }))).toBe('404 no-such-file');
  const bad = [
    {},
    { path: 'dir/plain.txt', pathBase64: base64('dir/plain.txt') },
    { pathBase64: '%%%' },
    { path: '' },
    { path: 'x'.repeat(5000) },
  ];
  for (const query of [...bad, { path: 'dir/plain.txt', format: 'raw' }])
    expect(await refused(by(query as Record<string, string>)), JSON.stringify(query).slice(0, 50)).toBe('400 bad-request');
  expect(await refused(served.signed('/api/checkpoints/good/file?path=a&path=b'))).toBe('400 bad-request');
  expect(served.faults).toEqual([]);
});

test('[API] addresses that name no checkpoint, or nothing at all', async () => {
  const at = forkScene();
  await forked(at);
  const served = serve(at);
  expect((await bytesOf(await fileAt(served, 't2', 'shared.txt'))).toString()).toBe('one\ntwo\nthree\n');
  expect((await bytesOf(await fileAt(served, '@-1', 'shared.txt'))).toString()).toBe(
    readFileSync(join(at.workspace, 'shared.txt'), 'utf8'),
  );
  const { rollbacks } = at.retake.json(at.workspace, 'rollbacks');
  expect(await refused(fileAt(served, rollbacks[0].id, 'shared.txt'))).toBe('422 not-a-checkpoint');
  for (const address of [...HOSTILE, 't9', 't0', '@-999', 'f'.repeat(40), '@@', 'HEAD'])
    expect(await refused(fileAt(served, address, 'shared.txt')), address).toMatch(/^40[04] (unknown-id|bad-request)$/);
  expect(await refused(served.request('/api/checkpoints/t2/file?path=shared.txt')), 'without the token').toBe('401 signed-out');
  const other = scene();
  put(other.workspace, 'shared.txt', 'not recorded\n');
  const empty = serve(other);
  for (const address of ['@', '@-1', 't1']) expect(await refused(fileAt(empty, address, 'shared.txt')), address).toBe('404 unknown-id');
  expect(existsSync(storeOf(other)), 'looking leaves no trace').toBe(false);
  expect([...served.faults, ...empty.faults]).toEqual([]);
});

test('[API] a file over the limit is refused, one at it is given', async () => {
  const at = scene();
  const limit = 32 * 2 ** 20;
  for (const [path, size] of [
    ['at.bin', limit],
    ['over.png', limit + 1],
  ] as const) {
    put(at.workspace, path, '');
    truncateSync(join(at.workspace, path), size);
  }
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good');
  const served = serve(at);
  for (const address of ['good', '@']) {
    const response = await fileAt(served, address, 'at.bin');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(limit)]);
    expect((await bytesOf(response)).length).toBe(limit);
    expect(await refused(fileAt(served, address, 'over.png'))).toBe('413 too-large');
  }
  expect(served.faults).toEqual([]);
});
