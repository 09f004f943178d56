import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes of daemons, for those too who are no test: nothing of the test runner is needed here. */

/** The living processes of the daemon's program that work for a data directory. */
export const daemonsIn = (home: string, args: readonly string[] = []): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && isDaemon(pid, home, args));

const isDaemon = (pid: number, home: string, args: readonly string[]): boolean => {
  try {
    const words = (name: string): string[] => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0');
    // The options of Node come first.
    const [script = '', ...given] = words('cmdline')
      .slice(1)
      .filter((word) => !/^--[\w-]+=/.test(word));
    const isOurs = words('environ').includes(`RETAKE_HOME=${home}`);
    return isOurs && /daemon(\/main)?\.[jt]s$/.test(script) && args.every((one) => given.includes(one));
  } catch {
    return false;
  }
};

/** A zombie whose parent does not care is not alive. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Ends what lives for a data directory; also those that were started when there was one already, and would take its place. */
export const endDaemons = (home: string): Promise<void> =>
  until(() => {
    const pids = daemonsIn(home);
    for (const pid of pids) killIfAlive(pid);
    return pids.length === 0;
  });

/** It may have ended by itself since it was seen. */
const killIfAlive = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Waits for what must come to pass; how long it may take says nothing about the program. */
export const until = async (condition: () => unknown): Promise<void> => {
  for (let turn = 0; !(await condition()); turn++) {
    if (turn > 30_000) throw new Error(`still waiting for ${condition}`);
    await sleep(20);
  }
};
