import { changeSettings, listSettings } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';
import { BadRequest } from '../problem.ts';

/** Who can ask over HTTP is not to have programs of theirs run by that. */
const COMMANDS = ['conversation.summarizer'];

export const settingsHandlers: HandlersOf<'getSettings' | 'changeSettings'> = {
  getSettings: () => listSettings(),
  changeSettings: async ({ body }) => {
    const command = COMMANDS.find((key) => Object.hasOwn(body.changes, key));
    if (command !== undefined) {
      throw new BadRequest('forbidden', `${command} is a command that is run, and not set over HTTP`, {
        hint: `retake settings ${command} …`,
      });
    }
    await changeSettings(body.changes);
    return listSettings();
  },
};
