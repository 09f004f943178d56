import { statSync } from 'node:fs';
import { RetakeError } from '../../model/index.ts';
import {
  mayBeAt,
  parseSetting,
  ruleOf,
  SETTING_KEYS,
  type SettingKey,
  type SettingLevel,
  type Settings,
  variableOf,
} from './setting-rules.ts';
import { readSettingsFile, type SettingsFile, settingsPlaces, strayReason } from './settings-file.ts';

export type { SettingLevel, Settings } from './setting-rules.ts';

/** Those that were set for this process alone. */
export const settingsOfEnvironment = (): readonly SettingKey[] => SETTING_KEYS.filter((key) => process.env[variableOf(key)] !== undefined);

/**
 * The environment first, then the file of the workspace whose data directory is given, then the user's, then what is built in. Without a
 * workspace, only for what all of them share.
 */
export const loadSettings = (data?: string): Settings => refusing(readSettings(data));

/** What is in force, and the first thing that is wrong with it, in place of which stands what is built in. */
interface ReadSettings {
  readonly settings: Settings;
  readonly problem: RetakeError | null;
}

const refusing = ({ settings, problem }: ReadSettings): Settings => {
  if (problem !== null) throw problem;
  return settings;
};

const readSettings = (data?: string): ReadSettings => {
  let problem: RetakeError | null = null;
  const orElse = <T>(read: () => T, instead: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RetakeError)) throw error;
      problem ??= error;
      return instead;
    }
  };
  const files = settingsPlaces(data).flatMap(({ level, path }) => orElse(() => [readSettingsFile(level, path)], []));
  for (const file of files) orElse(() => refuseStray(file), undefined);
  const values = SETTING_KEYS.map((key) => [key, orElse(() => checkedSetting(key, givenIn(files, key)), ruleOf(key).fallback)]);
  return { settings: Object.fromEntries(values) as unknown as Settings, problem };
};

const refuseStray = ({ level, path, values }: SettingsFile): void => {
  for (const key of Object.keys(values)) {
    const reason = strayReason(key, level);
    if (reason !== null) throw badSetting(key, path, reason, takeOut(key, level));
  }
};

/** Where a setting's value comes from. */
export type SettingSource = 'default' | SettingLevel | 'environment';

interface Given {
  readonly value: unknown;
  readonly from: SettingSource;
  /** The file or the variable; null for what is built in. */
  readonly source: string | null;
}

/** What is said of a setting, right or wrong, where these files count. */
export const givenIn = (files: readonly SettingsFile[], key: SettingKey): Given => {
  const variable = variableOf(key);
  const text = process.env[variable];
  if (text !== undefined) return { value: parseSetting(key, text), from: 'environment', source: variable };
  const file = files.find(({ level, values }) => mayBeAt(key, level) && Object.hasOwn(values, key));
  return file === undefined
    ? { value: ruleOf(key).fallback, from: 'default', source: null }
    : { value: file.values[key], from: file.level, source: file.path };
};

/** The same, if it is right. */
export const checkedSetting = <K extends SettingKey>(key: K, { value, from, source }: Given): Settings[K] => {
  const rule = ruleOf(key);
  if (rule.accepts(value)) return value;
  const mend = from === 'user' || from === 'workspace' ? takeOut(key, from) : 'Correct the variable, or unset it.';
  throw badSetting(key, source ?? 'the program', `it is ${briefly(value)}, expected ${rule.wanted}`, mend);
};

const briefly = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)} …` : text;
};

const takeOut = (key: string, level: SettingLevel): string =>
  `Correct it, or take it out: retake settings ${/^[\w.]+$/.test(key) ? key : 'KEY'} --unset${level === 'workspace' ? ' --workspace' : ''}`;

interface Loaded extends ReadSettings {
  readonly stamp: string;
}

/** By the data directory; that of nobody in particular is empty. The one asked for last is last. */
const loaded = new Map<string, Loaded>();
const MOST_LOADED = 64;

/** The same object as long as the files stay the same: for a process that asks again and again, and whose environment does not change. */
export const currentSettings = (data?: string): Settings => refusing(settingsAsFarAsRight(data));

/** The same for recording, which goes on whatever somebody has written into a file: what would not be recorded is lost. */
export const settingsAsFarAsRight = (data?: string): ReadSettings => {
  const stats = settingsPlaces(data).map(({ path }) => statSync(path, { throwIfNoEntry: false }));
  const stamp = stats.map((stat) => (stat === undefined ? 'none' : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(' '))).join(', ');
  // Two changes close to each other may leave the same times.
  const isSettled = stats.every((stat) => stat === undefined || Math.max(stat.mtimeMs, stat.ctimeMs) < Date.now() - 2100);
  const known = loaded.get(data ?? '');
  if (known?.stamp === stamp && isSettled) return known;
  const { settings, problem } = readSettings(data);
  // One that says the same is the same.
  const same = known !== undefined && JSON.stringify(settings) === JSON.stringify(known.settings) ? known.settings : settings;
  const read = { stamp, settings: same, problem };
  loaded.delete(data ?? '');
  loaded.set(data ?? '', read);
  for (const oldest of loaded.keys()) if (loaded.size > MOST_LOADED) loaded.delete(oldest);
  return read;
};

const badSetting = (key: string, from: string, why: string, hint: string): RetakeError =>
  new RetakeError('bad-setting', `The setting ${key} in ${from} is wrong: ${why}`, { hint });
