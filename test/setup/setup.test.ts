import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Conversation } from '../daemon/claude-code.ts';
import { DIST, daemonScene } from '../daemon/support.ts';
import { BIN, retakeIn } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'PreCompact', 'SessionEnd'];
const FOREIGN = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo bye"}]}]}}\n';

const userFile = (at: Scene): string => join(at.retake.home, '../.claude/settings.json');

/** The commands of an event in a settings file. */
const commandsOf = (file: string, event: string): string[] =>
  (JSON.parse(readFileSync(file, 'utf8')).hooks[event] ?? []).flatMap(({ hooks }: { hooks: { command: string }[] }) =>
    hooks.map(({ command }) => command),
  );

const setUp = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, 'setup', 'claude-code', ...args);

describe('[AGT-1] setup claude-code', () => {
  test('makes the settings file with a hook for every event, says so, and does nothing the second time', () => {
    const at = scene();
    const file = userFile(at);
    expect(setUp(at)).toEqual({
      agent: 'claude-code',
      scope: 'user',
      file,
      changed: true,
      added: EVENTS,
      replaced: [],
      kept: [],
      removed: [],
      backup: null,
      fileRemoved: false,
    });
    const bytes = readFileSync(file);
    const { hooks } = JSON.parse(bytes.toString());
    expect(Object.keys(hooks)).toEqual(EVENTS);
    expect(hooks.PreToolUse).toEqual([
      { matcher: '*', hooks: [{ type: 'command', command: expect.any(String), timeout: expect.any(Number) }] },
    ]);
    expect(hooks.UserPromptSubmit[0]).not.toHaveProperty('matcher');
    expect(setUp(at)).toMatchObject({ changed: false, added: [], kept: EVENTS });
    expect(readFileSync(file)).toEqual(bytes);
    expect(setUp(at, '--remove')).toMatchObject({ changed: true, removed: EVENTS, backup: null });
    expect(existsSync(file)).toBe(false);
    expect(setUp(at, '--remove')).toMatchObject({ changed: false, removed: [] });
  });

  test('tells people what it did and how to check it', () => {
    const at = scene();
    put(join(at.retake.home, '..'), '.claude/settings.json', FOREIGN);
    const run = at.retake.run(at.workspace, 'setup', 'claude-code');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/Restart sessions.*retake status/) });
    expect(run.stdout).toContain(userFile(at));
    expect(run.stdout).toContain(EVENTS.join(', '));
    expect(run.stdout).toContain(`${userFile(at)}.retake-backup`);
  });

  test('--project writes the local settings at the root of the workspace and nothing of the user', () => {
    const at = scene();
    gitIn(at.workspace, 'init', '-q');
    mkdirSync(join(at.workspace, 'deep/down'), { recursive: true });
    const file = join(at.workspace, '.claude/settings.local.json');
    expect(at.retake.json(join(at.workspace, 'deep/down'), 'setup', 'claude-code', '--project')).toMatchObject({ scope: 'project', file });
    expect(commandsOf(file, 'Stop')).toHaveLength(1);
    expect(existsSync(userFile(at))).toBe(false);
    setUp(at, '--project', '--remove');
    expect(readdirSync(at.workspace).sort()).toEqual(['.git', 'deep']);
  });

  test('CLAUDE_CONFIG_DIR is where the user settings are, when it is set', () => {
    const elsewhere = temporaryDirectory();
    const at = scene({ CLAUDE_CONFIG_DIR: elsewhere });
    expect(setUp(at).file).toBe(join(elsewhere, 'settings.json'));
    expect(existsSync(userFile(at))).toBe(false);
  });

  test('hooks of others survive in the same event and in the same group, also removal', () => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', FOREIGN);
    setUp(at);
    expect(commandsOf(file, 'Stop')).toEqual(['echo bye', expect.stringContaining('hook.cjs claude-code || :')]);
    // Somebody adds to our group.
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.hooks.PreToolUse[0].hooks.push({ type: 'command', command: 'echo mine' });
    writeFileSync(file, JSON.stringify(settings));
    setUp(at, '--remove');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      hooks: { ...JSON.parse(FOREIGN).hooks, PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'echo mine' }] }] },
    });
  });

  test('an older installation is replaced, its doubles and events of former times are taken out', () => {
    const at = scene();
    const ours = (path: string) => ({ type: 'command', command: `'${path}/node' '${path}/dist/hook.cjs' claude-code`, timeout: 7 });
    const installed = {
      Stop: [{ hooks: [ours('/old')] }, { hooks: [{ type: 'command', command: 'echo bye' }, ours('/older')] }],
      Notification: [{ hooks: [ours('/old')] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '/usr/bin/retake hook claude-code' }] }],
    };
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', JSON.stringify({ hooks: installed }));
    expect(setUp(at)).toMatchObject({ replaced: ['PreToolUse', 'Stop'], backup: null });
    const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
    expect(hooks.Stop).toEqual([
      { hooks: [{ type: 'command', command: expect.not.stringContaining('/old'), timeout: 7 }] },
      { hooks: [{ type: 'command', command: 'echo bye' }] },
    ]);
    expect(hooks).not.toHaveProperty('Notification');
    expect(commandsOf(file, 'PreToolUse')).toEqual(commandsOf(file, 'SessionEnd'));
  });

  test('--dry-run shows a change that git can apply, and makes none', () => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', FOREIGN);
    const { diff, changed, backup } = setUp(at, '--dry-run');
    expect({ changed, backup }).toEqual({ changed: true, backup: null });
    expect(readFileSync(file, 'utf8')).toBe(FOREIGN);
    expect(readdirSync(join(file, '..'))).toEqual(['settings.json']);
    expect(at.retake.run(at.workspace, 'setup', 'claude-code', '--dry-run').stdout).toBe(diff);
    const elsewhere = temporaryDirectory();
    const copy = put(elsewhere, file, FOREIGN);
    writeFileSync(join(elsewhere, 'patch'), diff);
    gitIn(elsewhere, 'apply', 'patch');
    setUp(at);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(setUp(at, '--dry-run')).toMatchObject({ changed: false, diff: '' });
    expect(setUp(at, '--remove', '--dry-run')).toMatchObject({ changed: true, removed: expect.arrayContaining(EVENTS) });
    expect(commandsOf(file, 'SessionEnd')).toHaveLength(1);
  });
});

describe('[AGT-1] the settings file', () => {
  test.each([0o600, 0o640, 0o666, 0o664])('keeps its mode %o, and so does its backup', (mode) => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', FOREIGN, mode);
    const { backup } = setUp(at);
    expect(statSync(file).mode & 0o7777).toBe(mode);
    expect(statSync(backup).mode & 0o7777).toBe(mode);
    setUp(at, '--remove');
    expect(statSync(file).mode & 0o7777).toBe(mode);
  });

  test('that is a link stays one, and what it names is written', () => {
    const at = scene();
    const target = put(temporaryDirectory(), 'dotfiles/claude.json', FOREIGN);
    mkdirSync(join(userFile(at), '..'), { recursive: true });
    symlinkSync(target, userFile(at));
    setUp(at);
    expect(readlinkSync(userFile(at))).toBe(target);
    expect(commandsOf(target, 'Stop')).toHaveLength(2);
    expect(lstatSync(target).isFile()).toBe(true);
    setUp(at, '--remove');
    expect(readlinkSync(userFile(at))).toBe(target);
    expect(readFileSync(target, 'utf8')).toBe(FOREIGN);
  });

  test('is not removed from behind a link, even if nothing is left in it', () => {
    const at = scene();
    const target = put(temporaryDirectory(), 'claude.json', '{}');
    mkdirSync(join(userFile(at), '..'), { recursive: true });
    symlinkSync(target, userFile(at));
    rmSync(setUp(at).backup);
    setUp(at, '--remove');
    expect(readFileSync(userFile(at), 'utf8')).toBe('{}');
  });

  test('is kept as it was under a name that nothing has yet', () => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', FOREIGN);
    put(join(at.retake.home, '..'), '.claude/settings.json.retake-backup', 'older');
    put(join(at.retake.home, '..'), '.claude/settings.json.retake-backup-9', 'old');
    expect(setUp(at).backup).toBe(`${file}.retake-backup-10`);
    expect(readFileSync(`${file}.retake-backup-10`, 'utf8')).toBe(FOREIGN);
    // Changed since: then the earlier state is worth keeping.
    writeFileSync(file, readFileSync(file, 'utf8').replace('echo bye', 'echo farewell'));
    expect(setUp(at, '--remove').backup).toBe(`${file}.retake-backup-10`);
    expect(readFileSync(file, 'utf8')).toBe(FOREIGN.replace('echo bye', 'echo farewell'));
    expect(readFileSync(`${file}.retake-backup-10`, 'utf8')).toBe(FOREIGN);
    expect(readFileSync(`${file}.retake-backup`, 'utf8')).toBe('older');
  });

  test('that was not there is gone after removal, although one was there and kept before', () => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', '{ }');
    setUp(at);
    setUp(at, '--remove');
    expect(readFileSync(file, 'utf8')).toBe('{ }');
    rmSync(file);
    setUp(at);
    setUp(at, '--remove');
    expect(existsSync(file)).toBe(false);
  });
});

/** Runs what an agent would: the command in a shell, with next to no environment and another Node, if any. */
const runInstalled = (file: string, event: string, payload: string, home: string) => {
  const [command = ''] = commandsOf(file, event);
  return spawnSync('/bin/sh', ['-c', command], {
    input: payload,
    env: { PATH: '/usr/bin:/bin', HOME: home, RETAKE_HOOK_DEADLINE_MS: '60000' },
    encoding: 'utf8',
    cwd: '/',
  });
};

describe('[AGT-1] an installed hook', () => {
  test('records an event with another PATH and environment, and where RETAKE_HOME was at setup', () => {
    const at = daemonScene({}, join(temporaryDirectory(), 'it\'s $HOME, "quoted"'));
    put(at.workspace, 'file', '1');
    setUp(at);
    const payload = new Conversation('session', at.workspace).prompt('p1', 'do it');
    expect(runInstalled(userFile(at), 'UserPromptSubmit', payload, at.retake.env.HOME as string)).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(at.retake.json(at.workspace, 'log').operations).toMatchObject([{ kind: 'prompt', description: 'do it' }]);
  });

  test('works from a place whose name has blanks and quotes, and is known again when Retake has moved', () => {
    const at = daemonScene();
    put(at.workspace, 'file', '1');
    const place = join(temporaryDirectory(), 'Bob\'s "tools" $(x)');
    cpSync(DIST, join(place, 'dist'), { recursive: true });
    cpSync(join(BIN, '..'), join(place, 'bin'), { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"type":"module"}');
    const run = spawnSync(process.execPath, [join(place, 'bin/start.cjs'), 'setup', 'claude-code', '--json'], {
      env: at.retake.env,
      encoding: 'utf8',
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const payload = new Conversation('session', at.workspace).prompt('p1', 'do it');
    expect(runInstalled(userFile(at), 'UserPromptSubmit', payload, at.retake.env.HOME as string)).toMatchObject({ status: 0, stderr: '' });
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
    expect(setUp(at)).toMatchObject({ added: [], replaced: EVENTS });
  });

  test('is one command without RETAKE_HOME when that is not set', () => {
    const home = temporaryDirectory();
    const retake = retakeIn(home, { RETAKE_HOME: '' });
    retake.json(home, 'setup', 'claude-code');
    const [command] = commandsOf(join(home, '.claude/settings.json'), 'Stop');
    expect(command).toMatch(/^\S+\/node \S+\/dist\/hook\.cjs claude-code \|\| :$/);
  });
});

describe('[AGT-1] status', () => {
  const hooksIn = (at: Scene) => at.retake.json(at.workspace, 'status').hooks;

  test('says where hooks are, or that there are none', () => {
    const at = scene();
    expect(hooksIn(at)).toEqual([]);
    expect(at.retake.run(at.workspace, 'status').stderr).toContain('retake setup claude-code');
    setUp(at);
    setUp(at, '--project');
    const sound = { agent: 'claude-code', by: 'settings', missingEvents: [], missingFiles: [], disabledBy: null };
    const local = join(at.workspace, '.claude/settings.local.json');
    expect(hooksIn(at)).toEqual([
      { ...sound, scope: 'user', file: userFile(at) },
      { ...sound, scope: 'project', file: local },
    ]);
    expect(at.retake.run(at.workspace, 'status').stdout).toContain(`claude-code, project: ${local}`);
  });

  test('names the files that hooks need and that are gone, and events that nobody tells of', () => {
    const at = scene();
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: "'/gone now/node' /gone/dist/hook.cjs claude-code" }] }] };
    put(join(at.retake.home, '..'), '.claude/settings.json', JSON.stringify({ hooks }));
    expect(hooksIn(at)).toMatchObject([
      { missingFiles: ['/gone now/node', '/gone/dist/hook.cjs'], missingEvents: EVENTS.filter((event) => event !== 'Stop') },
    ]);
    expect(at.retake.run(at.workspace, 'status').stdout).toMatch(
      /\/gone\/dist\/hook\.cjs, which is gone; run again: retake setup claude-code\n/,
    );
  });

  test('says that hooks are turned off, by the file that decides', () => {
    const at = scene();
    setUp(at);
    const local = put(at.workspace, '.claude/settings.local.json', '{"disableAllHooks": true}');
    expect(hooksIn(at)).toMatchObject([{ scope: 'user', disabledBy: local }]);
    writeFileSync(local, '{"disableAllHooks": false}');
    expect(hooksIn(at)).toMatchObject([{ scope: 'user', disabledBy: null }]);
  });

  test('sees the plugin where it is turned on, unless a later file turns it off', () => {
    const at = scene();
    const file = put(join(at.retake.home, '..'), '.claude/settings.json', '{"enabledPlugins": {"other@x": true, "retake@retake": true}}');
    const plugin = { agent: 'claude-code', by: 'plugin', scope: 'user', file, missingEvents: [], missingFiles: [], disabledBy: null };
    expect(hooksIn(at)).toEqual([plugin]);
    expect(at.retake.run(at.workspace, 'status').stdout).toContain(`claude-code, user plugin: ${file}`);
    put(at.workspace, '.claude/settings.json', '{"enabledPlugins": {"retake@retake": false}}');
    expect(hooksIn(at)).toEqual([]);
  });

  test('goes on where settings can not be read', () => {
    const at = scene();
    setUp(at);
    put(at.workspace, '.claude/settings.local.json', '{"hooks": [');
    mkdirSync(join(at.workspace, '.claude/settings.json'));
    expect(hooksIn(at)).toMatchObject([{ scope: 'user' }]);
  });
});
