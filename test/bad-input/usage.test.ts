import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCheckpoint, Workspace } from '../../src/engine/index.ts';
import { fsck } from '../support/private-store.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, scene, storeOf } from '../support/scene.ts';

test.each([
  ['an unknown verb', ['frobnicate']],
  ['an unknown option', ['log', '--frobnicate']],
  ['an unknown global option', ['--frobnicate', 'log']],
  ['a missing argument', ['show']],
  ['an argument too many', ['log', 'surplus']],
  ['an option without its value', ['checkpoint', '--name']],
  ['a limit that is no number', ['log', '--limit', 'many']],
  ['a limit of nothing', ['log', '--limit', '0']],
  ['a limit beyond all numbers', ['log', '--limit', '1e300']],
  ['a limit that is not exact', ['log', '--limit', '9007199254740993']],
  ['a limit not in digits', ['reflog', '--limit', '0x10']],
  ['a scope that does not exist', ['rewind', '@-1', '--scope', 'universe']],
  ['--stat and --patch together', ['diff', '@-1', '--stat', '--patch']],
  ['an empty name', ['checkpoint', '--name', '']],
  ['a name of blanks', ['checkpoint', '--name', '  ']],
  ['a name that begins with @', ['checkpoint', '--name', '@-1']],
  ['a name of two lines', ['checkpoint', '--name', 'a\nb']],
  ['a name too long', ['checkpoint', '--name', 'n'.repeat(201)]],
  ['a note too long', ['checkpoint', '--note', 'n'.repeat(10_001)]],
  ['an empty session', ['checkpoint', '--session', '']],
  ['a session with a newline', ['checkpoint', '--session', 'a\nb']],
  ['no target', ['rewind', '--yes']],
  ['an empty path to go back', ['rewind', '@-1', '--path', '', '--yes']],
  ['an empty path among others', ['rewind', '@-1', '--path', 'file', '', '--yes']],
  ['an empty path to compare', ['diff', '@-1', '--path', '']],
  ['an empty path to ask about', ['blame', '']],
])('[CLI] %s is wrong usage: exit code 2, one line, nothing recorded', (_, line) => {
  const at = scene();
  put(at.workspace, 'file', '1');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), line, 'usage', 2);
  expect(existsSync(at.retake.home)).toBe(false);
});

test.each([
  ['many dots', '.'.repeat(200)],
  ['many letters that are not ASCII', 'é'.repeat(200)],
  ['a way out', '../../../../refs/heads/last'],
  ['a lock', 'x.lock'],
  ['@{', '@{-1}'],
  ['a dash', '-rf'],
  ['__proto__', '__proto__'],
])('[REL-6] a session id of %s is recorded or refused as wrong usage', (_, session) => {
  const at = scene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'file', '2');
  const run = at.retake.run(at.workspace, 'checkpoint', `--session=${session}`, '--json');
  if (run.code === 0) {
    expect(at.retake.json(at.workspace, 'log', `--session=${session}`).operations.map(({ id }: { id: string }) => id)).toEqual([
      run.json.id,
    ]);
    at.retake.json(at.workspace, 'rebuild');
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(2);
  } else {
    expect.soft(run).toMatchObject({ code: 2, json: { error: { code: 'usage' } } });
    expect.soft(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
  }
  put(at.workspace, 'file', '3');
  expect(at.retake.run(at.workspace, 'checkpoint').code, 'the next checkpoint').toBe(0);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[CKP-3] the fifty-first manual checkpoint of a session is refused with what to do; another session, or a deletion, makes room', async () => {
  const at = scene();
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const workspace = await Workspace.open({ directory: at.workspace });
  for (let i = 0; i < 50; i++) {
    put(at.workspace, 'file', `${i}`);
    await createCheckpoint(workspace, { name: `number ${i}` });
  }
  workspace.close();
  put(at.workspace, 'file', 'one too many');
  const { message, hint } = expectRefusal(
    (...args) => at.retake.run(at.workspace, ...args),
    ['checkpoint', '--name', 'x'],
    'too-many-manual',
  );
  expect(message).toContain('50');
  expect(hint).toContain('retake delete');
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(50);
  expect(at.retake.json(at.workspace, 'checkpoint', '--session', 'other').changed).toBe(1);
  at.retake.json(at.workspace, 'delete', 'number 7');
  expect(at.retake.json(at.workspace, 'checkpoint', '--name', 'x').id).toMatch(/^[0-9a-f]{40}$/);
});

test.each([
  ['RETAKE_CAPTURE_MAX_FILES', 'many', 'capture.maxFiles'],
  ['RETAKE_CAPTURE_MAX_FILES', '0', 'capture.maxFiles'],
  ['RETAKE_CAPTURE_MAX_FILES', '', 'capture.maxFiles'],
  ['RETAKE_CAPTURE_MAX_FILE_BYTES', '1e99', 'capture.maxFileBytes'],
  ['RETAKE_CAPTURE_MAX_TOTAL_BYTES', '-5', 'capture.maxTotalBytes'],
  ['RETAKE_CAPTURE_INCLUDE', '.env', 'capture.include'],
  ['RETAKE_CAPTURE_ALLOWED_ROOTS', '{}', 'capture.allowedRoots'],
  ['RETAKE_DURABILITY', 'maximal', 'durability'],
])('[CLI] a bad value %s=%j names the setting', (variable, value, key) => {
  const at = scene({ [variable]: value });
  const { message } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['checkpoint'], 'bad-setting');
  expect(message).toContain(key);
  expect(message).toContain(variable);
});

test.each([
  ['{"capture.maxFiles": "many"}', 'capture.maxFiles'],
  ['{"capture.include": [1]}', 'capture.include'],
  ['{"durability": null}', 'durability'],
  ['{"capture.maxfiles": 5}', 'capture.maxfiles'],
  ['{"toString": 5}', 'toString'],
  ['{"__proto__": {"capture.maxFiles": 1}}', '__proto__'],
  ['{"durability": "power",}', 'settings.json'],
  ['[]', 'settings.json'],
  ['null', 'settings.json'],
  ['', 'settings.json'],
])('[CLI] settings.json with %s names what is wrong', (text, named) => {
  const at = scene();
  mkdirSync(at.retake.home, { recursive: true });
  writeFileSync(join(at.retake.home, 'settings.json'), text);
  const { message } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['log'], 'bad-setting');
  expect(message).toContain(named);
});

test.each([[['--help']], [['help']], [['checkpoint', '--help']], [['--version']]])(
  '[CLI] %j exits 0 and prints to standard output',
  (args) => {
    const at = scene();
    const run = at.retake.run(at.workspace, ...args);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).not.toBe('');
  },
);

test('[CLI] no verb at all is wrong usage and shows how it is used', () => {
  const at = scene();
  const run = at.retake.run(at.workspace);
  expect(run.code).toBe(2);
  expect(run.stdout + run.stderr).toMatch(/checkpoint/);
});
