import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blobSizes } from '../../src/usergit/objects/blob-sizes.ts';
import { commitAll, fingerprint, git, gitText, newDirectory, newRepository, repositoryOf, write } from './support.ts';

describe('blobSizes', () => {
  const repositoryWithBlobs = (): { top: string; ids: string[] } => {
    const top = newRepository();
    write(top, { a: 'x'.repeat(10), b: '', c: 'y'.repeat(1000) });
    commitAll(top);
    return { top, ids: ['a', 'b', 'c'].map((name) => gitText(top, 'rev-parse', `:${name}`)) };
  };
  const sizesOf = async (top: string, ids: string[]): Promise<(number | null)[]> =>
    Array.from(await blobSizes(repositoryOf(top), ids), (size) => (Number.isNaN(size) ? null : size));
  const MISSING = '1'.repeat(40);

  test('[STO-2] tells the sizes of those that are there, loose or packed', async () => {
    const { top, ids } = repositoryWithBlobs();
    const [a, b, c] = ids as [string, string, string];
    expect(await sizesOf(top, [a, MISSING, b, b, c])).toEqual([10, null, 0, 0, 1000]);
    git(top, ['repack', '-adq']);
    expect(await sizesOf(top, [c, b, a])).toEqual([1000, 0, 10]);
    expect(await sizesOf(top, [])).toEqual([]);
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
      expect(await sizesOf(top, [...ids, MISSING])).toEqual([null, null, null, null]);
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
    expect(await sizesOf(top, ids)).toEqual([null, null, null]);
  });

  test('[CAP-7] a repository that git refuses has no sizes', async () => {
    const { top, ids } = repositoryWithBlobs();
    git(top, ['config', 'core.repositoryFormatVersion', '99']);
    expect(await sizesOf(top, ids)).toEqual([null, null, null]);
  });
});
