import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toFs } from '../../src/model/index.ts';
import { looseObjectPath, objectDirectories, packsOf } from '../../src/usergit/index.ts';
import { commitAll, git, gitText, newDirectory, newRepository, repositoryOf, write } from './support.ts';

const packed = (...options: string[]): string => {
  const top = newRepository(...options);
  write(top, { a: basename(top) });
  commitAll(top);
  git(top, ['repack', '-adq']);
  return top;
};

const packOf = (top: string): string => {
  const [pack] = packsOf(repositoryOf(top));
  if (pack === undefined) throw new Error(`no pack in ${top}`);
  return pack;
};

describe('object sources', () => {
  test('[STO-2] packs of the repository, shared by its worktrees', () => {
    const top = packed();
    expect(existsSync(`${packOf(top)}.pack`)).toBe(true);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', linked]);
    expect(packOf(linked)).toBe(packOf(top));
  });

  test('[STO-2] packs of alternates, near and far, relative, quoted, in a circle', () => {
    const [a, b, c] = [packed(), packed(), packed()];
    const objects = (top: string): string => join(top, '.git/objects');
    const odd = join(newDirectory(), 'new\nline"ü');
    renameSync(c, odd);
    writeFileSync(join(objects(a), 'info/alternates'), `# comment\n${relative(objects(a), objects(b))}\n/nowhere\n\n`);
    writeFileSync(
      join(objects(b), 'info/alternates'),
      `"${objects(odd).replace('\n', '\\n').replace('"', '\\"').replace('ü', '\\303\\274')}"\n${objects(a)}\n`,
    );
    expect(packsOf(repositoryOf(a))).toEqual([packOf(a), packOf(b), packsOf(repositoryOf(odd))[0]]);
    // git finds the same objects there.
    for (const pack of packsOf(repositoryOf(a))) expect(existsSync(toFs(`${pack}.idx` as typeof pack))).toBe(true);
    expect(gitText(a, 'cat-file', '-t', gitText(odd, 'rev-parse', 'HEAD'))).toBe('commit');
  });

  test('[STO-2] only whole packs with an index of version 2', () => {
    const top = packed();
    const pack = packOf(top);
    writeFileSync(join(top, '.git/objects/pack/pack-1.idx'), '');
    writeFileSync(join(top, '.git/objects/pack/pack-2.pack'), '');
    writeFileSync(join(top, '.git/objects/pack/pack-3.pack'), '');
    writeFileSync(join(top, '.git/objects/pack/pack-3.idx'), 'not an index');
    mkdirSync(join(top, '.git/objects/pack/pack-4.pack'));
    writeFileSync(join(top, '.git/objects/pack/pack-4.idx'), Buffer.from('ff744f6300000002', 'hex'));
    expect(packsOf(repositoryOf(top))).toEqual([pack]);
    git(top, ['index-pack', '--index-version=1', `${pack}.pack`, '-o', join(top, 'v1.idx')]);
    rmSync(`${pack}.idx`);
    renameSync(join(top, 'v1.idx'), `${pack}.idx`);
    expect(packsOf(repositoryOf(top))).toEqual([]);
  });

  test('[STO-2] of a sha256 repository too, none where nothing is packed', () => {
    expect(existsSync(`${packOf(packed('--object-format=sha256'))}.pack`)).toBe(true);
    expect(packsOf(repositoryOf(newRepository()))).toEqual([]);
  });

  test('[STO-2] loose objects', () => {
    const top = newRepository();
    const commit = commitAll(top);
    const [own] = objectDirectories(repositoryOf(top));
    expect(own && existsSync(looseObjectPath(own, commit))).toBe(true);
    appendFileSync(join(top, '.git/objects/info/alternates'), '/nowhere\n');
    expect(objectDirectories(repositoryOf(top))).toEqual([own]);
  });
});
