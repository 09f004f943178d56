import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, repositoryScene, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const set = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, 'settings', ...args);

const fileOf = (at: Scene): string => set(at).workspaceFile;

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const writeIn = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test('[CLI] settings: a workspace’s own value wins over the user’s, and a variable over both; each is told with its file or variable', () => {
  const at = scene();
  const other = { ...at, workspace: temporaryDirectory() };
  set(at, 'retention.days', '60');
  expect(set(at, 'retention.days', '5', '--workspace')).toMatchObject({
    value: 5,
    from: 'workspace',
    source: fileOf(at),
    given: { user: 60, workspace: 5 },
  });
  expect(set(other, 'retention.days')).toMatchObject({ value: 60, from: 'user', source: join(at.retake.home, 'settings.json') });
  const told = (...args: string[]) => JSON.parse(at.retake.run(at.workspace, 'settings', 'retention.days', '--json', ...args).stdout);
  expect(told()).toMatchObject({ value: 5, from: 'workspace' });
  Object.assign(at.retake.env, { RETAKE_RETENTION_DAYS: '9' });
  expect(told()).toMatchObject({ value: 9, from: 'environment', source: 'RETAKE_RETENTION_DAYS', given: { user: 60, workspace: 5 } });
  delete at.retake.env.RETAKE_RETENTION_DAYS;
  expect(set(at, 'retention.days', '--unset', '--workspace')).toMatchObject({ value: 60, from: 'user' });
  expect(set(at, 'retention.days', '--unset', '--user')).toMatchObject({ value: 30, from: 'default', source: null });
});

test('[SEC] the settings of a workspace are kept outside of it, and none that it brings counts', () => {
  const at = repositoryScene();
  put(at.workspace, '.retake/settings.json', '{"record.automatic": false}');
  put(at.workspace, 'settings.json', '{"conversation.summarizer": "touch pwned"}');
  const before = readdirSync(at.workspace).sort();
  set(at, 'retention.days', '5', '--workspace');
  expect(readdirSync(at.workspace).sort()).toEqual(before);
  expect(gitIn(at.workspace, 'status', '--porcelain')).not.toContain('5');
  expect(fileOf(at).startsWith(join(at.retake.home, 'workspaces'))).toBe(true);
  const { settings } = set(at);
  expect(settings.filter(({ from }: { from: string }) => from === 'workspace' || from === 'user')).toMatchObject([
    { key: 'retention.days' },
  ]);
});

test('[CLI] what a workspace sets is in force there with the next command, and nowhere else', () => {
  const at = scene();
  const other = { ...at, workspace: temporaryDirectory() };
  for (const { workspace } of [at, other]) put(workspace, 'large', 'x'.repeat(100));
  set(at, 'capture.maxFileBytes', '50', '--workspace');
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ status: 'partial', omissions: [{ path: 'large' }] });
  expect(at.retake.json(other.workspace, 'checkpoint')).toMatchObject({ status: 'complete' });
  // From a directory inside, the same workspace is meant.
  put(at.workspace, 'inside/file', '');
  at.retake.json(join(at.workspace, 'inside'), 'settings', 'capture.maxFileBytes', '--unset', '--workspace');
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ status: 'complete' });
});

test.each([
  ['daemon.idleMinutes', '5'],
  ['daemon.maxWatches', '5'],
  ['server.port', '5000'],
  ['hook.deadlineMs', '5'],
  ['capture.allowedRoots', '["/"]'],
  ['retention.maxTotalBytes', '5'],
])('[CLI] settings %s is refused for one workspace, with the reason, and leaves no trace', (key, value) => {
  const at = scene();
  const { message } = expectRefusal(
    (...line) => at.retake.run(at.workspace, ...line),
    ['settings', key, value, '--workspace'],
    'bad-setting',
    1,
  );
  expect(message).toContain('can not be set for one workspace: ');
  expect(existsSync(at.retake.home)).toBe(false);
  expect(set(at, key)).toMatchObject({ levels: ['user'] });
  expect(set(at, key, value)).toMatchObject({ from: 'user' });
});

test('[CLI] what is wrong in the file of a workspace is told with the file, the key, what it is and what is wanted, and mended there', () => {
  const at = scene();
  const file = fileOf(at);
  const refusal = (...args: string[]) => expectRefusal((...line) => at.retake.run(at.workspace, ...line), args, 'bad-setting', 1);
  writeIn(file, '{"retention.days": "many"}');
  expect(refusal('log').message).toBe(
    `The setting retention.days in ${file} is wrong: it is "many", expected a whole number from 1 to 100000`,
  );
  expect(refusal('log').hint).toContain('retake settings retention.days --unset --workspace');
  set(at, 'retention.days', '--unset', '--workspace');
  writeIn(file, '{"retenton.days": 3, "server.port": 5000}');
  expect(refusal('log').message).toContain(`retenton.days in ${file} is wrong: there is no such setting; did you mean retention.days?`);
  expect(set(at).unknown).toMatchObject([
    { key: 'retenton.days', level: 'workspace' },
    { key: 'server.port', level: 'workspace', problem: expect.stringContaining('can not be set for one workspace') },
  ]);
  set(at, 'retenton.days', '--unset', '--workspace');
  expect(set(at, 'server.port', '--unset', '--workspace')).toMatchObject({ value: 4747, from: 'default' });
  expect(readJson(file)).toEqual({});
  expect(at.retake.json(at.workspace, 'log')).toEqual({ operations: [] });
  writeIn(file, '{"retention.days": 3,');
  expect(refusal('settings', 'retention.forkDays', '3').message).toContain(`${file} is not a JSON object`);
  expect(existsSync(join(at.retake.home, 'settings.json'))).toBe(false);
});

test.each([
  ['retention.day', 'retention.days'],
  ['retnetion.days', 'retention.days'],
  ['capture.excludes', 'capture.exclude'],
  ['Record.Automatic', 'record.automatic'],
  ['skipTools', 'record.skipTools'],
  ['port', 'server.port'],
])('[CLI] settings %s: there is none, and %s is suggested', (key, meant) => {
  const at = scene();
  const { message } = expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['settings', key, '3'], 'bad-setting', 1);
  expect(message).toContain(`did you mean ${meant}`);
});

test('[CLI] settings suggests nothing that nobody can have meant', () => {
  const at = scene();
  const { message } = expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['settings', 'x'.repeat(5000)], 'bad-setting', 1);
  expect(message).not.toContain('did you mean');
});

test('[CLI] settings of one level alone are listed with --user and --workspace, which exclude each other', () => {
  const at = scene();
  set(at, 'retention.days', '60');
  set(at, 'retention.days', '5', '--workspace');
  set(at, 'record.automatic', 'false');
  const keys = (...args: string[]) => set(at, ...args).settings.map(({ key }: { key: string }) => key);
  expect(keys('--workspace')).toEqual(['retention.days']);
  expect(keys('--user')).toEqual(['record.automatic', 'retention.days']);
  expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['settings', '--user', '--workspace'], 'usage', 2);
});

test('[CLI] people are told where each value comes from, and when one that they set for all does not count here', () => {
  const at = scene({ RETAKE_HOOK_DEADLINE_MS: '700' });
  set(at, 'retention.days', '5', '--workspace');
  const { stdout, stderr } = at.retake.run(at.workspace, 'settings');
  expect(stdout).toMatch(/retention\.days +workspace +5/);
  expect(stdout).toMatch(/hook\.deadlineMs +RETAKE_HOOK_DEADLINE_MS +700/);
  expect(stderr).toContain(fileOf(at));
  const told = at.retake.run(at.workspace, 'settings', 'retention.days', '60');
  expect(told.stdout).toMatch(/user +60, which does not count here/);
  expect(told.stderr).toContain('this one has its own value');
  const unset = at.retake.run(at.workspace, 'settings', 'retention.days', '--unset');
  expect(unset.stderr).toMatch(/not set for all .* this one has its own value.*retake settings retention\.days --unset --workspace/);
  expect(at.retake.run(at.workspace, 'settings', 'retention.days', '--unset', '--workspace').stderr).not.toContain('own value');
});

test('[CLI] settings of two levels changed at the same time by many are all there', async () => {
  const at = scene();
  const keys = ['retention.days', 'retention.forkDays', 'retention.rolledBackDays', 'retention.maxCheckpoints'];
  const lines = keys.flatMap((key) => [
    [key, '7'],
    [key, '8', '--workspace'],
  ]);
  const runs = await Promise.all(lines.map((line) => at.retake.start(at.workspace, 'settings', ...line)));
  expect(runs.map(({ code }) => code)).toEqual(lines.map(() => 0));
  expect(readJson(join(at.retake.home, 'settings.json'))).toEqual(Object.fromEntries(keys.map((key) => [key, 7])));
  expect(readJson(fileOf(at))).toEqual(Object.fromEntries(keys.map((key) => [key, 8])));
});
