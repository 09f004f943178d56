import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Forks } from '../src/engine/index.ts';
import { demand, race, summarize } from './measure.ts';
import type { Measurement } from './plan.ts';
import { inWorkspace, readForks, runProgram } from './retake.ts';
import { say } from './say.ts';
import { folderOfSessions, MESSAGES, makeSessions } from './sessions.ts';

/** The tree is to be there within this many milliseconds. */
const BAR = { median: 100, fastest: 100, slowest: 100, runs: 1 };

/** PRF-7: the forks of all conversations that an agent ever had in a workspace. */
export const conversations: Measurement = {
  rule: 'PRF-7',
  measure: async ({ workshop, plan }) => {
    const directory = workshop.freshDirectory('workspace');
    const home = workshop.fresh('retake');
    writeFileSync(join(directory, 'file'), 'file\n');
    const folder = folderOfSessions(directory);
    const { sessions } = plan;
    say(`PRF-7: ${sessions} sessions with ${sessions * MESSAGES} messages`);
    const forks = makeSessions(folder, directory, sessions);
    const paths = readdirSync(folder).map((name) => join(folder, name));
    const read = (): void => {
      for (const path of paths) for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
    };
    const check = ({ forks: found }: Forks): void =>
      demand(found.length === forks, `${found.length} forks were found, and there are ${forks}`);
    const look = async (): Promise<void> => check(await inWorkspace(home, directory, readForks));
    const once = async (work: () => unknown) => {
      const began = performance.now();
      await work();
      return summarize([performance.now() - began]);
    };
    runProgram(home, directory, 'checkpoint');
    read();
    const [backfill, parsing] = [await once(look), await once(read)];
    const size = `${sessions.toLocaleString('en')} sessions, ${(sessions * MESSAGES).toLocaleString('en')} messages`;
    // One of them goes on each time, as in a day's work.
    const grow = (): void => void growSession(paths[0] ?? '');
    const times = await inWorkspace(home, directory, async (workspace) => {
      check(await readForks(workspace));
      const staying = { prepare: grow, run: async () => check(await readForks(workspace)) };
      return race({ rounds: plan.rounds, contenders: { staying, fresh: { prepare: grow, run: look }, reading: { run: read } } });
    });
    return [
      { measure: 'PRF-7 forks of sessions never seen, against reading their lines', size, retake: backfill, peer: parsing, bar: 'faster' },
      {
        measure: 'PRF-7 their tree when one of them grew, in a process that stays, against 100 ms',
        size,
        retake: times.staying,
        peer: BAR,
        bar: { atMost: 1 },
      },
      {
        measure: 'PRF-7 the same in a process that has to recall them, against 100 ms',
        size,
        retake: times.fresh,
        peer: BAR,
        bar: { atMost: 1 },
      },
      { measure: 'PRF-7 the same, against reading all lines', size, retake: times.fresh, peer: times.reading, bar: 'faster' },
      await measureGrowth(home, directory, paths[0] ?? '', size),
    ];
  },
};

/** A session that goes on while its reader stays. */
const measureGrowth = (home: string, directory: string, path: string, size: string) =>
  inWorkspace(home, directory, async (workspace) => {
    growSession(path);
    await readForks(workspace);
    const added = growSession(path);
    const before = bytesRead();
    const own = bytesRead() - before;
    await readForks(workspace);
    return {
      measure: 'PRF-7 bytes read when one of them grew, against those that are new',
      size,
      retake: { bytes: bytesRead() - before - 2 * own },
      peer: { bytes: added },
      bar: { atMost: 2 },
    };
  });

/** Adds a reply to the last one, and returns how many bytes that takes. */
const growSession = (path: string): number => {
  const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  const { uuid } = JSON.parse(line) as { uuid: string };
  const more = `${line.replaceAll(uuid, `${uuid}+`).replace(/"parentUuid":"[^"]*"/, `"parentUuid":"${uuid}"`)}\n`;
  appendFileSync(path, more);
  return Buffer.byteLength(more);
};

/** All that this process has read from files so far. */
const bytesRead = (): number => Number(/^rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
