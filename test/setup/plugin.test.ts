import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES, hookGroup } from '../../src/agents/claude-code/hook-events.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { daemonScene } from '../daemon/support.ts';
import { BIN } from '../support/cli.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const PLUGIN = join(import.meta.dirname, '../../integrations/claude-code');

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const { hooks } = readJson(join(PLUGIN, 'hooks/hooks.json'));

/** Runs a hook of the plugin as the client does. */
const runPluginHook = (event: string, payload: string, env: Record<string, string>, plugin = PLUGIN) =>
  spawnSync('/bin/sh', ['-c', hooks[event][0].hooks[0].command], {
    input: payload,
    env: { ...env, CLAUDE_PLUGIN_ROOT: plugin, RETAKE_HOOK_DEADLINE_MS: '60000' },
    encoding: 'utf8',
  });

const SILENT = { status: 0, stdout: '', stderr: '' };
const PROMPT = (at: Scene) => new Conversation('session', at.workspace).prompt('p1', 'do it');

/** The plugin as the client keeps it: a copy, far from the package. */
const copied = (): string => {
  const plugin = join(temporaryDirectory(), "plugins of Bob's/retake");
  cpSync(PLUGIN, plugin, { recursive: true });
  return plugin;
};

describe('[AGT-1] the plugin of Claude Code', () => {
  test('asks for the events that setup asks for, in the same way', () => {
    const expected = EVENT_NAMES.map((event) => [event, [hookGroup(event, expect.stringContaining('scripts/retake" hook claude-code'))]]);
    expect(hooks).toEqual(Object.fromEntries(expected));
    expect(Object.keys(hooks)).toEqual(EVENT_NAMES);
  });

  test('has the version of the package', () => {
    const { version } = readJson(join(PLUGIN, '../../package.json'));
    expect(readJson(join(PLUGIN, '.claude-plugin/plugin.json'))).toMatchObject({ name: 'retake', version });
  });

  test('is what the marketplace of the package offers', () => {
    const root = join(PLUGIN, '../..');
    const { plugins } = readJson(join(root, '.claude-plugin/marketplace.json'));
    expect(plugins).toMatchObject([{ name: 'retake' }]);
    expect(join(root, plugins[0].source)).toBe(PLUGIN);
    expect(readJson(join(root, 'package.json')).files).toEqual(expect.arrayContaining(['.claude-plugin', 'bin', 'dist', 'integrations']));
  });

  test('records with the package that it lies in', () => {
    const at = daemonScene();
    put(at.workspace, 'file', '1');
    expect(runPluginHook('UserPromptSubmit', PROMPT(at), at.retake.env)).toMatchObject(SILENT);
    expect(at.retake.json(at.workspace, 'log').operations).toMatchObject([{ kind: 'prompt', description: 'do it' }]);
  });

  test('records with the program in PATH when it was copied elsewhere', () => {
    const at = daemonScene();
    put(at.workspace, 'file', '1');
    const programs = temporaryDirectory();
    symlinkSync(BIN, join(programs, 'retake'));
    const env = { ...at.retake.env, PATH: `${programs}:${at.retake.env.PATH}` };
    expect(runPluginHook('UserPromptSubmit', PROMPT(at), env, copied())).toMatchObject(SILENT);
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
  });

  test('without a program ends with 0, and says so once per session', () => {
    const at = scene();
    const env = { HOME: at.workspace, PATH: temporaryDirectory() };
    const plugin = copied();
    for (const event of EVENT_NAMES.filter((name) => name !== 'SessionStart')) {
      expect(runPluginHook(event, '{}', env, plugin)).toMatchObject(SILENT);
    }
    const first = runPluginHook('SessionStart', '{}', env, plugin);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toEqual({ systemMessage: expect.stringContaining('Retake records nothing') });
  });

  test('and hooks in the settings together record every event once', () => {
    const at = daemonScene();
    put(at.workspace, 'file', '1');
    at.retake.json(at.workspace, 'setup', 'claude-code');
    const settings = readJson(join(at.retake.home, '../.claude/settings.json'));
    const session = new Conversation('session', at.workspace);
    const events: [string, string, string?][] = [
      ['SessionStart', session.start()],
      ['UserPromptSubmit', session.prompt('p1', 'do it')],
      ['PreToolUse', session.before('t1')],
      ['PostToolUse', session.after('t1'), '2'],
      ['Stop', session.stop()],
      ['SessionEnd', session.end()],
    ];
    const kinds = (): string[] => at.retake.json(at.workspace, 'log').operations.map(({ kind }: { kind: string }) => kind);
    for (const [event, payload, content] of events) {
      if (content !== undefined) put(at.workspace, 'file', content);
      const env = { ...at.retake.env, RETAKE_HOOK_DEADLINE_MS: '60000' };
      const [command] = settings.hooks[event][0].hooks.map((hook: { command: string }) => hook.command);
      expect(spawnSync('/bin/sh', ['-c', command], { input: payload, env, encoding: 'utf8' })).toMatchObject(SILENT);
      const once = kinds();
      expect(runPluginHook(event, payload, at.retake.env)).toMatchObject(SILENT);
      expect(kinds()).toEqual(once);
    }
    expect(kinds()).toEqual(expect.arrayContaining(['session-start', 'prompt', 'after-step', 'session-end']));
  });
});

describe('[AGT-1] the commands of the plugin', () => {
  const commands = readdirSync(join(PLUGIN, 'commands')).map(
    (name) => [name, readFileSync(join(PLUGIN, 'commands', name), 'utf8')] as const,
  );

  test('are those that were promised', () => {
    expect(commands.map(([name]) => name).sort()).toEqual(['checkpoint.md', 'log.md', 'rewind.md', 'undo.md']);
  });

  test.each(commands)('%s tells of verbs and options that there are', (_name, text) => {
    const at = scene();
    const lines = [...text.matchAll(/`"\$\{CLAUDE_PLUGIN_ROOT\}\/scripts\/retake" ([^`]+)`/g)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(0);
    const everywhere = at.retake.run(at.workspace, '--help').stdout;
    for (const line of lines) {
      const [verb = '', ...rest] = line.split(' ');
      const help = at.retake.run(at.workspace, verb, '--help').stdout;
      expect(help).toContain(`retake ${verb} `);
      for (const option of rest.filter((word) => word.startsWith('--'))) expect(`${help}${everywhere}`).toContain(`${option} `);
    }
  });

  test.each(commands.filter(([name]) => name === 'rewind.md' || name === 'undo.md'))(
    '%s shows the plan and asks before it confirms that very plan',
    (_name, text) => {
      const [dryRun, ask, yes] = [text.indexOf('--dry-run'), text.indexOf('Ask the user'), text.indexOf('--yes')];
      expect(0 < dryRun && dryRun < ask && ask < yes).toBe(true);
      expect(text).toMatch(/--expect EXPECTED_TREE --yes/);
      expect(text).toContain('disable-model-invocation: true');
    },
  );
});
