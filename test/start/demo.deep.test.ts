import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, until } from '../daemon/support.ts';
import { linkIn, pageBehind } from '../support/followed-link.ts';
import { observeDirectory } from '../support/oracle.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Newcomer, newcomer } from './newcomer.ts';

/** The command that `npm start` tells of, with `--json`. */
const ask = ({ command, env }: Newcomer, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, [...args, '--json'], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`retake ${args.join(' ')} exited ${status}\n${stdout}\n${stderr}`);
  return JSON.parse(stdout);
};

test('[AGT-1] [FRK-4] [UI-4] npm start plays a session through the hooks, serves it, and leaves a demo that every verb works on', async () => {
  const at = newcomer();
  const started = at.npm(['start']);
  expect(started).toMatchObject({ code: 0 });
  expect(started.stdout).toContain(`${at.command} forks`);

  expect(await pageBehind(linkIn(started.stdout))).toContain('<title>Retake</title>');

  const { operations } = ask(at, 'log');
  const { forks, tree } = ask(at, 'forks');
  const descriptions = operations.map(({ kind, turn, description }: Record<string, unknown>) => `${kind} t${turn} ${description}`);
  for (const expected of [
    'prompt t1 Add VAT to the cart: 19 %, but 7 % for books.',
    'after-step t1 Write tax.ts',
    'after-step t3 Bash: rm src/print.ts',
    'after-step t5 Bash: git clean -fd',
    'after-step t5 Bash: cp .env.example .env',
  ]) {
    expect(descriptions).toContain(expected);
  }
  expect(operations.filter(({ agentType }: Record<string, unknown>) => agentType === 'general-purpose')).toHaveLength(3);
  expect(operations.find(({ description }: Record<string, unknown>) => description === 'Bash: git clean -fd').files).toMatchObject({
    changed: 7,
    insertions: 0,
  });
  expect(forks).toMatchObject([{ children: [expect.any(String), expect.any(String)], checkpoint: expect.any(String) }]);
  expect(tree[0].children.map(({ title, files }: Record<string, unknown>) => [title, (files as number) > 0])).toEqual([
    ['Round every line to whole cents.', true],
    ['Round only the total, once.', true],
  ]);

  expect(ask(at, 'rewind', 't3', '--scope', 'both', '--dry-run').conversation.turns).toBe(3);
  const owners = ask(at, 'blame', 'README.md').lines.map(({ by }: { by: string }) => by);
  expect(new Set(owners)).toEqual(new Set(['before', 'person']));
  const { id, title } = ask(at, 'sessions').sessions[0];
  expect(title).toBe('Add VAT to the cart: 19 %, but 7 % for books.');
  expect(ask(at, 'report', id).counts).toMatchObject({ turns: 6 });

  ask(at, 'rewind', 't5', '--yes');
  const environment = join(at.demo, 'shop/.env');
  expect(readFileSync(environment, 'utf8')).toContain('live_');
  expect(statSync(environment).mode & 0o777).toBe(0o600);
  const tests = spawnSync(process.execPath, ['--test'], { cwd: join(at.demo, 'shop'), env: at.env, encoding: 'utf8' });
  expect(tests.stdout).toMatch(/(#|ℹ) pass 5\n/);
});

test('[UI-1] a second npm start replaces the demo, --stop ends and removes it, and nothing else of the person is touched', async () => {
  const at = newcomer();
  mkdirSync(join(at.home, '.claude/projects'), { recursive: true });
  writeFileSync(join(at.home, '.claude/settings.json'), '{"theirs": true}\n');
  const ours = { without: (path: string) => path.startsWith('.npm') };
  const before = observeDirectory(at.home, ours);

  expect(at.npm(['start', '--', '--stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no demo') });
  expect(at.npm(['start']).code).toBe(0);
  const first = ask(at, 'daemon', 'status').pid;
  const again = at.npm(['start']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('The last demo was removed') });
  const second = ask(at, 'daemon', 'status').pid;
  expect(second).not.toBe(first);
  expect(ask(at, 'sessions').sessions).toHaveLength(1);
  await until(() => !isAlive(first));

  expect(at.npm(['start', '--', '--stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('is removed') });
  await until(() => !isAlive(second));
  expect(readdirSync(dirname(at.demo)).filter((name) => name.startsWith('retake-demo'))).toEqual([]);
  expect(observeDirectory(at.home, ours)).toEqual(before);
});

test('[UI-1] npm start says in a line what is wrong: no git, a foreign directory in its place, words it does not know', async () => {
  const at = newcomer();
  const tools = temporaryDirectory();
  for (const tool of ['sh', 'node', 'npm', 'readlink', 'env']) {
    const found = at.env.PATH?.split(':').find((directory) => existsSync(join(directory, tool)));
    if (found !== undefined) symlinkSync(join(found, tool), join(tools, tool));
  }
  expect(at.npm(['start', '--silent'], { PATH: tools })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Retake needs git, which was not found in PATH.*\n$/),
  });

  symlinkSync(temporaryDirectory(), at.demo);
  expect(at.npm(['start', '--silent'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a demo of yours') });
  expect(at.npm(['start', '--silent', '--', '--nonsense']).code).toBe(2);
});

test('[SEC] where the usual port is taken, npm start says so and serves at another one', async () => {
  const usual = 4747;
  const taken = createServer();
  onTestFinished(() => void taken.close());
  // Another test may have it for a while.
  taken.on('error', () => setTimeout(() => taken.listen(usual, '127.0.0.1'), 200));
  await new Promise<void>((resolve) => taken.listen(usual, '127.0.0.1', resolve));
  const at = newcomer();
  const { code, stdout } = at.npm(['start']);
  expect(code).toBe(0);
  expect(stdout).toContain(`Port ${usual} is taken`);
  expect(new URL(linkIn(stdout)).port).not.toBe(String(usual));
});
