import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, readIfExists } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';
import { isSettingKey, parseSetting, ruleOf, SETTING_KEYS, type SettingKey, type Settings, variableOf } from './setting-rules.ts';

export type { Settings } from './setting-rules.ts';

/** Those that were set for this process alone. */
export const settingsOfEnvironment = (): readonly SettingKey[] => SETTING_KEYS.filter((key) => process.env[variableOf(key)] !== undefined);

export const settingsPath = (): string => join(dataDirectory(), 'settings.json');

/** The environment first, then `settings.json` in the data directory, then what is built in. */
export const loadSettings = (): Settings => {
  const file = readSettingsFile();
  for (const key of Object.keys(file)) if (!isSettingKey(key)) throw badSetting(key, settingsPath(), 'there is no such setting');
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, checkedSetting(key, givenIn(file, key))])) as unknown as Settings;
};

/** Where a setting's value comes from. */
export type SettingSource = 'default' | 'file' | 'environment';

interface Given {
  readonly value: unknown;
  readonly from: SettingSource;
}

/** What is said of a setting, right or wrong, where the file says this. */
export const givenIn = (file: Readonly<Record<string, unknown>>, key: SettingKey): Given => {
  const text = process.env[variableOf(key)];
  if (text !== undefined) return { value: parseSetting(key, text), from: 'environment' };
  return Object.hasOwn(file, key) ? { value: file[key], from: 'file' } : { value: ruleOf(key).fallback, from: 'default' };
};

/** The same, if it is right. */
export const checkedSetting = <K extends SettingKey>(key: K, { value, from }: Given): Settings[K] => {
  const rule = ruleOf(key);
  if (rule.accepts(value)) return value;
  throw badSetting(key, from === 'environment' ? variableOf(key) : settingsPath(), `expected ${rule.wanted}`);
};

let loaded: { readonly settings: Settings; readonly stamp: string } | undefined;

/** The same object as long as the file stays the same: for a process that asks again and again, and whose environment does not change. */
export const currentSettings = (): Settings => {
  const stat = statSync(settingsPath(), { throwIfNoEntry: false });
  const stamp = stat === undefined ? 'none' : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(' ');
  // Two changes close to each other may leave the same times.
  const isSettled = stat === undefined || Math.max(stat.mtimeMs, stat.ctimeMs) < Date.now() - 2100;
  if (loaded === undefined || loaded.stamp !== stamp || !isSettled) {
    const settings = loadSettings();
    // One that says the same is the same.
    loaded = { stamp, settings: JSON.stringify(settings) === JSON.stringify(loaded?.settings) ? (loaded?.settings ?? settings) : settings };
  }
  return loaded.settings;
};

export const readSettingsFile = (): Record<string, unknown> => {
  const path = settingsPath();
  const bytes = readIfExists(path);
  if (bytes === undefined) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON at all: told below, like JSON of another shape.
  }
  throw new RetakeError('bad-setting', `${path} is not a JSON object`, { hint: 'Correct the file or remove it.' });
};

const badSetting = (key: string, from: string, why: string): RetakeError =>
  new RetakeError('bad-setting', `The setting ${key} in ${from} is wrong: ${why}`, {
    hint: 'Correct it or remove it: retake settings --help',
  });
