import { type HandlersOf, Live } from '../handler.ts';

export const eventHandlers: HandlersOf<'followEvents'> = {
  followEvents: ({ workspace, query, headers, signal, shared }) =>
    new Live('text/event-stream', shared.events.open(workspace, headers.get('last-event-id') ?? query.after, signal)),
};
