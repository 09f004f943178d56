import type { ServerEvent } from '../../api/index.ts';

/** What keeps a connection open on which nothing happens; clients pass over it. */
export const HEARTBEAT = ':\n\n';

/** The first words: they make a client see that it is connected, and tell how soon to come again when it is not. */
export const OPENING = 'retry: 2000\n\n';

/** An event as it goes out. JSON has no line breaks of its own and writes those in texts as `\n`, so that no text ends a frame. */
export const frame = ({ event, data }: ServerEvent, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
