import { fileURLToPath } from 'node:url';
import { type Background, startInBackground } from '../host/background.ts';
import type { ServeRequest } from './protocol.ts';

const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './daemon.js', import.meta.url);

/** Megabytes for what was made a moment ago: enough for a request, and a tenth less memory for a process that mostly waits. */
const YOUNG = '--max-semi-space-size=2';

/** How many percent the rest may grow before it is looked through again. Left alone, garbage grows to several times of what is needed. */
const OLD = '--heap-growing-percent=20';

/** Starts a daemon, which ends at once where there is one already, and serves the HTTP interface if it is told to; or a process that records what was spooled and ends. */
export const startDaemon = (life: 'stays' | 'once' = 'stays', serve?: ServeRequest): Background => {
  const args = serve === undefined ? [] : ['--serve', JSON.stringify(serve)];
  return startInBackground(fileURLToPath(SCRIPT), life === 'once' ? { args: ['--once'] } : { nodeOptions: [YOUNG, OLD], args });
};

/** Starts a process that looks after the store of a workspace and ends. */
export const startUpkeep = (directory: string): Background => startInBackground(fileURLToPath(SCRIPT), { args: ['--upkeep', directory] });
