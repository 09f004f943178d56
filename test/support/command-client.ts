import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { CommandReply, CommandRequest, NumberedReply } from './command-server.ts';
import { placesIn } from './command-servers.ts';

/** Of this worker's server: one test at a time asks it, and waits. */
const places = () => placesIn(join(inject('commandServers'), process.env.VITEST_POOL_ID ?? ''));

const CHUNK = Buffer.alloc(2 ** 16);

let asked = 0;

const readLine = (file: number): string => {
  const read: Buffer[] = [];
  for (;;) {
    const count = readSync(file, CHUNK, 0, CHUNK.length, null);
    if (count === 0) throw new Error('the command server is gone');
    read.push(Buffer.from(CHUNK.subarray(0, count)));
    if (CHUNK[count - 1] === 0x0a) return Buffer.concat(read).toString();
  }
};

/** Runs a command line in the process that this worker has for that, and waits for its end. */
export const askServer = (request: Omit<CommandRequest, 'number'>): CommandReply => {
  const number = process.pid * 1_000_000 + ++asked;
  const { requests, replies: place } = places();
  const replies = openSync(place, 'r+');
  try {
    writeFileSync(requests, `${JSON.stringify({ number, ...request })}\n`);
    for (;;) {
      // What was answered to a worker that did not live to hear it comes first.
      for (const line of readLine(replies).trimEnd().split('\n')) {
        const reply = JSON.parse(line) as NumberedReply;
        if (reply.number === number) return reply;
        if (reply.number === 0) throw new Error(`${reply.stderr}: ${request.args.join(' ')}`);
      }
    }
  } finally {
    closeSync(replies);
  }
};
