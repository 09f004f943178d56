import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { fromText } from '../../src/model/index.ts';
import { blobSizes } from '../../src/usergit/blob-sizes.ts';
import { Conversions } from '../../src/usergit/conversions.ts';
import { CertainIds, readIgnoreSettings, UserIndex } from '../../src/usergit/index.ts';
import { commitAll, fingerprint, git, gitText, HOME, newDirectory, newRepository, path, repositoryOf, write } from './support.ts';

beforeEach(() => {
  for (const name of readdirSync(HOME)) rmSync(join(HOME, name), { recursive: true });
});

const conversionsOf = async (top: string): Promise<Conversions> => {
  const repository = repositoryOf(top);
  return Conversions.read(repository, await readIgnoreSettings(repository.top), UserIndex.read(repository));
};

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

const tracked = (top: string): string[] => git(top, ['ls-files', '-z']).toString().split('\0').slice(0, -1);

const rawId = (top: string, name: string): string => gitText(top, 'hash-object', '--no-filters', '--', name);

describe('Conversions', () => {
  const ask = async (attributes: Record<string, string>, names: string[]): Promise<boolean[]> => {
    const top = newRepository();
    write(top, attributes);
    const conversions = await conversionsOf(top);
    return names.map((name) => conversions.sizeTells(path(name)));
  };

  test('[STO-2] end-of-line conversion always shows in the size', async () => {
    expect(await ask({ '.gitattributes': '* text=auto eol=crlf\n*.png binary\n' }, ['a', 'b/c', 'd.png'])).toEqual([true, true, true]);
  });

  test('[STO-2] a filter, an encoding or an ident does not; others are not suspected for it', async () => {
    const attributes =
      '\xef\xbb\xbf*.psd filter=lfs diff=lfs -text\r\n# *.c ident\n\n  secret.h\tident\n*.utf working-tree-encoding=UTF-16\n*.off -filter !ident\n';
    const names = ['a.psd', 'x/B.PSD', 'secret.h', 'x/secret.h', 'a.utf', 'a.c', 'a.off', 'psd', 'not-secret.h'];
    expect(await ask({ '.gitattributes': attributes.replace('\xef\xbb\xbf', '\ufeff') }, names)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  test('[STO-2] what is not plainly written stands for everything below it', async () => {
    const lines = [
      'a?c filter=x',
      'a/b filter=x',
      '"a b" filter=x',
      '[abc] filter=x',
      '*a* filter=x',
      '\\*.a filter=x',
      '/a filter=x',
      '[attr]odd filter=x',
      '** ident',
    ];
    for (const line of lines) {
      expect(await ask({ 'sub/.gitattributes': `${line}\n` }, ['sub/z', 'sub/deep/z', 'z', 'subz/z'])).toEqual([false, false, true, true]);
    }
  });

  test('[STO-2] the user’s and the repository’s own attributes count', async () => {
    const top = newRepository();
    write(HOME, { '.config/git/attributes': '*.a filter=x\n' });
    writeFileSync(join(top, '.git/info/attributes'), '*.b filter=x\n');
    const conversions = await conversionsOf(top);
    expect(['f.a', 'f.b', 'f.c'].map((name) => conversions.sizeTells(path(name)))).toEqual([false, false, true]);
  });

  test('[STO-2] an attributes file that is not as in the index makes everything below it doubtful', async () => {
    const top = newRepository();
    write(top, { 'a/.gitattributes': '*.x filter=f\n', 'b/.gitattributes': '*.x text\n', 'c/.gitattributes': '*.x text\n' });
    commitAll(top);
    write(top, { 'a/.gitattributes': '*.x text\n' });
    rmSync(join(top, 'b/.gitattributes'));
    const conversions = await conversionsOf(top);
    expect(['a/f', 'a/deep/f', 'b/f', 'c/f', 'f'].map((name) => conversions.sizeTells(path(name)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test('[STO-2] a FIFO or a symlink named .gitattributes does not hang, and is not trusted', async () => {
    const top = newRepository();
    write(top, { 'a/f': '', 'b/f': '' });
    execFileSync('mkfifo', [join(top, 'a/.gitattributes')]);
    symlinkSync('/dev/zero', join(top, 'b/.gitattributes'));
    const conversions = await conversionsOf(top);
    expect(['a/f', 'b/f', 'f'].map((name) => conversions.sizeTells(path(name)))).toEqual([false, false, true]);
  });

  test('[STO-2] attributes from a commit are not guessed at', async () => {
    const top = newRepository();
    git(top, ['config', 'attr.tree', 'HEAD']);
    expect((await conversionsOf(top)).sizeTells(path('f'))).toBe(false);
  });
});

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
/** Pieces whose conversion keeps, loses or gains bytes; an id of forty digits is overwritten in place when checked out. */
const PIECES = ['line\n', 'line\r\n', '\r', '$Id$', '$Id: 0123456789012345678901234567890123456789 $\n', '$Id: x$', '\0', 'ä', 'nN'];

const lines = fc.array(
  fc
    .tuple(fc.constantFrom(...PATTERNS), fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { minLength: 1, maxLength: 3 }))
    .map(([pattern, attributes]) => [pattern, ...attributes].join(' ')),
  { maxLength: 3 },
);
const contents = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(''));

const story = fc.record({
  root: lines,
  sub: lines,
  info: lines,
  own: lines,
  macro: fc.boolean(),
  autocrlf: fc.constantFrom('true', 'input', 'false'),
  eol: fc.constantFrom('lf', 'crlf'),
  contents: fc.array(contents, { minLength: FILES.length, maxLength: FILES.length }),
  // How blob and file came to differ: staged from the file, or checked out from the blob.
  checkedOut: fc.boolean(),
  // Attributes change after that, and git does not look again.
  forgetsEol: fc.boolean(),
});

describe('CertainIds', () => {
  test('[STO-2] whatever the attributes, a certain id is that of the raw bytes', async () => {
    let certain = 0;
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const top = newRepository();
        const text = (attributes: readonly string[]): string => attributes.map((line) => `${line}\n`).join('');
        const root = [...(told.macro ? ['[attr]odd filter=swap'] : []), ...told.root];
        write(HOME, { '.config/git/attributes': '' });
        for (const [key, value] of Object.entries({
          'filter.swap.clean': 'tr nN Nn',
          'filter.swap.smudge': 'tr nN Nn',
          'core.autocrlf': told.autocrlf,
          'core.eol': told.eol,
          'core.safecrlf': 'false',
        }))
          git(top, ['config', key, value]);
        for (const [i, name] of FILES.entries()) write(top, { [name]: told.contents[i] as string });
        // Blobs with carriage returns and expanded ids get in before there are attributes.
        if (told.checkedOut) git(top, ['-c', 'core.autocrlf=false', 'add', '--all']);
        write(HOME, { '.config/git/attributes': text(told.own) });
        writeFileSync(join(top, '.git/info/attributes'), text(told.info));
        write(top, { '.gitattributes': text(root), 'sub/.gitattributes': text(told.sub) });
        try {
          git(top, ['add', '.gitattributes', 'sub/.gitattributes']);
          if (!told.checkedOut) git(top, ['add', '--all']);
        } catch {
          // An encoding that the content does not have: the user's git refuses, and there is nothing to compare.
          fc.pre(false);
        }
        if (told.checkedOut) {
          for (const name of FILES) rmSync(join(top, name));
          git(top, ['checkout-index', '--all', '--force', '--index']);
        }
        const kept = (attributes: readonly string[]): string[] => attributes.filter((line) => !EOL_ONLY.test(line));
        if (told.forgetsEol) {
          write(top, { '.gitattributes': text(kept(root)), 'sub/.gitattributes': text(kept(told.sub)) });
          git(top, ['-c', 'core.autocrlf=false', 'add', '.gitattributes', 'sub/.gitattributes']);
          writeFileSync(join(top, '.git/info/attributes'), text(kept(told.info)));
          write(HOME, { '.config/git/attributes': text(kept(told.own)) });
          git(top, ['config', 'core.autocrlf', 'false']);
        }
        const index = join(top, '.git/index');
        utimesSync(index, lstatSync(index).atimeMs / 1000, lstatSync(index).mtimeMs / 1000 + 10);

        const ids = await certainIdsOf(top);
        for (const name of FILES) {
          const id = ids.idOf(path(name), lstatSync(join(top, name)));
          if (id === undefined) continue;
          certain++;
          expect([name, id]).toEqual([name, rawId(top, name)]);
        }
        rmSync(top, { recursive: true });
      }),
      { numRuns: 80 },
    );
    // A room that trusts nothing would pass the above.
    expect(certain).toBeGreaterThan(40);
  }, 120_000);

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
    const { mtime } = lstatSync(join(top, 'edited'));
    write(top, { edited: 'y', replaced: 'x' });
    utimesSync(join(top, 'edited'), mtime, mtime);
    utimesSync(join(top, 'touched'), mtime, mtime);
    expect(['same', 'empty'].map((name) => idOf(before, name))).toEqual(['same', 'empty'].map((name) => rawId(top, name)));
    for (const name of ['edited', 'touched', 'replaced', 'untracked', 'planned']) expect(idOf(before, name)).toBeUndefined();
    utimesSync(join(top, '.git/index'), mtime, mtime);
    expect(idOf(await certainIdsOf(top), 'same')).toBeUndefined();
  });

  test('[CAP-10] nothing in the repository changes, and nothing it names is run', async () => {
    const top = newRepository();
    write(top, { 'a.txt': 'x\n', '.gitattributes': '*.txt filter=evil ident\n', 'b.bin': 'y' });
    commitAll(top);
    const traces = newDirectory();
    const trap = `touch ${join(traces, 'ran')}; false`;
    write(traces, { 'hook.sh': `#!/bin/sh\n${trap}\n` });
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.external',
      'alias.config',
      'alias.cat-file',
      'credential.helper',
      'remote.origin.uploadpack',
    ])
      git(top, ['config', key, trap]);
    git(top, ['config', 'core.hooksPath', traces]);
    git(top, ['config', 'remote.origin.url', `ext::sh -c 'touch ${join(traces, 'ran')}'`]);
    git(top, ['config', 'protocol.allow', 'always']);
    utimesSync(join(top, 'b.bin'), 1, 1);
    const before = fingerprint(top);
    await certainIdsOf(top);
    expect(fingerprint(top)).toBe(before);
    expect(readdirSync(traces)).toEqual(['hook.sh']);
  });
});

describe('blobSizes', () => {
  const repositoryWithBlobs = (): { top: string; ids: string[] } => {
    const top = newRepository();
    write(top, { a: 'x'.repeat(10), b: '', c: 'y'.repeat(1000) });
    commitAll(top);
    return { top, ids: tracked(top).map((name) => gitText(top, 'rev-parse', `:${name}`)) };
  };
  const MISSING = '1'.repeat(40);

  test('[STO-2] tells the sizes of those that are there, loose or packed', async () => {
    const { top, ids } = repositoryWithBlobs();
    const [a, b, c] = ids as [string, string, string];
    const expected = new Map([
      [a, 10],
      [b, 0],
      [c, 1000],
    ]);
    expect(await blobSizes(repositoryOf(top), [a, MISSING, b, b, c])).toEqual(expected);
    git(top, ['repack', '-adq']);
    expect(await blobSizes(repositoryOf(top), ids)).toEqual(expected);
    expect(await blobSizes(repositoryOf(top), [])).toEqual(new Map());
  });

  test.each(['remote.origin.promisor', 'remote.evil.partialCloneFilter', 'extensions.partialClone'])(
    '[CAP-10] with %s nothing is asked, since git would fetch what is missing',
    async (key) => {
      const { top, ids } = repositoryWithBlobs();
      const trace = join(newDirectory(), 'ran');
      git(top, ['config', 'remote.origin.url', `ext::touch ${trace}`]);
      git(top, ['config', 'remote.evil.url', `ext::touch ${trace}`]);
      git(top, ['config', 'protocol.ext.allow', 'always']);
      git(top, ['config', key, key.endsWith('promisor') ? 'true' : key.startsWith('ext') ? 'origin' : 'blob:none']);
      git(top, ['config', 'core.repositoryFormatVersion', '1']);
      const before = fingerprint(top);
      expect(await blobSizes(repositoryOf(top), [...ids, MISSING])).toEqual(new Map());
      expect(fingerprint(top)).toBe(before);
      expect(() => lstatSync(trace)).toThrow('ENOENT');
      // The trap is a real one.
      expect(() => git(top, ['cat-file', '-s', MISSING])).toThrow();
      expect(lstatSync(trace).isFile()).toBe(true);
    },
  );

  test('[STO-2] where objects are replaced nothing is certain', async () => {
    const { top, ids } = repositoryWithBlobs();
    git(top, ['replace', '-f', ids[0] as string, git(top, ['hash-object', '-w', '--stdin'], 'z'.repeat(10)).toString().trim()]);
    expect(await blobSizes(repositoryOf(top), ids)).toEqual(new Map());
  });

  test('[CAP-7] a repository that git refuses has no sizes', async () => {
    const { top, ids } = repositoryWithBlobs();
    git(top, ['config', 'core.repositoryFormatVersion', '99']);
    expect(await blobSizes(repositoryOf(top), ids)).toEqual(new Map());
    expect(fromText(top)).toBe(repositoryOf(top).top);
  });
});
