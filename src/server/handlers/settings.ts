import { changeSettings, listSettings } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';
import { BadRequest } from '../problem.ts';
import type { Workspaces } from '../workspaces.ts';

/** Who can ask over HTTP is not to have programs of theirs run by that. */
const COMMANDS = ['conversation.summarizer'];

/** No workspace is opened for it: one with settings that are wrong can not be. */
export const settingsHandlers: HandlersOf<'getSettings' | 'changeSettings'> = {
  getSettings: ({ shared, query }) => listSettings(dataOf(shared.workspaces, query.workspace)),
  changeSettings: async ({ body: { changes, level }, shared: { workspaces }, query }) => {
    const command = COMMANDS.find((key) => Object.hasOwn(changes, key));
    if (command !== undefined) {
      throw new BadRequest('forbidden', `${command} is a command that is run, and not set over HTTP`, {
        hint: `retake settings ${command} …`,
      });
    }
    await changeSettings(changes, level === 'workspace' ? workspaces.find(query.workspace).data : undefined);
    return listSettings(dataOf(workspaces, query.workspace));
  },
};

/** Undefined where no workspace is named and none is served: what counts for all can be asked for all the same. */
const dataOf = (workspaces: Workspaces, id: string | undefined): string | undefined =>
  id === undefined ? workspaces.served?.data : workspaces.find(id).data;
