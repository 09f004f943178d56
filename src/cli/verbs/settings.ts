import type { Command } from 'commander';
import {
  changeSettings,
  isSettingKey,
  keyNamed,
  listSettings,
  parseSetting,
  type Setting,
  type SettingsReport,
  settingNamed,
} from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { hint, oneLine, paint, print, printJson, table } from '../output.ts';
import type { GlobalOptions } from '../program.ts';

interface SettingsOptions extends GlobalOptions {
  readonly unset?: boolean;
}

/** No workspace is opened: a setting that is wrong keeps every other command from working, and is corrected here. */
export const addSettingsVerb = (program: Command): void => {
  program
    .command('settings')
    .description('what can be set, what is, and where that comes from; with a value, change it')
    .argument('[key]', 'such as retention.days')
    .argument('[value]', 'a number, true or false, a text, or a list as JSON')
    .option('--unset', 'what is built in counts again')
    .action((key: string | undefined, value: string | undefined, _options: unknown, command: Command) =>
      settings(key, value, command.optsWithGlobals<SettingsOptions>()),
    );
};

const settings = async (key: string | undefined, value: string | undefined, { unset = false, json }: SettingsOptions): Promise<void> => {
  if (unset && (key === undefined || value !== undefined)) {
    throw new RetakeError('usage', '--unset takes the key of a setting and no value', { hint: 'retake settings lists the keys.' });
  }
  if (key === undefined) {
    const report = listSettings();
    return json ? printJson(report) : printAll(report);
  }
  if (unset) await changeSettings({ [key]: null });
  else if (value !== undefined) await changeSettings({ [key]: parseSetting(keyNamed(key), value) });
  if (unset && !isSettingKey(key)) return json ? printJson({ key, removed: true }) : print(`Removed ${oneLine(key)}, which is no setting`);
  const setting = settingNamed(key);
  if (json) printJson(setting);
  else describe(setting);
};

const printAll = ({ file, settings, unknown }: SettingsReport): void => {
  print(
    table(
      settings.map((setting) => [
        setting.from === 'default' ? setting.key : paint('bold', setting.key),
        paint('dim', setting.from),
        shown(setting),
      ]),
    ),
  );
  for (const key of unknown) print(paint('red', `${oneLine(key)} in ${oneLine(file)} is no setting`));
  hint(`${file} · retake settings KEY tells more`);
};

const describe = (setting: Setting): void =>
  print(
    table([
      [paint('dim', 'setting'), setting.key],
      [paint('dim', 'is'), shown(setting)],
      [paint('dim', 'from'), setting.from === 'environment' ? setting.variable : setting.from],
      [paint('dim', 'default'), JSON.stringify(setting.default)],
      [paint('dim', 'wanted'), setting.wanted],
      [paint('dim', 'meaning'), setting.meaning],
    ]),
  );

const shown = ({ value, problem }: Setting): string => (problem === null ? oneLine(JSON.stringify(value)) : paint('red', oneLine(problem)));
