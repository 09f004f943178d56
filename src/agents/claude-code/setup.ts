import { join } from 'node:path';
import { exists, homeDirectory, readIfExists } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import { filesOf, hookCommand } from '../hook-command.ts';
import {
  latestBackup,
  makeBackup,
  readSettingsFile,
  removeBackup,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from '../settings-file.ts';
import type { InstalledHooks, SetupReport, SetupRequest, SetupScope } from '../setup.ts';
import { EVENT_NAMES } from './hook-events.ts';
import { areHooksDisabled, findHooks, installHooks, removeHooks } from './settings-text.ts';

const AGENT = 'claude-code';

/** The files that Claude Code reads hooks from; the later ones win where they contradict. */
const userSettings = (): string => join(process.env.CLAUDE_CONFIG_DIR || join(homeDirectory(), '.claude'), 'settings.json');
const sharedSettings = (root: string): string => join(root, '.claude', 'settings.json');
const projectSettings = (root: string): string => join(root, '.claude', 'settings.local.json');

export const setUpClaudeCode = (request: SetupRequest): SetupReport => {
  const path = request.root === null ? userSettings() : projectSettings(request.root);
  const file = readSettingsFile(path);
  return inFile(path, () => (request.remove ? remove(file, request) : install(file, request)));
};

const install = (file: SettingsFile, { root, isDryRun }: SetupRequest): SetupReport => {
  const command = hookCommand(AGENT);
  refuseMissing(command);
  if (file.text !== null && areHooksDisabled(file.text) === true) {
    throw new RetakeError('agent-settings', `${file.path} has "disableAllHooks": true: Claude Code would run no hook`, {
      hint: 'Take that out and run this again. Nothing was changed.',
    });
  }
  const { text, added, replaced, kept } = installHooks(file.text, command);
  const changed = text !== file.text;
  // What holds hooks of ours already is not what was there before us.
  const isFirst = replaced.length + kept.length === 0;
  const backup = changed && isFirst && !isDryRun && hasText(file) ? makeBackup(file) : null;
  try {
    if (changed && !isDryRun) writeSettingsFile(file, text);
  } catch (error) {
    if (backup?.isNew) removeBackup(backup);
    throw error;
  }
  return { ...about(file, root), changed, added, replaced, kept, removed: [], backup: backup?.path ?? null, after: text };
};

const hasText = (file: SettingsFile): file is SettingsFile & { readonly text: string } => file.text !== null;

const remove = (file: SettingsFile, { root, isDryRun }: SetupRequest): SetupReport => {
  const unchanged = {
    ...about(file, root),
    changed: false,
    added: [],
    replaced: [],
    kept: [],
    removed: [],
    backup: null,
    after: file.text,
  };
  if (file.text === null) return unchanged;
  const backup = latestBackup(file.path);
  // Behind a link there was a file, whatever it held.
  const original = quietly(backup?.text, usable, null) ?? (file.target === file.path ? null : '{}');
  const { text, removed } = removeHooks(file.text, original);
  if (removed.length === 0) return unchanged;
  // The file is what it was: nobody needs that a second time.
  const isAsBefore = backup !== null && backup.text === text;
  if (!isDryRun) {
    if (text === null) removeSettingsFile(file);
    else writeSettingsFile(file, text);
    if (isAsBefore) removeBackup(backup);
  }
  return { ...unchanged, changed: true, removed, backup: isAsBefore ? null : (backup?.path ?? null), after: text };
};

const about = ({ path, text }: SettingsFile, root: string | null) => {
  const scope: SetupScope = root === null ? 'user' : 'project';
  return { agent: AGENT, scope, file: path, before: text };
};

const refuseMissing = (command: string): void => {
  const missing = filesOf(command, AGENT).find((path) => !exists(path));
  if (missing === undefined) return;
  throw new RetakeError('agent-settings', `There is no ${missing}, which the hooks need`, {
    hint: 'In a checkout, npm run build makes it. Nothing was changed.',
  });
};

/** Errors about a text say which file it is. */
const inFile = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RetakeError) || error.code !== 'agent-settings') throw error;
    throw new RetakeError('agent-settings', error.message.replace(/^The settings file /, `${path} `), {
      hint: error.hint ?? 'Put it right and run this again. Nothing was changed.',
      cause: error,
    });
  }
};

/** Where hooks of ours are, for sessions in a workspace, and whether they can work. */
export const inspectClaudeCode = (root: string): InstalledHooks[] => {
  const files = [
    { scope: 'user', path: userSettings() },
    { scope: 'shared', path: sharedSettings(root) },
    { scope: 'project', path: projectSettings(root) },
  ] as const;
  const texts = files.map(({ path }) => readQuietly(path));
  const disabledBy = files.findLast((_, index) => settingOf(texts[index]) !== undefined);
  const isDisabled = disabledBy !== undefined && settingOf(texts[files.indexOf(disabledBy)]) === true;
  return files.flatMap(({ scope, path }, index) => {
    const hooks = hooksOf(texts[index]);
    if (hooks.length === 0) return [];
    const events = new Set(hooks.map(({ event }) => event));
    const missingFiles = new Set(hooks.flatMap(({ command }) => filesOf(command, AGENT)).filter((needed) => !exists(needed)));
    return [
      {
        agent: AGENT,
        scope,
        file: path,
        missingEvents: EVENT_NAMES.filter((event) => !events.has(event)),
        missingFiles: [...missingFiles],
        disabledBy: isDisabled ? disabledBy.path : null,
      },
    ];
  });
};

/** Whoever only looks is not bothered with what setup would refuse: Claude Code does not use such a file either. */
const readQuietly = (path: string): string | undefined => {
  try {
    return readIfExists(path)?.toString();
  } catch {
    return undefined;
  }
};

const quietly = <T>(text: string | undefined, read: (text: string) => T, otherwise: T): T => {
  if (text === undefined) return otherwise;
  try {
    return read(text);
  } catch {
    return otherwise;
  }
};

const usable = (text: string): string | null => {
  findHooks(text);
  return text;
};

const hooksOf = (text: string | undefined) => quietly(text, findHooks, []);
const settingOf = (text: string | undefined) => quietly(text, areHooksDisabled, undefined);
