import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWriteFailure, effects, exists, Lock, replaceFile } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import { keyNamed } from './list-settings.ts';
import { ruleOf, variableOf } from './setting-rules.ts';
import { settingsOfEnvironment } from './settings.ts';
import { readSettingsFile, type SettingsFile, settingsPath, strayReason } from './settings-file.ts';

/** What settings are to be; null takes one out of the file. */
export type SettingChanges = Readonly<Record<string, unknown>>;

/**
 * Writes settings into the user's file, or into that of the workspace whose data directory is given: all of them, or none where one is wrong.
 * What else the file says stays, also what others write at the same time.
 */
export const changeSettings = async (changes: SettingChanges, data?: string): Promise<void> => {
  // Before anything could be made: what is refused, or changes nothing, leaves no trace.
  if (changed(changes, data) === undefined) return;
  const path = settingsPath(data);
  makeDirectory(dirname(path));
  const lock = new Lock(join(dirname(path), 'settings.lock'));
  try {
    await lock.hold(() => {
      const values = changed(changes, data);
      if (values !== undefined) write(path, `${JSON.stringify(values, null, 2)}\n`);
    });
  } finally {
    lock.close();
  }
};

/** What the file is to say; undefined where it says so already. */
const changed = (changes: SettingChanges, data: string | undefined): Record<string, unknown> | undefined => {
  const file = readSettingsFile(data === undefined ? 'user' : 'workspace', settingsPath(data));
  for (const [key, value] of Object.entries(changes)) check(file, key, value);
  const after = Object.fromEntries(Object.entries({ ...file.values, ...changes }).filter(([, value]) => value !== null));
  return JSON.stringify(after) === JSON.stringify(file.values) ? undefined : after;
};

const check = ({ level, values }: SettingsFile, key: string, value: unknown): void => {
  refuseOverruled(key);
  // What is in the file and no setting, or not any more, can be taken out.
  if (value === null && Object.hasOwn(values, key)) return;
  const { accepts, wanted } = ruleOf(keyNamed(key));
  const reason = strayReason(key, level);
  if (reason !== null) {
    throw new RetakeError('bad-setting', `The setting ${key} is refused: ${reason}`, {
      hint: `Nothing was changed. For all of them: retake settings ${key} VALUE --user`,
      details: { key, level },
    });
  }
  if (value === null || accepts(value)) return;
  throw new RetakeError('bad-setting', `The setting ${key} can not be that: expected ${wanted}`, {
    hint: 'Nothing was changed.',
    details: { key, wanted },
  });
};

/** A change that has no effect is none. */
const refuseOverruled = (key: string): void => {
  const overruled = settingsOfEnvironment().find((one) => one === key);
  if (overruled === undefined) return;
  const variable = variableOf(overruled);
  throw new RetakeError('in-the-way', `The setting ${key} is decided by the variable ${variable}; nothing was changed`, {
    hint: `Unset ${variable} first, and restart the background process if it has it.`,
    details: { key, variable },
  });
};

const makeDirectory = (path: string): void => {
  try {
    effects.makeDirectories(path);
  } catch (error) {
    throw describeWriteFailure(error, path);
  }
};

/** A file that is a link to one elsewhere stays a link; who may read it stays the same. */
const write = (path: string, text: string): void => {
  const [real, mode] = exists(path) ? [realpathSync(path), statSync(path).mode & 0o777] : [path, 0o600];
  replaceFile(real, Buffer.from(text), { mode });
};
