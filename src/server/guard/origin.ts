import { BadRequest } from '../problem.ts';
import type { Incoming } from './incoming.ts';

/** What a browser says of where a request comes from: our own page, or the person who typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/** Pages of other sites are refused, whatever they ask for; programs that are no browsers say nothing of it. */
export const checkOrigin = ({ headers }: Incoming): void => {
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${headers.get('host')}`)
    throw new BadRequest('forbidden', 'Requests of other sites are refused');
  const site = headers.get('sec-fetch-site');
  if (site !== null && !OWN_SITES.includes(site)) throw new BadRequest('forbidden', 'Requests of other sites are refused');
};
