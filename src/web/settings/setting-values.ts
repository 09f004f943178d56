import { ApiError } from '../../api/index.ts';
import type { Setting } from '../client/types.ts';
import type { SettingAt } from './setting-level.ts';

/** Settings as they are typed and sent. */

type Value = NonNullable<Setting['value']>;

/** What a person has typed and not saved; null for what counts without it. */
export type Draft = string | boolean | null;
export type Drafts = Readonly<Record<string, Draft>>;

export type SettingKind = 'switch' | 'number' | 'choice' | 'list' | 'text';

const CHOICE = /^"[^"]*"(?: or "[^"]*")+$/;

export const kindOf = ({ default: built, wanted }: Pick<Setting, 'default' | 'wanted'>): SettingKind => {
  if (typeof built === 'boolean') return 'switch';
  if (typeof built === 'number') return 'number';
  if (Array.isArray(built)) return 'list';
  return CHOICE.test(wanted) ? 'choice' : 'text';
};

export const choicesOf = ({ wanted }: Pick<Setting, 'wanted'>): string[] =>
  CHOICE.test(wanted) ? [...wanted.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice) : [];

/** Commands that Retake runs: the server refuses to have them changed by a browser. */
const COMMANDS: readonly string[] = ['conversation.summarizer'];

/** Why something is not to be changed here, and what would change it. */
export const lockOf = ({
  key,
  from,
  variable,
  value,
  level,
  levels,
}: SettingAt): { readonly why: string; readonly command: string | null } | undefined => {
  if (from === 'environment') return { why: `Decided by the variable ${variable}, which wins over the files`, command: null };
  if (!levels.includes(level)) return { why: 'The same for all workspaces: it can not be set for one', command: null };
  const flag = level === 'workspace' ? ' --workspace' : '';
  if (COMMANDS.includes(key))
    return {
      why: 'A command that is run: it is not changed by a browser, but on the command line',
      command: `retake settings ${key} '…'${flag}`,
    };
  if (Array.isArray(value) && value.some((one) => one.includes('\n')))
    return { why: 'It has line breaks in it, which are typed on the command line', command: `retake settings ${key} '[…]'${flag}` };
  return undefined;
};

/** By the part of the key before the dot, in the order they come in. */
export const groupsOf = <S extends Pick<Setting, 'key'>>(settings: readonly S[]): [group: string, settings: S[]][] => [
  ...Map.groupBy(settings, ({ key }) => key.split('.', 1)[0] ?? key),
];

/** What is in the field: what was typed, else what is. */
export const shownIn = (setting: SettingAt, draft: Draft | undefined): string | boolean => {
  if (draft === null) return typed(setting.otherwise);
  return draft ?? (setting.value === null ? (kindOf(setting) === 'switch' ? setting.default === true : '') : typed(setting.value));
};

const typed = (value: Value): string | boolean => {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join('\n') : String(value);
};

export const words = (value: Value): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === '' ? 'none' : String(value);
};

/** What a draft is to be sent as; undefined where it is not even of the right kind. */
export const meantBy = (setting: Setting, draft: Draft): Value | null | undefined => {
  if (draft === null || typeof draft === 'boolean') return draft;
  switch (kindOf(setting)) {
    case 'number': {
      const value = Number(draft);
      return draft.trim() === '' || !Number.isFinite(value) ? undefined : value;
    }
    case 'list':
      return draft.split('\n').filter((line) => line.trim() !== '');
    default:
      return draft;
  }
};

/** Whether saving a draft would change something. */
export const isChange = (setting: SettingAt, draft: Draft): boolean =>
  draft === null ? setting.isSet : JSON.stringify(meantBy(setting, draft)) !== JSON.stringify(setting.value);

/** The setting that a refusal is about, and why. */
export const refusedSetting = (error: unknown): { readonly key: string; readonly error: ApiError } | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const key = error.details?.key;
  return typeof key === 'string' ? { key, error } : undefined;
};
