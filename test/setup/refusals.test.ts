import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canBecomeOther, handOver, jsonAsOther, runAsOther } from '../support/other-user.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, type Scene, scene } from '../support/scene.ts';

const directoryOf = (at: Scene): string => join(at.retake.home, '../.claude');

const run =
  (at: Scene) =>
  (...args: string[]) =>
    at.retake.run(at.workspace, ...args);

const handler = '{"type": "command", "command": "echo"}';

const UNUSABLE: [string, string | Buffer][] = [
  ['nothing', ''],
  ['broken JSON', '{"hooks": {'],
  ['JSON with comments', '{} // mine'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a text', '"hooks"'],
  ['hooks that are a list', '{"hooks": []}'],
  ['hooks that are null', '{"hooks": null}'],
  ['an event that is no list', '{"hooks": {"Stop": {}}}'],
  ['a group that is no object', '{"hooks": {"Stop": ["echo"]}}'],
  ['a group without hooks', '{"hooks": {"Stop": [{"matcher": "*"}]}}'],
  ['a hook that is no object', '{"hooks": {"Stop": [{"hooks": ["echo"]}]}}'],
  ['hooks twice', '{"hooks": {}, "\\u0068ooks": {}}'],
  ['an event twice', '{"hooks": {"Stop": [], "Stop": []}}'],
  ['a command twice', `{"hooks": {"Stop": [{"hooks": [{"command": "a", "command": "b"}]}]}}`],
  ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le')],
];

describe('[AGT-1] setup refuses, says why and changes nothing', () => {
  test.each(UNUSABLE)('a settings file that holds %s', (_name, content) => {
    const at = scene();
    const file = put(directoryOf(at), 'settings.json', content);
    const before = readFileSync(file);
    const { message } = expectRefusal(run(at), ['setup', 'claude-code'], 'agent-settings');
    expect(message).toContain(file);
    expectRefusal(run(at), ['setup', 'claude-code', '--remove'], 'agent-settings');
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(directoryOf(at))).toEqual(['settings.json']);
  });

  test('settings that turn all hooks off; removal works even so', () => {
    const at = scene();
    const text = `{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [${handler}]}]}}`;
    const file = put(directoryOf(at), 'settings.json', text);
    expect(expectRefusal(run(at), ['setup', 'claude-code'], 'agent-settings').message).toContain('disableAllHooks');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(at.retake.json(at.workspace, 'setup', 'claude-code', '--remove')).toMatchObject({ changed: false });
  });

  test('a link to nothing, a link to itself, a directory, a pipe', () => {
    for (const make of [
      (path: string) => symlinkSync('/nowhere/settings.json', path),
      (path: string) => symlinkSync('settings.json', path),
      (path: string) => mkdirSync(path),
      (path: string) => execFileSync('mkfifo', [path]),
    ]) {
      const at = scene();
      mkdirSync(directoryOf(at), { recursive: true });
      make(join(directoryOf(at), 'settings.json'));
      expectRefusal(run(at), ['setup', 'claude-code'], 'agent-settings');
      expect(readdirSync(directoryOf(at))).toEqual(['settings.json']);
    }
  });

  test('a file where the directory should be', () => {
    const at = scene();
    put(join(directoryOf(at), '..'), '.claude', 'mine');
    expectRefusal(run(at), ['setup', 'claude-code'], 'agent-settings');
    expect(readFileSync(directoryOf(at), 'utf8')).toBe('mine');
  });

  test.skipIf(!canBecomeOther)('a file or a directory that may not be written, or read', () => {
    for (const [fileMode, directoryMode] of [
      [0o444, 0o755],
      [0o644, 0o555],
      [0o000, 0o755],
    ] as const) {
      const at = scene();
      const file = put(directoryOf(at), 'settings.json', '{"a": 1}', fileMode);
      handOver(at);
      chmodSync(directoryOf(at), directoryMode);
      expectRefusal((...args) => runAsOther(at, ...args), ['setup', 'claude-code'], 'permission');
      expect(readFileSync(file, 'utf8')).toBe('{"a": 1}');
      expect(readdirSync(directoryOf(at))).toEqual(['settings.json']);
      chmodSync(directoryOf(at), 0o755);
      chmodSync(file, 0o644);
      expect(jsonAsOther(at, 'setup', 'claude-code')).toMatchObject({ changed: true });
    }
  });

  test.each([
    ['an agent that there is not', ['setup', 'nobody']],
    ['no agent', ['setup']],
    ['both scopes', ['setup', 'claude-code', '--user', '--project']],
    ['a surplus word', ['setup', 'claude-code', 'twice']],
  ])('%s is wrong usage', (_name, line) => {
    const at = scene();
    mkdirSync(directoryOf(at), { recursive: true });
    expectRefusal(run(at), line, 'usage', 2);
    expect(readdirSync(directoryOf(at))).toEqual([]);
  });

  test('an unknown agent is answered with those that are known', () => {
    const at = scene();
    expect(expectRefusal(run(at), ['setup', 'nobody'], 'usage', 2).hint).toContain('claude-code');
  });
});
