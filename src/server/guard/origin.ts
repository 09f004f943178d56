import { BadRequest } from '../problem.ts';
import type { Incoming } from './incoming.ts';

/** What a browser says of where a request comes from: our own page, or the person who typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Pages of other sites are refused, whatever they ask for; programs that are no browsers say nothing of it. A person may follow a link from
 * anywhere to a page that is open to all.
 */
export const checkOrigin = ({ headers }: Incoming, isOpen: boolean): void => {
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${headers.get('host')}`)
    throw new BadRequest('forbidden', 'Requests of other sites are refused');
  const site = headers.get('sec-fetch-site');
  const isFollowed = isOpen && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  if (site !== null && !OWN_SITES.includes(site) && !isFollowed) throw new BadRequest('forbidden', 'Requests of other sites are refused');
};
