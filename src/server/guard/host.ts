import { BadRequest } from '../problem.ts';
import type { Incoming } from './incoming.ts';

/** The names that this server goes by. Any other is a name that somebody made point here (DNS rebinding). */
const servedHosts = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/** One Host header, and it names us; the target is a path of ours, not a whole address. */
export const checkHost = ({ headers, rawHeaders, target }: Incoming, port: number): void => {
  const hosts = rawHeaders?.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length ?? 1;
  const host = headers.get('host');
  if (hosts !== 1 || host === null) throw new BadRequest('bad-request', 'A request names its host once');
  if (!servedHosts(port).includes(host)) throw new BadRequest('forbidden', 'This server does not go by that name');
  if (target !== undefined && !target.startsWith('/')) throw new BadRequest('bad-request', 'A request names a path');
};
