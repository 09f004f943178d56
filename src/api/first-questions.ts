import { ADDRESSES } from './addresses.ts';
import { target } from './client.ts';
import type { RouteName } from './contract.ts';

/** How many of a list a view of the page asks for at once. */
export const AT_ONCE = { sessions: 50, turns: 100, checkpoints: 100 } as const;

/**
 * What the page will ask for first at an address of its own, as it will ask: told to a browser with the page, it is answered while the
 * browser still reads the page's program.
 */
export const firstQuestions = (address: URL): string[] => {
  const [, root, workspace, part, session, ...rest] = address.pathname.split('/').map(decoded);
  const isCheckpoint = rest.length === 2 && rest[0] === 'c';
  if (root !== 'w' || workspace === undefined || workspace === '') return [];
  const question = (name: RouteName, asking: Parameters<typeof target>[1]): string => target(ADDRESSES[name], { ...asking, workspace });
  const position = question('getPosition', {});
  if (part === undefined) return [position, question('listSessions', { query: { limit: AT_ONCE.sessions } })];
  if (part !== 's' || session === undefined || (rest.length > 0 && !isCheckpoint)) return [position];
  const branch = address.searchParams.get('branch') ?? undefined;
  const params = { session };
  return [
    position,
    question('listCheckpoints', { params, query: { branch, limit: AT_ONCE.checkpoints } }),
    question('listTurns', { params, query: { branch, limit: AT_ONCE.turns } }),
  ];
};

/** What is no text behind its signs of per cent is nothing that the page could ask for. */
const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};
