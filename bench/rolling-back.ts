import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointResult } from '../src/engine/index.ts';
import { BenchDaemon } from './daemon.ts';
import { comeToRest, demand, race } from './measure.ts';
import { describeSize, largest, type Measurement } from './plan.ts';
import { Random } from './random.ts';
import { editFiles, projectPaths } from './repositories.ts';
import { checkpointInProcess, rollBackInProcess, runProgram } from './retake.ts';
import { runGit } from './run-git.ts';
import { say } from './say.ts';

const EDITED = 90;
const DELETED = 10;

/** PRF-5: some files among many are brought back. Retake also records the present first and journals what it does. */
export const rollingBack: Measurement = {
  rule: 'PRF-5',
  measure: async ({ workshop, repositories, plan }) => {
    const size = largest(plan);
    const ours = await repositories.clone(size);
    const theirs = await repositories.clone(size);
    const homes = { inProcess: workshop.fresh('retake'), asProgram: workshop.fresh('retake') };
    const start = (await checkpointInProcess(homes.inProcess, ours)).checkpoint.id;
    const programStart = runProgram<{ id: string }>(homes.asProgram, ours, 'checkpoint').id;
    runGit(theirs, ['status']);
    const home = workshop.fresh('retake');
    runProgram(home, ours, 'checkpoint');
    const daemon = BenchDaemon.start(home, ours);
    try {
      const { checkpoint } = (await daemon.call('checkpoint', { request: { name: 'start' } })) as CheckpointResult;
      await daemon.warm();
      await daemon.practise();
      say(`PRF-5: rollback of ${EDITED + DELETED} of ${size} files`);
      const random = new Random(size);
      const paths = random.sample(projectPaths(size), EDITED + DELETED);
      const around = (directory: string) => spoilAndCheck(directory, paths, random);
      const times = await race({
        rounds: plan.rounds,
        contenders: {
          git: { ...around(theirs), run: () => runGit(theirs, ['reset', '--quiet', '--hard']) },
          daemon: {
            ...around(ours),
            run: () => daemon.call('rollback', { request: { verb: 'Rollback', target: checkpoint }, options: {} }),
          },
          inProcess: { ...around(ours), run: () => rollBackInProcess(homes.inProcess, ours, start) },
          asProgram: { ...around(ours), run: () => runProgram(homes.asProgram, ours, 'rewind', programStart, '--yes') },
        },
      });
      const common = { size: describeSize(size), peer: times.git };
      const what = `PRF-5 rollback of ${EDITED + DELETED} files`;
      return [
        { ...common, measure: `${what}, with the daemon`, retake: times.daemon, bar: { faster: 1 } },
        { ...common, measure: `${what}, in-process`, retake: times.inProcess, bar: { atMost: 2 } },
        { ...common, measure: `${what}, whole program`, retake: times.asProgram, bar: { atMost: 2 } },
      ];
    } finally {
      await daemon.stop();
    }
  },
};

/** Some files edited and some gone before, all of them as they were afterwards. */
const spoilAndCheck = (directory: string, paths: readonly string[], random: Random) => {
  const contents = new Map(paths.map((path) => [path, readFileSync(join(directory, path))]));
  return {
    prepare: async () => {
      editFiles(directory, paths.slice(DELETED), random);
      for (const path of paths.slice(0, DELETED)) rmSync(join(directory, path));
      await comeToRest();
    },
    check: () => {
      const isBack = ([path, content]: readonly [string, Buffer]): boolean => readFileSync(join(directory, path)).equals(content);
      demand([...contents].every(isBack), 'not every file came back');
    },
  };
};
