import { demand, race, type Sample, summarize } from './measure.ts';
import { type Bench, describeSize, largest, type Measurement } from './plan.ts';
import type { Row } from './report.ts';
import { checkpointInProcess, runProgram } from './retake.ts';
import { say } from './say.ts';
import { ShadowRepository } from './shadow.ts';

/** PRF-3: nothing is known yet of a repository that was just cloned. */
export const firstCheckpoint: Measurement = {
  rule: 'PRF-3',
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const size of bench.plan.sizes) rows.push(...(await measureSize(bench, size)));
    return rows;
  },
};

const measureSize = async ({ workshop, repositories, plan }: Bench, size: number): Promise<Row[]> => {
  const directory = await repositories.clone(size);
  say(`PRF-3: first checkpoint of ${size} files`);
  let home = '';
  let shadow: ShadowRepository;
  let tree = '';
  const retake = (take: () => Promise<string | undefined> | string) => ({
    prepare: () => {
      home = workshop.fresh('retake');
    },
    run: async () => {
      tree = (await take()) ?? '';
    },
    check: () => {
      demand(shadow === undefined || tree.includes(shadow.tree), 'Retake and git see different files');
      workshop.discard(home);
    },
  });
  const adding: number[] = [];
  const times = await race({
    rounds: plan.slowRounds,
    contenders: {
      shadow: {
        prepare: () => {
          if (shadow !== undefined) workshop.discard(shadow.directory);
          shadow = ShadowRepository.create(workshop.fresh('shadow'), directory);
        },
        run: () => {
          const start = performance.now();
          shadow.add();
          adding.push(performance.now() - start);
          shadow.commit();
        },
      },
      inProcess: retake(async () => (await checkpointInProcess(home, directory)).checkpoint.state?.files),
      asProgram: retake(() => runProgram<{ tree: string }>(home, directory, 'checkpoint').tree),
    },
  });
  const bar = size === largest(plan) ? ({ faster: 15 } as const) : 'faster';
  const row = (measure: string, ours: Sample, peer: Sample): Row => ({ measure, size: describeSize(size), retake: ours, peer, bar });
  return [
    row('PRF-3 first checkpoint, in-process', times.inProcess, times.shadow),
    row('PRF-3 first checkpoint, whole program', times.asProgram, times.shadow),
    // The first run only warmed up.
    row('PRF-3 the same, against `git add -A` without the commit', times.asProgram, summarize(adding.slice(1))),
  ];
};
