import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { storedBytes } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, roundTrip, type Scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Conversion {
  readonly name: string;
  readonly attributes: string;
  readonly config?: readonly [string, string][];
  readonly files: Record<string, string | Buffer>;
}

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const CONVERSIONS: Conversion[] = [
  {
    name: 'text=auto eol=crlf',
    attributes: '* text=auto eol=crlf',
    files: { 'unix.txt': 'a\nb\n', 'dos.txt': 'a\r\nb\r\n', mixed: 'a\r\nb\n' },
  },
  { name: 'text eol=lf', attributes: '* text eol=lf', files: { 'dos.txt': 'a\r\nb\r\n', 'unix.txt': 'a\nb\n' } },
  { name: 'core.autocrlf', attributes: '', config: [['core.autocrlf', 'true']], files: { 'dos.txt': 'a\r\nb\r\n', 'unix.txt': 'a\nb\n' } },
  {
    name: 'ident',
    attributes: '* ident',
    files: { 'v.c': 'char *v = "$Id$";\n', 'w.c': '$Id: 0123456789012345678901234567890123456789 $\n' },
  },
  {
    name: 'a filter that changes sizes',
    attributes: '*.txt filter=rot',
    config: [
      ['filter.rot.clean', 'sed s/secret/x/'],
      ['filter.rot.smudge', 'sed s/x/secret/'],
    ],
    files: { 'a.txt': 'a secret\n', 'b.bin': 'a secret\n' },
  },
  {
    name: 'a filter that keeps sizes',
    attributes: '*.txt filter=swap',
    config: [
      ['filter.swap.clean', 'tr ab ba'],
      ['filter.swap.smudge', 'tr ab ba'],
    ],
    files: { 'a.txt': 'abab\n' },
  },
  { name: 'working-tree-encoding=UTF-16', attributes: '*.utf16 text working-tree-encoding=UTF-16', files: { 'a.utf16': utf16('héllo\n') } },
];

const expectRawBytes = ({ retake, workspace }: Scene, id: string, files: Conversion['files']): void => {
  for (const path of Object.keys(files)) {
    expect(storedBytes(storeOf({ retake, workspace }), id, path).equals(readFileSync(join(workspace, path))), path).toBe(true);
  }
};

test.each(CONVERSIONS)('[CAP-4] bytes are stored as they are on disk under $name', ({ attributes, config = [], files }) => {
  const at = repositoryScene();
  for (const [key, value] of config) gitIn(at.workspace, 'config', key, value);
  if (attributes !== '') put(at.workspace, '.gitattributes', `${attributes}\n`);
  for (const [path, content] of Object.entries(files)) put(at.workspace, path, content);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (const [path, content] of Object.entries(files)) {
    expect(storedBytes(storeOf(at), id, path).equals(Buffer.from(content)), path).toBe(true);
  }

  commitAll(at.workspace);
  const seeded = { workspace: at.workspace, retake: retakeIn(temporaryDirectory()) };
  expectRawBytes(seeded, seeded.retake.json(at.workspace, 'checkpoint').id, files);

  // What git itself writes out, with the attributes at work.
  for (const path of Object.keys(files)) rmSync(join(at.workspace, path));
  gitIn(at.workspace, 'checkout', '-q', '.');
  const fresh = { workspace: at.workspace, retake: retakeIn(temporaryDirectory()) };
  const { id: again } = fresh.retake.json(at.workspace, 'checkpoint');
  expectRawBytes(fresh, again, files);
  roundTrip(fresh, { git: join(at.workspace, '.git') });
});

test('[CAP-4] attributes taken away after a checkout do not make the blob of the index pass for the bytes on disk', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitattributes', '* text eol=crlf\n');
  put(at.workspace, 'a.txt', 'one\ntwo\n');
  commitAll(at.workspace);
  rmSync(join(at.workspace, 'a.txt'));
  gitIn(at.workspace, 'checkout', '-q', '.');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
  rmSync(join(at.workspace, '.gitattributes'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  expect(storedBytes(storeOf(at), id, 'a.txt').toString()).toBe('one\r\ntwo\r\n');
});
