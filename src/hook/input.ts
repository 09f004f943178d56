import { fstatSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { MAXIMUM_LINE } from '../daemon/protocol.ts';

const CHUNK = 64 * 1024;

/** On a busy machine a process may be late before it begins: what the agent has sent is read all the same. */
const SHORTEST_PATIENCE = 1000;

/** Standard input to its end; `null` when that does not come. */
export const readInput = (patience: number): Promise<string | null> => {
  const stat = fstatSync(0);
  return stat.isFIFO() || stat.isSocket() ? readStream(Math.max(patience, SHORTEST_PATIENCE)) : Promise.resolve(readAtOnce());
};

/** A read that waits for the other end could not be given up, so those are left to the event loop. */
const readStream = (patience: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const input = new Socket({ fd: 0, readable: true, writable: false });
    input.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAXIMUM_LINE) reject(tooLong());
      chunks.push(chunk);
    });
    input.on('error', reject);
    input.on('end', () => resolve(Buffer.concat(chunks).toString()));
    // Not before one more look at what has arrived.
    setTimeout(() => setImmediate(() => resolve(null)), patience);
  });

const readAtOnce = (): string => {
  const chunks: Buffer[] = [];
  for (let length = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const got = readSync(0, chunk);
    if (got === 0) return Buffer.concat(chunks).toString();
    length += got;
    if (length > MAXIMUM_LINE) throw tooLong();
    chunks.push(chunk.subarray(0, got));
  }
};

const tooLong = (): Error => new Error('the event is too long');
