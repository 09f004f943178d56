import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, describeWriteFailure, effects, exists, Lock, replaceFile } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';
import { keyNamed } from './list-settings.ts';
import { ruleOf, variableOf } from './setting-rules.ts';
import { readSettingsFile, settingsOfEnvironment, settingsPath } from './settings.ts';

/** What settings are to be; null takes one out of the file. */
export type SettingChanges = Readonly<Record<string, unknown>>;

/** Writes settings into the file: all of them, or none where one is wrong. What else the file says stays. */
export const changeSettings = async (changes: SettingChanges): Promise<void> => {
  // Before anything could be made: what is refused, or changes nothing, leaves no trace.
  if (changed(changes) === undefined) return;
  makeHome();
  const lock = new Lock(join(dataDirectory(), 'settings.lock'));
  try {
    await lock.hold(() => {
      const settings = changed(changes);
      if (settings !== undefined) write(`${JSON.stringify(settings, null, 2)}\n`);
    });
  } finally {
    lock.close();
  }
};

/** What the file is to say; undefined where it says so already. */
const changed = (changes: SettingChanges): Record<string, unknown> | undefined => {
  const before = readSettingsFile();
  for (const [key, value] of Object.entries(changes)) check(before, key, value);
  const after = Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
};

const check = (file: Readonly<Record<string, unknown>>, key: string, value: unknown): void => {
  refuseOverruled(key);
  // What is in the file and no setting, or not any more, can be taken out.
  if (value === null && Object.hasOwn(file, key)) return;
  const { accepts, wanted } = ruleOf(keyNamed(key));
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

const makeHome = (): void => {
  try {
    effects.makeDirectories(dataDirectory());
  } catch (error) {
    throw describeWriteFailure(error, dataDirectory());
  }
};

/** A file that is a link to one elsewhere stays a link; who may read it stays the same. */
const write = (text: string): void => {
  const path = settingsPath();
  const [real, mode] = exists(path) ? [realpathSync(path), statSync(path).mode & 0o777] : [path, 0o600];
  replaceFile(real, Buffer.from(text), { mode });
};
