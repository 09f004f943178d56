import { RetakeError } from '../model/index.ts';
import { isSettingKey, ruleOf, SETTING_KEYS, type SettingKey, type Settings, variableOf } from './setting-rules.ts';
import { checkedSetting, givenIn, readSettingsFile, type SettingSource, settingsPath } from './settings.ts';

/** A setting as it is, and what it may be. */
export interface Setting {
  readonly key: SettingKey;
  /** Null where it is wrong, as `problem` tells. */
  readonly value: Settings[SettingKey] | null;
  readonly from: SettingSource;
  readonly default: Settings[SettingKey];
  readonly meaning: string;
  readonly wanted: string;
  readonly variable: string;
  readonly problem: string | null;
}

export interface SettingsReport {
  readonly file: string;
  readonly settings: readonly Setting[];
  /** Keys of the file that are no settings. */
  readonly unknown: readonly string[];
}

/** All settings, the wrong ones too: who is to correct them has to see them. */
export const listSettings = (): SettingsReport => {
  const file = readSettingsFile();
  return {
    file: settingsPath(),
    settings: SETTING_KEYS.map((key) => describe(file, key)),
    unknown: Object.keys(file).filter((key) => !isSettingKey(key)),
  };
};

const describe = (file: Readonly<Record<string, unknown>>, key: SettingKey): Setting => {
  const given = givenIn(file, key);
  const { fallback, meaning, wanted } = ruleOf(key);
  const about = { key, from: given.from, default: fallback, meaning, wanted, variable: variableOf(key) };
  try {
    return { ...about, value: checkedSetting(key, given), problem: null };
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    return { ...about, value: null, problem: error.message };
  }
};

export const settingNamed = (key: string): Setting => describe(readSettingsFile(), keyNamed(key));

export const keyNamed = (key: string): SettingKey => {
  if (isSettingKey(key)) return key;
  throw new RetakeError('bad-setting', `There is no setting ${JSON.stringify(key)}`, { hint: 'retake settings lists them.' });
};
