import { setTimeout as sleep } from 'node:timers/promises';
import { BenchDaemon } from './daemon.ts';
import { describeSize, largest, type Measurement } from './plan.ts';
import { Random } from './random.ts';
import { editFiles, projectPaths } from './repositories.ts';
import { runProgram } from './retake.ts';
import { say } from './say.ts';

const EVENTS = 50;
const IDLE_SECONDS = 20;

/** PRF-8: what the daemon takes while nothing happens. */
export const footprint: Measurement = {
  rule: 'PRF-8',
  measure: async ({ workshop, repositories, plan }) => {
    const size = largest(plan);
    const directory = await repositories.clone(size);
    const home = workshop.fresh('retake');
    runProgram(home, directory, 'checkpoint');
    const daemon = BenchDaemon.start(home, directory);
    try {
      await daemon.call('checkpoint', { request: {} });
      await daemon.warm();
      const random = new Random(8);
      const paths = projectPaths(size);
      for (let made = 0; made < EVENTS; made++) {
        editFiles(directory, random.sample(paths, 1), random);
        await daemon.record(daemon.event());
      }
      say(`PRF-8: ${IDLE_SECONDS} idle seconds`);
      // Work that was put off until nothing happens belongs to the events.
      await sleep(5000);
      const busy = daemon.cpuSeconds;
      await sleep(IDLE_SECONDS * 1000);
      const idle = (daemon.cpuSeconds - busy) / IDLE_SECONDS;
      const { memory } = await daemon.status();
      return [
        {
          measure: `PRF-8 memory after ${EVENTS} events, against 150 MB`,
          size: describeSize(size),
          retake: { bytes: memory },
          peer: { bytes: 150_000_000 },
          bar: { atMost: 1 },
        },
        {
          measure: `PRF-8 share of a core in ${IDLE_SECONDS} idle seconds, against 1 %`,
          size: describeSize(size),
          retake: { share: idle },
          peer: { share: 0.01 },
          bar: { atMost: 1 },
        },
      ];
    } finally {
      await daemon.stop();
    }
  },
};
