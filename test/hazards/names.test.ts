import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { storedBytes, storedEntries } from '../support/private-store.ts';
import { commitAll, omitted, put, repositoryScene, roundTrip, type Scene, scene, steps, storeOf } from '../support/scene.ts';

/** Names as bytes (latin1). */
const NAMES = [
  'new\nline',
  '\nleading newline',
  'tab\there',
  'latin1 \xe9\xff',
  '\xff',
  'half of a pair \xed\xa0\x80',
  '\xc3\xa9 as utf-8',
  '-dash',
  '--yes',
  '*',
  '?[a]',
  ':(top)',
  ':!x',
  '@',
  '@-1',
  '.GIT',
  '.Git',
  'git~1',
  '.g\xe2\x80\x8cit',
  '.git ',
  '.gitx',
  '...',
  'a\\b',
  '"quoted"',
  "it's",
  '$(touch marked)',
  ' leading and trailing ',
  '\x01\x1b[31mred\x7f',
  'con',
  'x'.repeat(255),
  '\xf0\x9f\x92\xa9'.repeat(63),
  '.retake-journal',
  'files',
  'manifest',
  '+plus',
  'meta',
  'pointer',
];

const byteFile = (root: string, name: string, content: string): void =>
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]), content);

test('[CAP-8] every name that a file system allows is captured and restored, as file and as directory', () => {
  const at = repositoryScene();
  for (const name of NAMES) {
    byteFile(at.workspace, name, `file ${name}`);
    const directory = Buffer.concat([Buffer.from(`${at.workspace}/`), Buffer.from(`d${name.slice(0, 254)}`, 'latin1')]);
    mkdirSync(directory);
    writeFileSync(Buffer.concat([directory, Buffer.from(`/${name}`, 'latin1')]), 'inside');
    symlinkSync(Buffer.from(name, 'latin1'), Buffer.concat([directory, Buffer.from('/link')]));
  }
  const checkpoint = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(checkpoint).toMatchObject({ status: 'complete', files: NAMES.length * 3 });
  const stored = storedEntries(storeOf(at), checkpoint.id);
  for (const name of NAMES) expect(stored.has(name), name).toBe(true);
  expect(existsSync(join(at.workspace, 'marked'))).toBe(false);
});

test('[CLI] a path that is not UTF-8 has its bytes beside a readable form', () => {
  const at = scene();
  put(at.workspace, 'é', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  byteFile(at.workspace, 'bad \xff', 'x');
  const bytes = Buffer.from('bad \xff', 'latin1').toString('base64');
  expect(at.retake.json(at.workspace, 'diff', id).files).toEqual([
    { path: 'bad \ufffd', pathBase64: bytes, status: 'added', insertions: 1, deletions: 0, binary: false },
  ]);
  const plan = at.retake.json(at.workspace, 'rewind', id, '--dry-run');
  expect(plan.operations).toMatchObject([{ type: 'delete', path: 'bad \ufffd', pathBase64: bytes }]);
  expect(at.retake.json(at.workspace, 'rewind', id, '--yes').operations).toHaveLength(1);
});

test('[CLI] names with control characters reach no terminal as such', () => {
  const at = scene();
  put(at.workspace, 'plain', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  byteFile(at.workspace, '\x1b]0;title\x07\x1b[31m', 'x');
  for (const args of [['diff', id], ['rewind', id, '--dry-run'], ['rewind', id, '--yes'], ['log']]) {
    const { stdout, stderr } = at.retake.run(at.workspace, ...args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not appear
    expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
  }
});

test.each([
  [
    '.gitmodules with garbage',
    (at: Scene) =>
      put(at.workspace, '.gitmodules', '[submodule "../../x"]\n\tpath = -x\n\turl = --upload-pack=touch x\n\tupdate = !touch x\n[[\x00'),
  ],
  ['.gitmodules as a symlink', (at: Scene) => symlinkSync('/etc/passwd', join(at.workspace, '.gitmodules'))],
  ['.gitattributes as a symlink', (at: Scene) => symlinkSync('/etc/passwd', join(at.workspace, '.gitattributes'))],
  ['.gitattributes with a line too long', (at: Scene) => put(at.workspace, '.gitattributes', `* ${'a'.repeat(5000)}\n`)],
  ['.gitignore as a symlink', (at: Scene) => symlinkSync('everything', join(at.workspace, '.gitignore'))],
  ['.mailmap as a symlink', (at: Scene) => symlinkSync('/etc/passwd', join(at.workspace, '.mailmap'))],
  ['.gitmodules as a directory', (at: Scene) => put(at.workspace, '.gitmodules/x', 'x')],
  ['.gitattributes as a directory', (at: Scene) => put(at.workspace, '.gitattributes/x', 'x')],
])('[CAP-8] [STO-1] %s: captured, restored, and git fsck has nothing to say', (_, make) => {
  const at = repositoryScene();
  put(at.workspace, 'everything', '*\n');
  put(at.workspace, 'sub/a', '1');
  make(at);
  const { status } = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(status).toBe('complete');
});

test('[CAP-8] paths as deep as the system can name are captured and restored; deeper ones are listed, not lost', () => {
  const at = scene();
  const nest = (levels: number, into: string): void => {
    // Step by step: no single path may be longer than 4096 bytes, but a tree may.
    const script = `cd "$1" && i=0; while [ $i -lt ${levels} ]; do mkdir -p ${'d'.repeat(200)} && cd ${'d'.repeat(200)} || exit 1; i=$((i+1)); done; echo deep >bottom`;
    const { status, stderr } = spawnSync('bash', ['-c', script, 'sh', into], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  put(at.workspace, 'ok/file', '1');
  nest(18, join(at.workspace, 'ok'));
  expect(roundTrip(at).status).toBe('complete');

  put(at.workspace, 'far/file', '1');
  nest(30, join(at.workspace, 'far'));
  const checkpoint = at.retake.json(at.workspace, 'checkpoint');
  expect(checkpoint.status).toBe('partial');
  expect(omitted(checkpoint).every((one) => one.startsWith(`far/${'d'.repeat(200)}`))).toBe(true);
  spawnSync('rm', ['-rf', join(at.workspace, 'far')]);
});

test('[CAP-8] a workspace whose own name is not UTF-8', () => {
  const at = scene();
  const inside = (command: string): string => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `cd "$(printf 'w\\377s')" && ${command}`], {
      cwd: at.workspace,
      env: at.retake.env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stdout + stderr);
    return stdout;
  };
  mkdirSync(Buffer.concat([Buffer.from(`${at.workspace}/w`), Buffer.from([0xff]), Buffer.from('s')]));
  inside('git init -q && echo one >file && git add -A && git commit -qm x');
  const { id } = JSON.parse(inside(`${BIN} checkpoint --json`));
  const before = observeWorkspace(at.workspace);
  inside('echo two >file && mkdir d && touch d/x');
  expect(steps(JSON.parse(inside(`${BIN} rewind ${id} --yes --json`)))).toEqual(['rmdir d', 'delete d/x', 'restore file']);
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[CAP-8] a tracked file with a strange name is seeded right', () => {
  const at = repositoryScene();
  for (const name of ['new\nline', 'latin1 \xe9', '"q"', 'ü']) byteFile(at.workspace, name, `content of ${name}`);
  commitAll(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  expect(storedBytes(storeOf(at), id, 'latin1 \xe9').toString()).toBe('content of latin1 é');
  expect(readFileSync(join(at.workspace, 'new\nline'), 'utf8')).toBe('content of new\nline');
});
