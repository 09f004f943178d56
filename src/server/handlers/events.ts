import { readLogEnd } from '../../engine/index.ts';
import { encodePosition } from '../events/position.ts';
import { type HandlersOf, Live } from '../handler.ts';

export const eventHandlers: HandlersOf<'getPosition' | 'followEvents'> = {
  getPosition: ({ workspace }) => ({ after: encodePosition(readLogEnd(workspace)) }),
  followEvents: ({ workspace, query, headers, signal, shared }) =>
    new Live('text/event-stream', shared.events.open(workspace, headers.get('last-event-id') ?? query.after, signal)),
};
