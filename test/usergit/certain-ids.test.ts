import { lstatSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CertainIds, readIgnoreSettings, UserIndex } from '../../src/usergit/index.ts';
import fc from '../support/property.ts';
import { commitAll, git, gitText, HOME, newRepository, path, repositoryOf, write } from './support.ts';

beforeEach(() => {
  for (const name of readdirSync(HOME)) rmSync(join(HOME, name), { recursive: true });
});

const certainIdsOf = async (top: string): Promise<CertainIds> => {
  const repository = repositoryOf(top);
  return CertainIds.read(repository, await readIgnoreSettings(repository.top), UserIndex.read(repository));
};

/** Makes everything older than the index, as it is in any repository that was not cloned this very moment. */
const age = (top: string, names: readonly string[]): void => {
  const index = join(top, '.git/index');
  const now = lstatSync(index).mtimeMs / 1000;
  for (const name of names) utimesSync(join(top, name), now, now - 10);
  git(top, ['update-index', '-q', '--refresh']);
  utimesSync(index, now, now + 10);
};

const rawId = (top: string, name: string): string => gitText(top, 'hash-object', '--no-filters', '--', name);

const ATTRIBUTES = [
  'text',
  '-text',
  'text=auto',
  'eol=crlf',
  'eol=lf',
  'crlf',
  '-crlf',
  'crlf=input',
  'binary',
  '!text',
  'diff',
  'ident',
  '-ident',
  'filter=swap',
  '-filter',
  'working-tree-encoding=UTF-16LE',
  'odd',
  'filter',
];
const EOL_ONLY =
  /^(?:\S+ )(?:-?text|text=auto|eol=\w+|-?crlf|crlf=input|binary|!text|diff)(?: (?:-?text|text=auto|eol=\w+|-?crlf|crlf=input|binary|!text|diff))*$/;
const PATTERNS = ['*', '*.txt', '*.TXT', 'a.txt', 'b.*', 'sub/*', '/a.txt', '"a.txt"', '**/b.bin', 'sub'];
const FILES = ['a.txt', 'b.bin', 'c', 'sub/a.txt', 'sub/b.bin', 'sub/deep/c.txt'];
/** Pieces whose conversion keeps, loses or gains bytes; an id of forty digits is overwritten in place when
 * checked out, and the last piece is as long in UTF-16 as in UTF-8. */
const PIECES = [
  'line\n',
  'line\r\n',
  '\r',
  '$Id$',
  '$Id: 0123456789012345678901234567890123456789 $\n',
  '$Id: x$',
  '\0',
  'ä',
  'nN',
  'a\0-N',
];

const lines = fc.array(
  fc
    .tuple(fc.constantFrom(...PATTERNS), fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { minLength: 1, maxLength: 3 }))
    .map(([pattern, attributes]) => [pattern, ...attributes].join(' ')),
  { maxLength: 3 },
);
const contents = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(''));

interface Story {
  readonly root: readonly string[];
  readonly sub: readonly string[];
  readonly info: readonly string[];
  readonly own: readonly string[];
  readonly macro: boolean;
  readonly autocrlf: string;
  readonly eol: string;
  readonly contents: readonly string[];
  /** How blob and file came to differ: staged from the file, or checked out from the blob. */
  readonly checkedOut: boolean;
  /** Attributes change after that, and git does not look again. */
  readonly forgetsEol: boolean;
}

const story: fc.Arbitrary<Story> = fc.record({
  root: lines,
  sub: lines,
  info: lines,
  own: lines,
  macro: fc.boolean(),
  autocrlf: fc.constantFrom('true', 'input', 'false'),
  eol: fc.constantFrom('lf', 'crlf'),
  contents: fc.array(contents, { minLength: FILES.length, maxLength: FILES.length }),
  checkedOut: fc.boolean(),
  forgetsEol: fc.boolean(),
});

const writeAttributes = (top: string, { root, sub, info, own }: Pick<Story, 'root' | 'sub' | 'info' | 'own'>): void => {
  const text = (attributes: readonly string[]): string => attributes.map((line) => `${line}\n`).join('');
  write(HOME, { '.config/git/attributes': text(own) });
  write(top, { '.git/info/attributes': text(info), '.gitattributes': text(root), 'sub/.gitattributes': text(sub) });
  git(top, ['add', '.gitattributes', 'sub/.gitattributes']);
};

/** What the user's git makes of a story; it throws where an encoding is asked for that the content does not have. */
const enact = (top: string, told: Story): void => {
  const settings = { 'filter.swap.clean': 'tr nN Nn', 'filter.swap.smudge': 'tr nN Nn', 'core.eol': told.eol, 'core.safecrlf': 'false' };
  for (const [key, value] of Object.entries(settings)) git(top, ['config', key, value]);
  const before = { ...told, root: [...(told.macro ? ['[attr]odd filter=swap'] : []), ...told.root] };
  write(HOME, { '.config/git/attributes': '' });
  for (const [i, name] of FILES.entries()) write(top, { [name]: told.contents[i] as string });
  // Blobs with carriage returns and expanded ids get in before there are attributes.
  if (told.checkedOut) git(top, ['add', '--all']);
  git(top, ['config', 'core.autocrlf', told.autocrlf]);
  writeAttributes(top, before);
  if (told.checkedOut) {
    for (const name of FILES) rmSync(join(top, name));
    git(top, ['checkout-index', '--all', '--force', '--index']);
  } else {
    git(top, ['add', '--all']);
  }
  if (told.forgetsEol) {
    const kept = (attributes: readonly string[]): string[] => attributes.filter((line) => !EOL_ONLY.test(line));
    git(top, ['config', 'core.autocrlf', 'false']);
    writeAttributes(top, { root: kept(before.root), sub: kept(told.sub), info: kept(told.info), own: kept(told.own) });
  }
  const index = join(top, '.git/index');
  const now = lstatSync(index).mtimeMs / 1000;
  utimesSync(index, now, now + 10);
};

describe('CertainIds', () => {
  test('[STO-2] whatever the attributes, a certain id is that of the raw bytes', async () => {
    let certain = 0;
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const top = newRepository();
        try {
          enact(top, told);
        } catch {
          fc.pre(false);
        }
        const ids = await certainIdsOf(top);
        for (const name of FILES) {
          const id = ids.idOf(path(name), lstatSync(join(top, name)));
          if (id === undefined) continue;
          certain++;
          expect([name, id]).toEqual([name, rawId(top, name)]);
        }
        rmSync(top, { recursive: true });
      }),
      { numRuns: 60 },
    );
    // A room that trusts nothing would pass the above.
    expect(certain).toBeGreaterThan(0);
  });

  test('[STO-2] a file checked out with carriage returns is not trusted after its attributes are gone', async () => {
    const top = newRepository();
    write(top, { 'f.bat': 'one\ntwo\n', 'g.sh': 'one\n' });
    const plain = commitAll(top);
    write(top, { '.gitattributes': '*.bat eol=crlf\n' });
    commitAll(top);
    rmSync(join(top, 'f.bat'));
    git(top, ['checkout', '--', 'f.bat']);
    git(top, ['checkout', '--quiet', plain]);
    age(top, ['f.bat', 'g.sh']);
    expect(readFileSync(join(top, 'f.bat'), 'latin1')).toBe('one\r\ntwo\r\n');
    const ids = await certainIdsOf(top);
    expect(ids.idOf(path('f.bat'), lstatSync(join(top, 'f.bat')))).toBeUndefined();
    expect(ids.idOf(path('g.sh'), lstatSync(join(top, 'g.sh')))).toBe(rawId(top, 'g.sh'));
  });

  test('[STO-2] changed, racy, planned and unknown files are not certain', async () => {
    const top = newRepository();
    const names = ['same', 'edited', 'touched', 'replaced', 'empty'];
    write(top, { same: 'x', edited: 'x', touched: 'x', replaced: 'x', empty: '', untracked: 'x', planned: '' });
    git(top, ['add', ...names]);
    git(top, ['add', '--intent-to-add', 'planned']);
    age(top, [...names, 'planned']);
    const before = await certainIdsOf(top);
    const idOf = (ids: CertainIds, name: string): string | undefined => ids.idOf(path(name), lstatSync(join(top, name)));
    const mtime = lstatSync(join(top, 'edited')).mtimeMs / 1000;
    write(top, { edited: 'y', replaced: 'x' });
    utimesSync(join(top, 'edited'), mtime, mtime);
    utimesSync(join(top, 'touched'), mtime, mtime);
    expect(['same', 'empty'].map((name) => idOf(before, name))).toEqual(['same', 'empty'].map((name) => rawId(top, name)));
    for (const name of ['edited', 'touched', 'replaced', 'untracked', 'planned']) expect(idOf(before, name)).toBeUndefined();
    utimesSync(join(top, '.git/index'), mtime, mtime - 1);
    expect(idOf(await certainIdsOf(top), 'same')).toBeUndefined();
  });
});
