import { changeSettings, listSettings, type SettingsReport } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';

export const settingsHandlers: HandlersOf<'getSettings' | 'changeSettings'> = {
  getSettings: () => settingsJson(listSettings()),
  changeSettings: async ({ body }) => {
    await changeSettings(body.changes);
    return settingsJson(listSettings());
  },
};

/** Lists of their own: what is built in is nobody's to change. */
const settingsJson = ({ file, settings, unknown }: SettingsReport) => ({
  file,
  settings: settings.map(({ value, default: built, ...setting }) => ({ ...setting, value: own(value), default: own(built) })),
  unknown: [...unknown],
});

const own = <T>(value: T | readonly string[]): T | string[] => (Array.isArray(value) ? [...value] : (value as T));
