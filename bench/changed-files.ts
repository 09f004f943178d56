import { comeToRest, demand, race } from './measure.ts';
import { type Bench, describeSize, type Measurement } from './plan.ts';
import { Random } from './random.ts';
import type { Row } from './report.ts';
import { editFiles, projectPaths } from './repositories.ts';
import { checkpointInProcess, runProgram } from './retake.ts';
import { say } from './say.ts';
import { ShadowRepository } from './shadow.ts';

/** PRF-2: a few files changed since the last checkpoint, and no daemon watched them change. */
export const changedFiles: Measurement = {
  rule: 'PRF-2',
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const size of bench.plan.sizes) rows.push(...(await measureSize(bench, size)));
    return rows;
  },
};

const COUNTS = [1, 10, 1000];

const measureSize = async ({ workshop, repositories, plan }: Bench, size: number): Promise<Row[]> => {
  const directory = await repositories.clone(size);
  // Each keeps a store of its own, so that each sees the same change for the first time.
  const homes = { inProcess: workshop.fresh('retake'), asProgram: workshop.fresh('retake') };
  const shadow = ShadowRepository.create(workshop.fresh('shadow'), directory);
  shadow.record();
  await checkpointInProcess(homes.inProcess, directory);
  runProgram(homes.asProgram, directory, 'checkpoint');

  const random = new Random(size);
  const paths = projectPaths(size);
  const rows: Row[] = [];
  for (const count of COUNTS.filter((few) => few < size)) {
    say(`PRF-2: ${count} of ${size} files changed`);
    let changed: number | null = 0;
    const seesAll = () => demand(changed === count, `Retake saw ${changed} changed files instead of ${count}`);
    const times = await race({
      rounds: plan.rounds,
      beforeRound: async () => {
        editFiles(directory, random.sample(paths, count), random);
        await comeToRest();
      },
      contenders: {
        shadow: { run: () => shadow.record() },
        inProcess: {
          run: async () => {
            ({ changed } = await checkpointInProcess(homes.inProcess, directory, `bench-${count}`));
          },
          check: seesAll,
        },
        asProgram: {
          run: () => {
            ({ changed } = runProgram<{ changed: number }>(homes.asProgram, directory, 'checkpoint', '--session', `bench-${count}`));
          },
          check: seesAll,
        },
      },
    });
    const what = `PRF-2 ${count === 1 ? 'one file' : `${count.toLocaleString('en')} files`} changed`;
    const common = { size: describeSize(size), peer: times.shadow };
    rows.push({ ...common, measure: `${what}, in-process`, retake: times.inProcess, bar: count === 1 ? { faster: 1 } : 'faster' });
    rows.push({ ...common, measure: `${what}, whole program`, retake: times.asProgram, bar: 'faster' });
  }
  return rows;
};
