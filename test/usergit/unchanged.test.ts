import { chmodSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  CertainIds,
  objectDirectories,
  packsOf,
  readHead,
  readIgnoreSettings,
  readInfoExclude,
  UserIndex,
} from '../../src/usergit/index.ts';
import { bytes, commitAll, fingerprint, git, newDirectory, newRepository, path, repositoryOf, write } from './support.ts';

/** Settings whose values git would run, each in its place. */
const COMMANDS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.alternateRefsCommand',
  'pager.config',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'diff.external',
  'diff.evil.textconv',
  'credential.helper',
  'remote.origin.uploadpack',
  'gpg.program',
];

test.each(['whole', 'split'])(
  '[CAP-10] reading a repository with a %s index changes nothing in it and runs nothing it names',
  async (kind) => {
    const top = newRepository();
    write(top, { 'a.txt': 'x\n', '.gitattributes': '*.txt filter=evil ident diff=evil\n', 'sub/b.bin': 'y' });
    commitAll(top);
    if (kind === 'split') git(top, ['update-index', '--split-index']);
    git(top, ['gc', '--quiet']);

    const traces = newDirectory();
    const trap = `touch ${join(traces, 'ran')}`;
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
      write(join(top, '.git/hooks'), { [hook]: `#!/bin/sh\n${trap}\n` });
      chmodSync(join(top, '.git/hooks', hook), 0o755);
    }
    for (const key of COMMANDS) git(top, ['config', key, trap]);
    for (const name of ['config', 'cat-file', 'for-each-ref', 'var']) git(top, ['config', `alias.${name}`, `!${trap}`]);
    git(top, ['config', 'remote.origin.url', `ext::${trap}`]);
    git(top, ['config', 'protocol.ext.allow', 'always']);
    // Times that would make git refresh its index.
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(top, 'sub/b.bin'), hourAgo, hourAgo);
    const before = fingerprint(top);

    const repository = repositoryOf(join(top, 'sub'));
    const settings = await readIgnoreSettings(bytes(join(top, 'sub')));
    const index = UserIndex.read(repository);
    const ids = await CertainIds.read(repository, settings, index);
    expect(index.has(path('a.txt'))).toBe(true);
    expect((await readHead(repository)).branch).toBe('main');
    expect([readInfoExclude(repository), packsOf(repository).length, objectDirectories(repository).length]).toEqual([
      expect.any(String),
      1,
      1,
    ]);
    expect(ids).toBeDefined();

    expect(fingerprint(top)).toBe(before);
    expect(readdirSync(traces)).toEqual([]);
  },
);
