import { messagesAround } from '../../engine/index.ts';
import { messageJson } from '../../json/message.ts';
import type { HandlersOf } from '../handler.ts';

export const messageHandlers: HandlersOf<'getMessages'> = {
  getMessages: ({ workspace, params, query }) => {
    const { session, before, after } = messagesAround(workspace, params.checkpoint, query);
    return { session, before: before.map(messageJson), after: after.map(messageJson) };
  },
};
