import { BadRequest } from '../problem.ts';
import type { Incoming } from './incoming.ts';

/** No request of ours has more to say. */
const MOST_BYTES = 1_000_000;

const CHANGING = ['POST', 'PUT', 'DELETE'];
const JSON_TYPE = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i;

/** What asks for a change is JSON and says so: no form of a page can send that. What only reads has no body. */
export const checkBody = ({ method, headers }: Incoming): void => {
  const length = headers.get('content-length');
  if (length !== null && Number(length) > MOST_BYTES) throw tooLarge();
  const hasBody = (length !== null && length !== '0') || headers.has('transfer-encoding');
  if (!CHANGING.includes(method)) {
    if (hasBody) throw new BadRequest('bad-request', 'A request that only reads has no body');
    return;
  }
  const isDue = method !== 'DELETE' || hasBody;
  if (isDue && !JSON_TYPE.test(headers.get('content-type') ?? '')) {
    throw new BadRequest('not-json', 'A body is JSON', { hint: 'Say so: content-type: application/json' });
  }
  if (headers.has('content-encoding')) throw new BadRequest('not-json', 'A body is plain JSON, not compressed');
};

/** The body; read no further than it may be long, whatever it said of its length. */
export const readBody = async (request: Request): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const tooLarge = (): BadRequest => new BadRequest('too-large', `A body has at most ${MOST_BYTES} bytes`);
