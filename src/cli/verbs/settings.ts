import type { Command } from 'commander';
import {
  changeSettings,
  isSettingKey,
  keyNamed,
  listSettings,
  parseSetting,
  placeOfWorkspace,
  type Setting,
  type SettingLevel,
  type SettingsReport,
  settingNamed,
} from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { hint, oneLine, paint, print, printJson, table, wholeTable } from '../output.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface SettingsOptions extends GlobalOptions {
  readonly unset?: boolean;
  readonly user?: boolean;
  readonly workspace?: boolean;
}

const SETTINGS: Guide = {
  examples: [
    ['retake settings', 'all of them'],
    ['retake settings retention.days 60', 'change one'],
    ['retake settings retention.days --unset', 'back to what is built in'],
  ],
  takes: { key: 'setting', value: 'text' },
};

/** No workspace is opened: a setting that is wrong keeps every other command from working, and is corrected here. */
export const addSettingsVerb = (program: Command): void => {
  describeVerb(program, 'settings', SETTINGS)
    .description('what can be set, what is, and where that comes from; with a value, change it')
    .argument('[key]', 'such as retention.days')
    .argument('[value]', 'a number, true or false, a text, or a list as JSON')
    .option('--unset', 'take it out again: what is set for all, or built in, counts')
    .option('--user', 'for all workspaces (unless told otherwise)')
    .option('--workspace', 'for this workspace alone, where it wins over what is set for all')
    .action((key: string | undefined, value: string | undefined, _options: unknown, command: Command) =>
      settings(key, value, command.optsWithGlobals<SettingsOptions>()),
    );
};

const settings = async (key: string | undefined, value: string | undefined, options: SettingsOptions): Promise<void> => {
  const { unset = false, json, directory } = options;
  const level = levelOf(options);
  if (unset && (key === undefined || value !== undefined)) {
    throw new RetakeError('usage', '--unset takes the key of a setting and no value', { hint: 'retake settings lists the keys.' });
  }
  const { data } = placeOfWorkspace(directory);
  // Before anything is changed: with a file that can not be read, nobody could tell what came of it.
  const report = listSettings(data);
  if (key === undefined) {
    const shown = level === undefined ? report : only(report, level);
    return json ? printJson(shown) : printAll(shown);
  }
  const target = level === 'workspace' ? data : undefined;
  if (unset) await changeSettings({ [key]: null }, target);
  else if (value !== undefined) await changeSettings({ [key]: parseSetting(keyNamed(key), value) }, target);
  if (unset && !isSettingKey(key)) return json ? printJson({ key, removed: true }) : print(`Removed ${oneLine(key)}, which is no setting`);
  const setting = settingNamed(key, data);
  if (json) printJson(setting);
  else {
    describe(setting);
    if ((unset || value !== undefined) && level !== 'workspace' && setting.from === 'workspace') {
      const now = unset ? 'not set' : 'set';
      hint(
        `It is ${now} for all workspaces now, but this one has its own value. To take that out: retake settings ${key} --unset --workspace`,
      );
    }
  }
};

const levelOf = ({ user, workspace }: SettingsOptions): SettingLevel | undefined => {
  if (user && workspace) {
    throw new RetakeError('usage', '--user and --workspace exclude each other', { hint: 'Set it for one of them, then for the other.' });
  }
  return workspace ? 'workspace' : user ? 'user' : undefined;
};

/** What one file says. */
const only = (report: SettingsReport, wanted: SettingLevel): SettingsReport => ({
  ...report,
  settings: report.settings.filter(({ given, from }) => given[wanted] !== null || from === wanted),
  unknown: report.unknown.filter(({ level }) => level === wanted),
});

const printAll = ({ file, workspaceFile, settings, unknown }: SettingsReport): void => {
  if (settings.length === 0) print('Nothing is set there');
  else
    print(
      table(
        settings.map((setting) => [
          setting.from === 'default' ? setting.key : paint('bold', setting.key),
          paint('dim', setting.from === 'environment' ? setting.variable : setting.from),
          shown(setting),
        ]),
      ),
    );
  for (const { key, level, problem } of unknown) {
    print(paint('red', `${oneLine(key)} in ${oneLine(level === 'user' ? file : (workspaceFile ?? ''))}: ${oneLine(problem)}`));
  }
  hint(oneLine(`user: ${file}`));
  if (workspaceFile !== null) hint(oneLine(`workspace: ${workspaceFile}`));
  hint('retake settings KEY tells more; with --workspace a value is set for this workspace alone');
};

const describe = (setting: Setting): void =>
  print(
    wholeTable([
      [paint('dim', 'setting'), setting.key],
      [paint('dim', 'is'), shown(setting)],
      [paint('dim', 'from'), [setting.from, ...(setting.source === null ? [] : [`(${oneLine(setting.source)})`])].join(' ')],
      ...setting.levels
        .filter((level) => setting.from !== level && setting.given[level] !== null)
        .map((level) => [paint('dim', level), `${oneLine(JSON.stringify(setting.given[level]))}, which does not count here`]),
      [paint('dim', 'default'), JSON.stringify(setting.default)],
      [paint('dim', 'wanted'), setting.wanted],
      [paint('dim', 'variable'), setting.variable],
      [paint('dim', 'set for'), setting.levels.includes('workspace') ? 'all workspaces (--user), or one (--workspace)' : 'all workspaces'],
      [paint('dim', 'meaning'), setting.meaning],
    ]),
  );

const shown = ({ value, problem }: Setting): string => (problem === null ? oneLine(JSON.stringify(value)) : paint('red', oneLine(problem)));
