import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDaemon, DaemonUnreachable } from '../../src/daemon/client.ts';
import type { HookEvent } from '../../src/daemon/protocol.ts';
import { spoolEvent } from '../../src/daemon/spool.ts';
import { startInBackground } from '../../src/host/background.ts';
import { Conversation } from './claude-code.ts';

/**
 * `streamer.ts WORKSPACE SESSION EVENTS DAEMON`: an agent that works without a pause. Each of its steps writes one file, and
 * each event goes the way that the hook takes: to the daemon, or by the spool where none answers. Prints a line for each
 * event that is recorded by then.
 */
const [, , workspace = '', session = '', events = '', daemon = ''] = process.argv;

const talk = new Conversation(session, workspace);

const record = async (payload: string): Promise<'asked' | 'spooled'> => {
  const event: HookEvent = { agent: 'claude-code', payload, at: new Date().toISOString() };
  try {
    await askDaemon({ verb: 'event', event });
    return 'asked';
  } catch (error) {
    if (!(error instanceof DaemonUnreachable)) throw error;
    const path = spoolEvent(event);
    startInBackground(daemon);
    for (let turn = 1; existsSync(path); turn++) {
      await sleep(5);
      // The one that was started may have met the end of another.
      if (turn % 100 === 0) startInBackground(daemon);
    }
    return 'spooled';
  }
};

for (let number = 1; number <= Number(events); number++) {
  await record(talk.before(`${session}-${number}`, `Step${number}`));
  writeFileSync(join(workspace, session), `${number}`);
  const way = await record(talk.after(`${session}-${number}`, `Step${number}`));
  process.stdout.write(`${way} ${number}\n`);
}
