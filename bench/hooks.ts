import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { BenchDaemon } from './daemon.ts';
import { demand, race } from './measure.ts';
import { describeSize, type Measurement } from './plan.ts';
import { logOf, runProgram } from './retake.ts';

const HOOK = join(import.meta.dirname, '../dist/hook.cjs');

/** PRF-4: the process that an agent starts before and after every tool, against one that does nothing. */
export const hooks: Measurement = {
  rule: 'PRF-4',
  measure: async ({ workshop, repositories, plan }) => {
    const [size = 0] = plan.sizes;
    const directory = await repositories.clone(size);
    const home = workshop.fresh('retake');
    runProgram(home, directory, 'checkpoint');
    const daemon = BenchDaemon.start(home, directory);
    try {
      await daemon.call('checkpoint', { request: {} });
      await daemon.warm();
      const env = { ...process.env, RETAKE_HOME: daemon.home };
      const run = (args: readonly string[], input?: string): void => {
        const { status, stderr } = spawnSync(process.execPath, args, { env, input: input ?? '', stdio: ['pipe', 'pipe', 'pipe'] });
        demand(status === 0, `${args[0]}: ${stderr}`);
      };
      const prompt = () => ({
        ...JSON.parse(daemon.event()),
        hook_event_name: 'UserPromptSubmit',
        prompt: 'x',
        prompt_id: Math.random().toString(),
      });
      const before = await logOf(daemon.home, directory);
      const rounds = plan.rounds * 4;
      const times = await race({
        rounds,
        contenders: {
          empty: { run: () => run(['-e', '0']) },
          hook: { run: () => run([HOOK, 'claude-code'], JSON.stringify(prompt())) },
        },
      });
      demand((await logOf(daemon.home, directory)) === before + rounds + 1, 'not every hook was recorded');
      return [
        {
          measure: 'PRF-4 hook as a process, against `node -e 0`',
          size: describeSize(size),
          retake: times.hook,
          peer: times.empty,
          bar: { atMost: 1.5 },
        },
      ];
    } finally {
      await daemon.stop();
    }
  },
};
