import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES, type Routes, target } from '../../src/api/index.ts';
import type { Answered } from '../../src/api/route.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { observeDirectory } from '../support/oracle.ts';
import { put, type Scene, scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Served, serve } from './served.ts';

type Diff = Answered<Routes['diffCheckpoints']>;
type File = Diff['files'][number];

const ODD_NAMES = ['two words.txt', 'line\nbreak', '"quoted"', '<script>alert(1)</script>', '--output=x', '__proto__', 'é', 'tab\there'];

const putBytes = (root: string, name: Buffer, content: string | Buffer): void =>
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), content);

const NOT_UTF8 = Buffer.from([0x6e, 0xff, 0xfe]);

/** Every kind of change, of files with every kind of name. */
const makeOdd = (root: string): void => {
  for (const name of ODD_NAMES) put(root, `odd/${name}`, `${name} one\ntwo\nthree\n`);
  putBytes(root, NOT_UTF8, 'bytes\n');
  put(root, 'latin1.txt', Buffer.from('caf\xe9\nsame\nend', 'latin1'));
  put(root, 'binary', Buffer.from([0, 1, 2, 3, ...new Array(300).keys()]));
  put(root, 'gone', 'gone\n');
  put(root, 'gone.bin', Buffer.from([0, 9]));
  put(root, 'run.sh', 'echo\n');
  put(root, 'becomes-link', 'text\n');
  put(root, 'becomes-directory', 'text\n');
  put(root, 'was-directory/inside', 'text\n');
  put(root, 'same/deep/file', 'same\n');
};

const changeOdd = (root: string): void => {
  for (const name of ODD_NAMES) put(root, `odd/${name}`, `${name} one\n2\nthree\nfour`);
  putBytes(root, NOT_UTF8, 'other bytes\n');
  put(root, 'latin1.txt', Buffer.from('caf\xe9 au lait\nsame\nend', 'latin1'));
  put(root, 'binary', Buffer.from([0, 3, 2, 1, ...new Array(500).keys()]));
  rmSync(join(root, 'gone'));
  rmSync(join(root, 'gone.bin'));
  chmodSync(join(root, 'run.sh'), 0o755);
  rmSync(join(root, 'becomes-link'));
  symlinkSync('run.sh', join(root, 'becomes-link'));
  rmSync(join(root, 'becomes-directory'));
  put(root, 'becomes-directory/inside', 'new\n');
  rmSync(join(root, 'was-directory'), { recursive: true });
  put(root, 'was-directory', 'a file\n');
  put(root, 'new/empty', '');
  put(root, 'new/text', 'new\n');
  put(root, 'new/binary', Buffer.from([0, 255, 254]));
};

interface Stage extends Served {
  readonly before: string;
  readonly after: string;
  /** The workspace as it was before. */
  readonly copy: string;
}

/** Two checkpoints with something between them. */
const stage = (make: (root: string) => void, change: (root: string) => void, at: Scene = scene()): Stage => {
  make(at.workspace);
  const before = at.retake.json(at.workspace, 'checkpoint').id;
  const copy = join(temporaryDirectory(), 'copy');
  cpSync(at.workspace, copy, { recursive: true, verbatimSymlinks: true });
  change(at.workspace);
  const after = at.retake.json(at.workspace, 'checkpoint').id;
  return { ...serve(at), before, after, copy };
};

const params = ({ before, after }: Stage) => ({ session: 'local', checkpoint: before, other: after });

const compare = (on: Stage, query: Record<string, unknown> = {}): Promise<Diff> => on.ask('diffCheckpoints', { params: params(on), query });

const patchOf = async (on: Stage, query: Record<string, unknown> = {}): Promise<Buffer> => {
  const response = await on.signed(target(ROUTES.diffCheckpoints, { params: params(on), query: { format: 'patch', ...query } }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/x-diff');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return Buffer.from(await response.arrayBuffer());
};

const git = (directory: string, args: readonly string[], input?: Buffer): Buffer =>
  execFileSync('git', args, { cwd: directory, input, env: hermeticEnvironment('/nonexistent'), maxBuffer: 2 ** 28 });

/** The lines of hunks as a patch has them. */
const rendered = (files: readonly File[]): string[] =>
  files.flatMap(({ hunks = [] }) =>
    hunks.flatMap(({ oldStart, oldLines, newStart, newLines, section, lines }) => [
      `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${section === '' ? '' : ` ${section}`}`,
      ...lines.flatMap(({ kind, text, noNewline }) => [
        `${{ context: ' ', add: '+', remove: '-' }[kind]}${text}`,
        ...(noNewline ? ['\\ No newline at end of file'] : []),
      ]),
    ]),
  );

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`);

const HEADER = /^(diff --git|index|---|\+\+\+|new file|deleted file|old mode|new mode) /;

test('[API] the streamed patch, applied by git, makes the other state of every kind of file', async () => {
  const on = stage(makeOdd, changeOdd);
  const patch = await patchOf(on);
  git(on.copy, ['apply', '--whitespace=nowarn', '-'], patch);
  expect(observeDirectory(on.copy)).toEqual(observeDirectory(on.at.workspace));
  git(on.copy, ['apply', '--whitespace=nowarn', '--reverse', '-'], patch);
  git(on.copy, ['apply', '--whitespace=nowarn', '-'], await patchOf(on, { path: ['odd', 'latin1.txt', 'nothing'] }));
  expect(observeDirectory(join(on.copy, 'odd'))).toEqual(observeDirectory(join(on.at.workspace, 'odd')));
  expect(on.faults).toEqual([]);
});

test('[API] what points to a repository is told, and is in no patch: git would refuse all of it', async () => {
  const on = stage(
    (root) => put(root, 'linked/.git', 'gitdir: ../one\n'),
    (root) => {
      put(root, 'linked/.git', 'gitdir: ../two\n');
      put(root, 'linked/file', 'new\n');
    },
  );
  expect((await compare(on)).files.map(({ path }) => path)).toEqual(['linked/.git', 'linked/file']);
  git(on.copy, ['apply', '-'], await patchOf(on));
  expect(observeDirectory(join(on.copy, 'linked')).has('file')).toBe(true);
});

test('[API] files, statuses and counts are what git says of the same states', async () => {
  const on = stage(makeOdd, changeOdd);
  const said = git(storeOf(on.at), ['diff', '--no-renames', '--numstat', '-z', `${on.before}:files`, `${on.after}:files`]);
  const numbers = said
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '');
  const { files, stats, total, next, from, to } = await compare(on);
  const bytesOf = ({ path, pathBase64 }: File): Buffer =>
    pathBase64 === undefined ? Buffer.from(path) : Buffer.from(pathBase64, 'base64');
  const told = files.map((file) => {
    const { insertions, deletions, binary } = file;
    return `${binary ? '-\t-' : `${insertions}\t${deletions}`}\t${bytesOf(file).toString('latin1')}`;
  });
  expect(told.toSorted()).toEqual(numbers.toSorted());
  expect(new Set(files.map(({ status }) => status))).toEqual(new Set(['added', 'modified', 'deleted', 'mode', 'type']));
  expect(stats.files).toBe(files.length);
  expect(stats.insertions).toBe(files.reduce((sum, { insertions }) => sum + insertions, 0));
  expect({ total, next }).toEqual({ total: files.length, next: null });
  expect([from?.id, to.id]).toEqual([on.before, on.after]);
  expect(from?.tree).not.toBe(to.tree);
});

test('[API] hunks are those of the patch; what is not UTF-8 is readable and says so', async () => {
  const on = stage(makeOdd, changeOdd);
  const { files } = await compare(on, { hunks: true });
  const inPatch = (await patchOf(on, { path: ODD_NAMES.map((name) => `odd/${name}`) }))
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !HEADER.test(line));
  expect(rendered(files.filter(({ path }) => path.startsWith('odd/')))).toEqual(inPatch);
  const latin1 = files.find(({ path }) => path === 'latin1.txt');
  expect(latin1?.hunks?.[0]?.lines).toEqual([
    { kind: 'remove', text: 'caf\ufffd', isExact: false },
    { kind: 'add', text: 'caf\ufffd au lait', isExact: false },
    { kind: 'context', text: 'same' },
    { kind: 'context', text: 'end', noNewline: true },
  ]);
  const bytes = files.find(({ pathBase64 }) => pathBase64 !== undefined);
  expect(bytes).toMatchObject({ path: 'n\ufffd\ufffd', pathBase64: NOT_UTF8.toString('base64'), insertions: 1, deletions: 1 });
  expect(await compare(on, { pathBase64: [bytes?.pathBase64], hunks: true })).toMatchObject({ total: 1, files: [bytes] });
  for (const path of ['binary', 'run.sh']) expect(files.find((file) => file.path === path)?.hunks).toEqual([]);
  expect(files.every(({ cut }) => cut === undefined)).toBe(true);
});

test('[API] pages hold every file once; counts are of all of them, and the present may change meanwhile', async () => {
  const many = Array.from({ length: 430 }, (_, number) => `many/${String(number).padStart(3, '0')}`);
  const on = stage(
    (root) => put(root, 'first', '1\n'),
    (root) => {
      for (const path of many) put(root, path, `${path}\n`);
    },
  );
  expect(await compare(on)).toMatchObject({ total: 430, stats: { files: 430, insertions: 430, deletions: 0 } });
  expect((await compare(on)).files).toHaveLength(200);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const checkpoint = on.before;
    const page = await on.ask('diffWithPresent', { params: { session: 'local', checkpoint }, query: { limit: 150, cursor } });
    expect(page.to.id).toBe(null);
    seen.push(...page.files.map(({ path }) => path));
    // Before everything that is still to come.
    put(on.at.workspace, `many/!${seen.length}`, 'later\n');
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(many);
  expect(await compare(on, { path: ['many/00', 'many/007'] })).toMatchObject({ total: 1, stats: { files: 1, insertions: 1 } });
});

test('[API] with hunks, a page ends when it holds enough; the next one goes on', async () => {
  const text = (word: string) => Array.from({ length: 900 }, (_, line) => `${word} ${line} ${'x'.repeat(100)}\n`).join('');
  const putAll = (word: string) => (root: string) => {
    for (const name of names) put(root, name, text(word));
  };
  const names = Array.from({ length: 20 }, (_, number) => `f${String(number).padStart(2, '0')}`);
  const on = stage(putAll('old'), putAll('new'));
  const pages: Diff[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.next ?? null) {
    pages.push(await compare(on, { hunks: true, cursor }));
  }
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ files }) => files.map(({ path }) => path))).toEqual(names);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(2 ** 21);
  expect(pages.every(({ stats }) => stats.insertions === 20 * 900)).toBe(true);
});

test('[API] the diff of a huge file is cut with a note, and its ranges put together are the whole', async () => {
  const lines = (changed: string) =>
    Array.from({ length: 200_000 }, (_, line) => (line % 40 === 5 ? `${changed} ${line}` : `line ${line}`));
  const on = stage(
    (root) => put(root, 'huge.txt', lines('old').join('\n')),
    (root) => put(root, 'huge.txt', lines('new').join('\n')),
  );
  const [first] = (await compare(on, { hunks: true })).files;
  const total = 5_000 * 8;
  expect(first?.cut).toEqual({ line: 1, lines: 2000, total });
  const joined: NonNullable<File['hunks']> = [];
  for (let line = 1; line <= total; ) {
    const [file] = (await compare(on, { path: ['huge.txt'], line, lines: 9_999 })).files;
    expect(file?.cut).toMatchObject({ line, total });
    for (const { part, ...hunk } of file?.hunks ?? []) {
      const before = joined.at(-1);
      if (part === undefined) joined.push({ ...hunk });
      else {
        const shown = before?.lines ?? [];
        expect(part).toEqual({
          skipped: shown.length,
          oldLine: hunk.oldStart + shown.filter(({ kind }) => kind !== 'add').length,
          newLine: hunk.newStart + shown.filter(({ kind }) => kind !== 'remove').length,
        });
        shown.push(...hunk.lines);
      }
    }
    line += file?.cut?.lines ?? total;
  }
  const patch = (await patchOf(on)).toString().split('\n').slice(0, -1);
  expect(rendered([{ ...(first as File), hunks: joined }])).toEqual(patch.filter((line) => !HEADER.test(line)));
  const beyond = (await compare(on, { path: ['huge.txt'], line: total + 1 })).files;
  expect(beyond).toMatchObject([{ hunks: [], cut: { line: total + 1, lines: 0, total } }]);
});

test('[API] a long line is cut at a whole character, and is whole when asked for by its number', async () => {
  const long = `x${'é'.repeat(50_000)}`;
  const on = stage(
    (root) => put(root, 'min.js', 'a\n'),
    (root) => put(root, 'min.js', `a\n${long}\n`),
  );
  const added = (diff: Diff) => diff.files[0]?.hunks?.[0]?.lines.find(({ kind }) => kind === 'add');
  const cut = added(await compare(on, { hunks: true }));
  expect(cut).toMatchObject({ bytes: 100_001, text: expect.stringMatching(/^xé+$/) });
  expect(cut?.text.length).toBeLessThan(3000);
  expect(added(await compare(on, { path: ['min.js'], line: 2, lines: 1 }))).toEqual({ kind: 'add', text: long });
});

test('[API] what is asked for wrongly is refused, and nothing is read outside', async () => {
  const on = stage(makeOdd, changeOdd);
  const refused = async (query: string): Promise<unknown> => {
    const response = await on.signed(`${target(ROUTES.diffCheckpoints, { params: params(on) })}?${query}`);
    return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
  };
  const bad = [400, 'bad-request'];
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=ten',
    'hunks=1',
    'format=html',
    'cursor=no',
    'line=0&path=a',
    'lines=10001&path=a',
  ]) {
    expect(await refused(query), query).toEqual(bad);
  }
  for (const query of [
    'line=1',
    'line=1&path=a&path=b',
    'line=1&path=a&format=patch',
    '__proto__=1',
    '--output=x',
    'hunks=true&hunks=true',
  ]) {
    expect(await refused(query), query).toEqual(bad);
  }
  for (const path of ['..', '../x', '/etc/passwd', 'odd/../../x', '.', 'odd/..']) {
    expect(await refused(`path=${encodeURIComponent(path)}`), path).toEqual([400, 'usage']);
    const base64 = encodeURIComponent(Buffer.from(path).toString('base64'));
    expect(await refused(`pathBase64=${base64}`), path).toEqual([400, 'usage']);
  }
  for (const path of ['nothing', '--output=x', '__proto__', 'odd/two', '%2e%2e']) {
    expect(await compare(on, { path: [path] })).toMatchObject({ files: [], total: 0, stats: { files: 0, insertions: 0, deletions: 0 } });
  }
  expect(await compare(on, { path: ['odd/--output=x', 'odd/__proto__'] })).toMatchObject({ total: 2 });
  expect((await patchOf(on, { path: ['nothing'] })).length).toBe(0);
  expect(on.faults).toEqual([]);
});

test('[API] who hangs up is not worked for', async () => {
  const names = Array.from({ length: 300 }, (_, number) => `f${number}`);
  const putAll = (word: string) => (root: string) => {
    for (const name of names) put(root, name, `${word} ${name}\n`.repeat(2000));
  };
  const on = stage(putAll('old'), putAll('new'));
  const gone = new AbortController();
  const asked = on.signed(target(ROUTES.diffCheckpoints, { params: params(on) }), { signal: gone.signal });
  setImmediate(() => gone.abort());
  expect((await asked).status).toBe(409);
  expect(await compare(on)).toMatchObject({ total: 300, stats: { files: 300, insertions: 600_000 } });
  expect(on.faults).toEqual([]);
});

test('[SEC] asking for differences changes neither the files nor the log', async () => {
  const on = stage(makeOdd, changeOdd);
  put(on.at.workspace, 'not-recorded', 'x\n');
  const [files, log] = [observeDirectory(on.at.workspace, { mtimes: true }), on.at.retake.json(on.at.workspace, 'log')];
  const checkpoint = { session: 'local', checkpoint: on.after };
  expect(await on.ask('diffWithPresent', { params: checkpoint, query: { hunks: true } })).toMatchObject({
    files: [{ path: 'not-recorded' }],
  });
  await compare(on, { hunks: true });
  await patchOf(on);
  expect(observeDirectory(on.at.workspace, { mtimes: true })).toEqual(files);
  expect(on.at.retake.json(on.at.workspace, 'log')).toEqual(log);
});
