import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readIgnoreSettings, UserIndex } from '../../src/usergit/index.ts';
import { Conversions } from '../../src/usergit/settings/conversions.ts';
import { commitAll, git, HOME, makeFifo, newRepository, path, repositoryOf, write } from './support.ts';

beforeEach(() => {
  for (const name of readdirSync(HOME)) rmSync(join(HOME, name), { recursive: true });
});

const conversionsOf = async (top: string): Promise<Conversions> => {
  const repository = repositoryOf(top);
  return Conversions.read(repository, await readIgnoreSettings(repository.top), UserIndex.read(repository));
};

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
      '"z"filter=x',
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
    makeFifo(join(top, 'a/.gitattributes'));
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
