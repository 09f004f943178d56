import { changeSettings, listSettings } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';

export const settingsHandlers: HandlersOf<'getSettings' | 'changeSettings'> = {
  getSettings: () => listSettings(),
  changeSettings: async ({ body }) => {
    await changeSettings(body.changes);
    return listSettings();
  },
};
