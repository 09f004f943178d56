import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { commitAll, gitState, put, repositoryScene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const HOOKS = [
  'pre-commit',
  'post-index-change',
  'post-checkout',
  'reference-transaction',
  'pre-auto-gc',
  'post-rewrite',
  'fsmonitor-watchman',
  'sendemail-validate',
];

/** Every way a repository has to name a program; each would leave a file behind. */
const boobyTrap = (repository: string, marks: string): void => {
  const trap = (name: string): string => {
    const script = join(marks, `${name}.sh`);
    writeFileSync(script, `#!/bin/sh\ntouch '${marks}/${name}.ran'\ncat\n`);
    chmodSync(script, 0o755);
    return script;
  };
  mkdirSync(join(repository, '.git/hooks'), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(repository, '.git/hooks', hook), readFileSync(trap(hook)));
    chmodSync(join(repository, '.git/hooks', hook), 0o755);
  }
  const settings: Record<string, string> = {
    'core.fsmonitor': trap('fsmonitor'),
    'core.hooksPath': join(repository, '.git/hooks'),
    'core.sshCommand': trap('ssh'),
    'core.gitProxy': trap('proxy'),
    'core.pager': trap('pager'),
    'core.editor': trap('editor'),
    'core.askPass': trap('askpass'),
    'core.alternateRefsCommand': trap('alternate-refs'),
    'credential.helper': trap('credential'),
    'diff.external': trap('diff-external'),
    'diff.trap.textconv': trap('textconv'),
    'diff.trap.command': trap('diff-command'),
    'filter.trap.clean': trap('clean'),
    'filter.trap.smudge': trap('smudge'),
    'filter.trap.process': trap('process'),
    'merge.trap.driver': trap('merge-driver'),
    'gpg.program': trap('gpg'),
    'uploadpack.packObjectsHook': trap('pack-objects'),
    'remote.origin.url': `ext::${trap('ext')}`,
    'remote.origin.promisor': 'true',
    'remote.origin.partialclonefilter': 'blob:none',
    'protocol.allow': 'always',
    'gc.auto': '1',
    'maintenance.auto': 'true',
  };
  for (const [key, value] of Object.entries(settings)) gitIn(repository, 'config', key, value);
  put(repository, '.gitattributes', '* filter=trap diff=trap merge=trap\n');
};

test('[CAP-10] no program that a repository names is ever run', () => {
  const at = repositoryScene();
  const marks = temporaryDirectory();
  put(at.workspace, 'a.txt', 'one\n');
  put(at.workspace, 'b.txt', 'one\n');
  commitAll(at.workspace);
  const nested = join(at.workspace, 'nested');
  mkdirSync(nested);
  gitIn(nested, 'init', '-q');
  put(nested, 'n.txt', 'one\n');
  commitAll(nested);
  boobyTrap(at.workspace, marks);
  boobyTrap(nested, marks);
  const git = gitState(join(at.workspace, '.git'));
  const run = (...args: string[]): void => {
    at.retake.json(at.workspace, ...args);
    const ran = readdirSync(marks).filter((name) => name.endsWith('.ran'));
    expect(ran, `after retake ${args.join(' ')}`).toEqual([]);
  };

  run('checkpoint', '--name', 'start');
  put(at.workspace, 'a.txt', 'two\n');
  put(at.workspace, 'nested/n.txt', 'two\n');
  run('checkpoint', '--name', 'later');
  put(at.workspace, 'b.txt', 'two\n');
  run('diff', 'start', '--patch');
  run('diff', 'start', 'later', '--patch');
  run('rewind', 'start', '--dry-run');
  run('rewind', 'start', '--yes');
  run('undo', '--yes');
  run('redo', '--yes');
  run('log');
  run('show', 'start');
  run('delete', 'later');
  run('gc');
  run('check');
  run('rebuild');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('one\n');
  expect(gitState(join(at.workspace, '.git'))).toEqual(git);
  // The traps are real: git itself walks into one.
  gitIn(at.workspace, 'status');
  expect(existsSync(join(marks, 'fsmonitor.ran'))).toBe(true);
});
