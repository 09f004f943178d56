import { askDaemon, DaemonUnreachable } from '../daemon/client.ts';
import type { HookAnswer, HookEvent } from '../daemon/protocol.ts';
import { runner } from '../host/process-stat.ts';
import { readInput } from './input.ts';
import { readHookSettings } from './settings.ts';

/**
 * `retake hook AGENT`: hands the event on standard input to the daemon and prints what the agent is to be told. An agent
 * runs it before and after each tool, so it loads next to nothing, and it ends with 0 whatever happens: Retake must never
 * stand in an agent's way (AGT-1).
 */
const [, , agent = ''] = process.argv;

const run = async (): Promise<void> => {
  const settings = readHookSettings();
  // Counted from the start of the process; `performance` would be loaded first.
  const remaining = (): number => Math.max(1, settings.deadline - process.uptime() * 1000);
  const payload = await readInput(remaining());
  if (payload === null) throw new Error('the event did not end in time');
  if (agent === '' || payload === '')
    throw new Error(agent === '' ? 'the hook was called without the name of an agent' : 'the event is empty');
  const event: HookEvent = { agent, payload, at: new Date().toISOString(), process: runner() };
  try {
    if (!settings.usesDaemon) throw new DaemonUnreachable('absent');
    const { output } = (await askDaemon({ verb: 'event', event }, { deadline: remaining() })) as HookAnswer;
    if (output !== '') await say(output);
  } catch (error) {
    const { spoolForLater } = await import('./spool-for-later.ts');
    await spoolForLater(event, error, { usesDaemon: settings.usesDaemon, remaining });
  }
};

const say = (output: string): Promise<void> => new Promise((resolve) => process.stdout.write(output, () => resolve()));

const tell = async (error: unknown): Promise<void> => {
  try {
    const { noteTrouble } = await import('../daemon/trouble.ts');
    noteTrouble({ agent, problem: error instanceof Error ? error.message : String(error) });
  } catch {
    // Where not even this can be written, there is nobody left to tell.
  }
  process.exit(0);
};

process.on('uncaughtException', tell);
process.on('unhandledRejection', tell);
run().then(() => process.exit(0), tell);
