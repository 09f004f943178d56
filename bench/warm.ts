import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeContent } from './contents.ts';
import { BenchDaemon } from './daemon.ts';
import { comeToRest, demand, race, type Sample, summarize } from './measure.ts';
import { type Bench, describeSize, type Measurement } from './plan.ts';
import { Random } from './random.ts';
import type { Row } from './report.ts';
import { editFiles, projectPaths } from './repositories.ts';
import { logOf, runProgram } from './retake.ts';
import { say } from './say.ts';
import { ShadowRepository } from './shadow.ts';

/** PRF-1: a few files changed since the last checkpoint, and the daemon heard of it. From request to reply on its socket. */
export const warm: Measurement = {
  rule: 'PRF-1',
  measure: async (bench) => {
    const rows: Row[] = [];
    const ones: Sample[] = [];
    for (const size of bench.plan.sizes) {
      const measured = await measureSize(bench, size);
      rows.push(...measured.rows);
      ones.push(measured.one);
    }
    const [small, large] = ones;
    if (small !== undefined && large !== undefined) {
      const [from, to] = bench.plan.sizes.map((size) => size.toLocaleString('en'));
      rows.push({
        measure: `PRF-1 one file changed, ${to} files against ${from}`,
        size: 'both',
        retake: large,
        peer: small,
        bar: { atMost: 2 },
      });
    }
    return rows;
  },
};

const COUNTS = [1, 10, 1000];

const measureSize = async (bench: Bench, size: number): Promise<{ rows: Row[]; one: Sample }> => {
  const { workshop, repositories, plan } = bench;
  const directory = await repositories.clone(size);
  const shadow = ShadowRepository.create(workshop.fresh('shadow'), directory);
  shadow.record();
  const home = workshop.fresh('retake');
  runProgram(home, directory, 'checkpoint');
  const started = performance.now();
  const daemon = BenchDaemon.start(home, directory);
  try {
    await daemon.call('checkpoint', { request: {} });
    await daemon.warm();
    await daemon.record(daemon.event());
    const ready = summarize([performance.now() - started]);
    await daemon.practise();
    const random = new Random(size);
    const paths = projectPaths(size);
    const rows: Row[] = [];
    let one = summarize([]);
    for (const count of COUNTS.filter((few) => few < size)) {
      say(`PRF-1: ${count} of ${size} files changed`);
      const times = await raceEvents(daemon, shadow, {
        rounds: count < 1000 ? plan.rounds * 2 + 1 : plan.rounds,
        change: () => editFiles(directory, random.sample(paths, count), random),
      });
      if (count === 1) one = times.daemon;
      rows.push({
        measure: `PRF-1 ${count === 1 ? 'one file' : `${count.toLocaleString('en')} files`} changed`,
        size: describeSize(size),
        retake: times.daemon,
        peer: times.shadow,
        bar: count === 1 ? { faster: size >= 100_000 ? 100 : 30 } : 'faster',
      });
    }
    rows.push(await measureBurst(bench, { directory, size, daemon, shadow }));
    rows.push({
      measure: 'PRF-1 from the start of the daemon to its first checkpoint by the journal, against one checkpoint',
      size: describeSize(size),
      retake: ready,
      peer: one,
      bar: 'faster',
    });
    return { rows, one };
  } finally {
    await daemon.stop();
  }
};

/** What installing packages does: more changes at once than the system keeps events of. */
const measureBurst = async (
  { plan }: Bench,
  { directory, size, daemon, shadow }: { directory: string; size: number; daemon: BenchDaemon; shadow: ShadowRepository },
): Promise<Row> => {
  const burst = Math.min(20_000, size * 2);
  say(`PRF-1: ${burst} new files beside ${size}`);
  const random = new Random(burst);
  const times = await raceEvents(daemon, shadow, {
    rounds: plan.slowRounds,
    change: () => {
      rmSync(join(directory, 'vendor'), { recursive: true, force: true });
      for (let made = 0; made < burst; made++) {
        const folder = join(directory, `vendor/package-${Math.floor(made / 100)}/lib-${Math.floor(made / 10) % 10}`);
        if (made % 10 === 0) mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `file-${made}.js`), makeContent(random));
      }
    },
  });
  return {
    measure: `PRF-1 ${burst.toLocaleString('en')} files made at once`,
    size: describeSize(size),
    retake: times.daemon,
    peer: times.shadow,
    bar: 'faster',
  };
};

const raceEvents = async (
  daemon: BenchDaemon,
  shadow: ShadowRepository,
  { rounds, change }: { rounds: number; change: () => void },
): Promise<Record<'daemon' | 'shadow', Sample>> => {
  const recorded = (): Promise<number> => logOf(daemon.home, shadow.workTree);
  let before = 0;
  let event: Awaited<ReturnType<BenchDaemon['prepare']>> | undefined;
  return race({
    rounds,
    beforeRound: async () => {
      change();
      before = await recorded();
      await comeToRest();
    },
    contenders: {
      shadow: { run: () => shadow.record() },
      daemon: {
        prepare: async () => {
          event = await daemon.prepare(daemon.event());
        },
        run: () => event?.send(),
        check: async () => {
          await event?.check();
          demand((await recorded()) === before + 1, 'the event was not recorded');
          // What it puts off until nobody waits is not to meet the others' time.
          await comeToRest();
        },
      },
    },
  });
};
