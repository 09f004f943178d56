import type { Setting } from '../client/types.ts';

/** Whom a change is for. */
export type Level = Setting['levels'][number];

export const LEVELS: readonly { readonly value: Level; readonly label: string }[] = [
  { value: 'user', label: 'For all workspaces' },
  { value: 'workspace', label: 'For this workspace' },
];

/** A setting as somebody sees it who sets it at one level. */
export interface SettingAt extends Setting {
  readonly level: Level;
  /** The file of this level says something of it. */
  readonly isSet: boolean;
  /** What counts when that is taken out. */
  readonly otherwise: Setting['default'];
  /** What this workspace has instead; null where what is seen counts here. */
  readonly overruledBy: Setting['default'] | null;
}

export const settingAt = (setting: Setting, level: Level): SettingAt => {
  const { from, given, default: built, value } = setting;
  const isSet = from === level || given[level] !== null;
  if (level === 'workspace') return { ...setting, level, isSet, otherwise: given.user ?? built, overruledBy: null };
  if (from !== 'workspace') return { ...setting, level, isSet, otherwise: built, overruledBy: null };
  // The workspace's own value is not what is set here, whether it is right or wrong.
  const own = { from: isSet ? 'user' : 'default', value: given.user ?? built, problem: null } as const;
  return { ...setting, ...own, level, isSet, otherwise: built, overruledBy: value };
};
