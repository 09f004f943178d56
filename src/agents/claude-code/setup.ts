import { exists } from '../../host/index.ts';
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
import type { SetupReport, SetupRequest, SetupScope } from '../setup.ts';
import { AGENT, projectSettings, userSettings } from './places.ts';
import { areHooksDisabled, installHooks, isUsable, removeHooks } from './settings-text.ts';

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
  const before = backup !== null && isUsable(backup.text) ? backup.text : null;
  const original = before ?? (file.target === file.path ? null : '{}');
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
