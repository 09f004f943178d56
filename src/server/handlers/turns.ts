import { type DescribedTurn, describeTurns, listTurns, messagesOfTurn } from '../../engine/index.ts';
import { messageJson } from '../../json/message.ts';
import type { MessageId } from '../../model/index.ts';
import type { HandlersOf } from '../handler.ts';
import { pageOf } from '../page.ts';

export const turnHandlers: HandlersOf<'listTurns' | 'getTurnMessages'> = {
  listTurns: ({ workspace, params: { session }, query: { branch, forkPoints, ...paging } }) => {
    const turns = listTurns(workspace, { session, branch, forkPoints }).reverse();
    // What is told of each takes long: only of those that are asked for.
    const { items, total, next } = pageOf(turns, ({ number }) => String(number), paging);
    return { turns: describeTurns(workspace, items).map(turnJson), total, next };
  },
  getTurnMessages: ({ workspace, params, query }) => {
    const messages = messagesOfTurn(workspace, params.session, params.message as MessageId);
    const { items, total, next } = pageOf(messages, ({ id }) => id, query);
    return { messages: items.map(messageJson), total, next };
  },
};

const turnJson = ({ message, counts, ...turn }: DescribedTurn) => ({ ...turn, messageId: message, files: counts });
