import { join } from 'node:path';
import { dataDirectory, readIfExists } from '../../host/index.ts';
import { didYouMean, nearest, RetakeError } from '../../model/index.ts';
import { isSettingKey, mayBeAt, ruleOf, SETTING_KEYS, type SettingLevel } from './setting-rules.ts';

/** What one file of settings says, right or wrong. */
export interface SettingsFile {
  readonly level: SettingLevel;
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The user's, or that of the workspace whose data directory is given. Both are out of reach of what a repository brings. */
export const settingsPath = (data?: string): string => join(data ?? dataDirectory(), 'settings.json');

/** Those that count, the strongest first; without the data directory of a workspace, the user's alone. */
export const settingsPlaces = (data?: string): Pick<SettingsFile, 'level' | 'path'>[] => [
  ...(data === undefined ? [] : [{ level: 'workspace' as const, path: settingsPath(data) }]),
  { level: 'user', path: settingsPath() },
];

export const readSettingsFiles = (data?: string): SettingsFile[] =>
  settingsPlaces(data).map(({ level, path }) => readSettingsFile(level, path));

export const readSettingsFile = (level: SettingLevel, path: string): SettingsFile => ({ level, path, values: readObject(path) });

const readObject = (path: string): Record<string, unknown> => {
  const bytes = readIfExists(path);
  if (bytes === undefined) return {};
  let why = 'something else is in it';
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    why = error instanceof Error ? error.message : why;
  }
  throw new RetakeError('bad-setting', `${path} is not a JSON object of settings: ${why}`, {
    hint: 'Correct the file or remove it; wanted is such as {"retention.days": 60}.',
  });
};

/** Why a key does not belong in a file; null where it does. */
export const strayReason = (key: string, level: SettingLevel): string | null => {
  if (!isSettingKey(key)) {
    return `there is no such setting${didYouMean(nearest(key, SETTING_KEYS))}`;
  }
  return mayBeAt(key, level) ? null : `it can not be set for one workspace: ${ruleOf(key).forAll}`;
};
