import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { canNameBranch } from '../../src/model/index.ts';

const GOOD = ['recovery/x', 'a', 'a-b.c_d/e', 'x@y', 'ä/ö', 'a.lock.b', 'head', 'a/-b', '@', '@a', 'a/@', 'a{b}'];
const BAD = ['', 'HEAD', '-a', '/a', 'a/', 'a//b', 'a b', ' a', 'a ', 'a..b', '..bad', '.a', 'a/.b', 'a.', 'a.lock', 'a.lock/b', 'a@{b'];
const NEVER = [...'~^:?*[\\\t\n\x01\x7f'].map((one) => `a${one}b`);

test('[GIT-5] what can name a branch is what git says', () => {
  for (const name of [...GOOD, ...BAD, ...NEVER]) {
    // Words for other branches are told as these.
    const { stdout } = spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/', encoding: 'utf8' });
    expect([canNameBranch(name), name !== '' && stdout === `${name}\n`], JSON.stringify(name)).toEqual([
      GOOD.includes(name),
      GOOD.includes(name),
    ]);
  }
});
