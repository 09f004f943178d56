import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectRefusal } from '../support/refusal.ts';
import { put, type Scene, scene } from '../support/scene.ts';

const fileOf = ({ retake }: Scene): string => join(retake.home, 'settings.json');

const written = (at: Scene): unknown => JSON.parse(readFileSync(fileOf(at), 'utf8'));

const write = (at: Scene, text: string): void => {
  mkdirSync(at.retake.home, { recursive: true });
  writeFileSync(fileOf(at), text);
};

const set = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, 'settings', ...args);

test('[CLI] settings tells every setting with its value, where that comes from and what is wanted, and makes nothing', () => {
  const at = scene({ RETAKE_HOOK_DEADLINE_MS: '700' });
  const { settings, unknown, file } = set(at);
  expect(file).toBe(fileOf(at));
  expect(unknown).toEqual([]);
  const byKey = new Map(settings.map((setting: { key: string }) => [setting.key, setting]));
  expect(byKey.get('retention.days')).toMatchObject({ value: 30, default: 30, from: 'default', problem: null });
  expect(byKey.get('hook.deadlineMs')).toMatchObject({
    value: 700,
    default: 2000,
    from: 'environment',
    variable: 'RETAKE_HOOK_DEADLINE_MS',
  });
  expect(existsSync(at.retake.home)).toBe(false);
});

test('[CLI] settings KEY VALUE is in force from the next command on, and --unset takes it out again', () => {
  const at = scene();
  put(at.workspace, 'large', 'x'.repeat(100));
  expect(set(at, 'capture.maxFileBytes', '50')).toMatchObject({ key: 'capture.maxFileBytes', value: 50, from: 'user', source: fileOf(at) });
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ status: 'partial', omissions: [{ path: 'large' }] });
  expect(set(at, 'export.exclude', '["secret", ".env*"]').value).toEqual(['secret', '.env*']);
  expect(set(at, 'conversation.summarizer', '123').value).toBe('123');
  expect(set(at, 'capture.maxFileBytes', '--unset')).toMatchObject({ value: 100_000_000, from: 'default' });
  expect(written(at)).toEqual({ 'export.exclude': ['secret', '.env*'], 'conversation.summarizer': '123' });
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ status: 'complete' });
});

test.each([
  ['a key that there is not', ['retention.weeks', '3'], 'bad-setting', 1],
  ['__proto__', ['__proto__', '3'], 'bad-setting', 1],
  ['a key to take out that there is not', ['retention.weeks', '--unset'], 'bad-setting', 1],
  ['a text for a number', ['retention.days', 'many'], 'bad-setting', 1],
  ['a prefix that no branch can have', ['git.recoveryPrefix', 'a b/'], 'bad-setting', 1],
  ['a number out of its range', ['retention.days', '0'], 'bad-setting', 1],
  ['one of a list that is no text', ['export.exclude', '["a", 1]'], 'bad-setting', 1],
  ['what a variable decides', ['hook.deadlineMs', '100'], 'in-the-way', 1],
  ['a value to take out', ['retention.days', '3', '--unset'], 'usage', 2],
  ['nothing to take out', ['--unset'], 'usage', 2],
  ['an option for a value', ['conversation.summarizer', '--output=x'], 'usage', 2],
])('[CLI] settings refuses %s and leaves no trace', (_, args, code, exit) => {
  const at = scene({ RETAKE_HOOK_DEADLINE_MS: '700' });
  expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['settings', ...args], code, exit);
  expect(existsSync(at.retake.home)).toBe(false);
});

test('[CLI] settings shows what is wrong in the file, which keeps all else from working, and corrects it', () => {
  const at = scene();
  write(at, '{"retention.days": "many", "retention.weeks": 4, "durability": "power"}');
  expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['log'], 'bad-setting', 1);
  const { settings, unknown } = set(at);
  expect(unknown).toMatchObject([{ key: 'retention.weeks', level: 'user', problem: expect.stringContaining('no such setting') }]);
  expect(settings.filter(({ problem }: { problem: string | null }) => problem !== null)).toMatchObject([
    { key: 'retention.days', value: null, from: 'user', problem: expect.stringContaining('a whole number') },
  ]);
  expect(set(at, 'retention.weeks', '--unset')).toEqual({ key: 'retention.weeks', removed: true });
  set(at, 'retention.days', '--unset');
  expect(written(at)).toEqual({ durability: 'power' });
  expect(at.retake.json(at.workspace, 'log')).toEqual({ operations: [] });
});

test('[CLI] settings never writes over a file that is no JSON object', () => {
  const at = scene();
  write(at, '[]');
  expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['settings', 'retention.days', '3'], 'bad-setting', 1);
  expect(readFileSync(fileOf(at), 'utf8')).toBe('[]');
});

test('[CLI] a settings file that is a link elsewhere stays one, with the permissions it had', () => {
  const at = scene();
  mkdirSync(at.retake.home, { recursive: true });
  const real = put(at.workspace, 'dotfiles/retake.json', '{}', 0o640);
  symlinkSync(real, fileOf(at));
  set(at, 'retention.days', '3');
  expect(lstatSync(fileOf(at)).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ 'retention.days': 3 });
});

test('[CLI] settings changed at the same time are all there', async () => {
  const at = scene();
  const keys = ['retention.days', 'retention.forkDays', 'retention.rolledBackDays', 'retention.maxCheckpoints'];
  const runs = await Promise.all(keys.map((key) => at.retake.start(at.workspace, 'settings', key, '7')));
  expect(runs.map(({ code }) => code)).toEqual(keys.map(() => 0));
  expect(written(at)).toEqual(Object.fromEntries(keys.map((key) => [key, 7])));
});
