import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { linkIn, pageBehind } from '../support/followed-link.ts';
import { observeDirectory } from '../support/oracle.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { newcomer } from './newcomer.ts';

test('[CAP-1] [AGT-1] npm start -- DIR records it, serves it, names the command for Claude Code, and changes nothing of the person', async () => {
  const at = newcomer();
  const project = temporaryDirectory();
  writeFileSync(join(project, 'a.txt'), 'a\n');
  mkdirSync(join(at.home, '.claude'));
  writeFileSync(join(at.home, '.claude/settings.json'), '{}\n');
  const before = [observeDirectory(project), observeDirectory(join(at.home, '.claude'))];
  const retake = (...args: string[]) => spawnSync(BIN, ['-C', project, ...args, '--json'], { env: at.env, encoding: 'utf8' });
  onTestFinished(() => void retake('daemon', 'stop'));

  const { code, stdout } = at.npm(['start', '--silent', '--', project]);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Recorded ${project} as checkpoint [0-9a-f]{10}, complete\n`));
  expect(stdout).toContain(`\n    ${BIN} setup claude-code\n`);
  expect([observeDirectory(project), observeDirectory(join(at.home, '.claude'))]).toEqual(before);

  expect(await pageBehind(linkIn(stdout))).toContain('<title>Retake</title>');
  expect(JSON.parse(retake('log').stdout).operations).toMatchObject([{ kind: 'manual' }]);
});

test('[CAP-9] npm start refuses what is no project: nothing there, a file, the home directory, /', () => {
  const at = newcomer();
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  const refused = (named: string): string => {
    const { code, stderr } = at.npm(['start', '--silent', '--', named]);
    expect(code).toBe(1);
    return stderr;
  };
  expect(refused(join(file, '../nothing'))).toContain('There is no directory');
  expect(refused(file)).toContain('is a file');
  for (const directory of [at.home, '/']) expect(refused(directory)).toContain(`${directory} is not protected`);
  expect(observeDirectory(at.home, { without: (path) => path.startsWith('.npm') })).toEqual(new Map());
});
