import { nearest, RetakeError, suggesting } from '../../model/index.ts';
import {
  isSettingKey,
  mayBeAt,
  ruleOf,
  SETTING_KEYS,
  SETTING_LEVELS,
  type SettingKey,
  type Settings,
  variableOf,
} from './setting-rules.ts';
import { checkedSetting, givenIn, type SettingLevel, type SettingSource } from './settings.ts';
import { readSettingsFiles, type SettingsFile, settingsPath, strayReason } from './settings-file.ts';

/** A setting as it is, and what it may be. */
export interface Setting {
  readonly key: SettingKey;
  /** Null where it is wrong, as `problem` tells. */
  readonly value: Settings[SettingKey] | null;
  readonly from: SettingSource;
  /** The file or the variable that the value comes from; null for what is built in. */
  readonly source: string | null;
  readonly default: Settings[SettingKey];
  /** What the files say of it, whichever counts; null where one says nothing, or what is wrong. */
  readonly given: Readonly<Record<SettingLevel, Settings[SettingKey] | null>>;
  /** Where it can be set. */
  readonly levels: readonly SettingLevel[];
  readonly meaning: string;
  readonly wanted: string;
  readonly variable: string;
  readonly problem: string | null;
}

/** Something in a file that does not belong there, and keeps commands from working. */
export interface StraySetting {
  readonly key: string;
  readonly level: SettingLevel;
  readonly problem: string;
}

export interface SettingsReport {
  /** The user's. */
  readonly file: string;
  /** Null where no workspace is meant. */
  readonly workspaceFile: string | null;
  readonly settings: readonly Setting[];
  readonly unknown: readonly StraySetting[];
}

/** All settings, the wrong ones too: who is to correct them has to see them. Those of the workspace whose data directory is given. */
export const listSettings = (data?: string): SettingsReport => {
  const files = readSettingsFiles(data);
  return {
    file: settingsPath(),
    workspaceFile: data === undefined ? null : settingsPath(data),
    settings: SETTING_KEYS.map((key) => describe(files, key)),
    unknown: files.flatMap(({ level, values }) =>
      Object.keys(values).flatMap((key) => {
        const problem = strayReason(key, level);
        return problem === null ? [] : [{ key, level, problem }];
      }),
    ),
  };
};

const describe = (files: readonly SettingsFile[], key: SettingKey): Setting => {
  const given = givenIn(files, key);
  const { fallback, meaning, wanted } = ruleOf(key);
  const about = {
    key,
    from: given.from,
    source: given.source,
    default: fallback,
    given: { workspace: saidIn(files, 'workspace', key), user: saidIn(files, 'user', key) },
    levels: SETTING_LEVELS.filter((level) => mayBeAt(key, level)),
    meaning,
    wanted,
    variable: variableOf(key),
  };
  try {
    return { ...about, value: checkedSetting(key, given), problem: null };
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    return { ...about, value: null, problem: error.message };
  }
};

const saidIn = (files: readonly SettingsFile[], level: SettingLevel, key: SettingKey): Settings[SettingKey] | null => {
  const values = files.find((file) => file.level === level)?.values ?? {};
  const value = Object.hasOwn(values, key) ? values[key] : null;
  return ruleOf(key).accepts(value) ? value : null;
};

export const settingNamed = (key: string, data?: string): Setting => describe(readSettingsFiles(data), keyNamed(key));

export const keyNamed = (key: string): SettingKey => {
  if (isSettingKey(key)) return key;
  throw new RetakeError('bad-setting', `${JSON.stringify(key)}: ${strayReason(key, 'user')}`, {
    hint: 'retake settings lists them.',
    ...suggesting(nearest(key, SETTING_KEYS)),
  });
};
