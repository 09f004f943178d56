import { setTimeout as sleep } from 'node:timers/promises';
import { BenchDaemon } from './daemon.ts';
import { describeSize, type Measurement } from './plan.ts';
import { Random } from './random.ts';
import { editFiles, projectPaths } from './repositories.ts';
import { runProgram } from './retake.ts';
import { say } from './say.ts';

const FILES = 1000;
const STEPS = 4;
const TURNS_OF_A_SESSION = 20;
/** So that the daemon does what it leaves for quiet moments. */
const PAUSES = 8;
const PAUSE = 3000;

/** PRF-8: what the daemon takes over many events, sessions and turns, with pauses between them. */
export const longDay: Measurement = {
  rule: 'PRF-8-events',
  measure: async ({ workshop, repositories, plan: { events } }) => {
    const directory = await repositories.clone(FILES);
    const home = workshop.fresh('retake');
    runProgram(home, directory, 'checkpoint');
    const daemon = BenchDaemon.start(home, directory);
    try {
      await daemon.call('checkpoint', { request: {} });
      await daemon.warm();
      const random = new Random(20);
      const paths = projectPaths(FILES);
      let [sent, largest] = [0, 0];
      const look = async (): Promise<void> => {
        largest = Math.max(largest, (await daemon.status()).memory);
      };
      const send = async (name: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
        const session = `day-${Math.floor(sent / (TURNS_OF_A_SESSION * (2 * STEPS + 2)))}`;
        const payload = { hook_event_name: name, session_id: session, cwd: directory, transcript_path: '/nowhere', ...fields };
        await daemon.record(JSON.stringify(payload));
        sent++;
        if (sent % 250 === 0) await look();
        if (sent % Math.ceil(events / PAUSES) !== 0) return;
        say(`PRF-8: ${sent} of ${events} events, ${Math.round(largest / 1e6)} MB`);
        await sleep(PAUSE);
        await look();
      };
      for (let turn = 0; sent < events; turn++) {
        await send('UserPromptSubmit', { prompt: `turn ${turn}`, prompt_id: `prompt-${turn}` });
        for (let step = 0; step < STEPS; step++) {
          const call = { tool_name: 'Bash', tool_use_id: `tool-${turn}-${step}` };
          await send('PreToolUse', call);
          editFiles(directory, random.sample(paths, 1), random);
          await send('PostToolUse', call);
        }
        await send('Stop');
      }
      return [
        {
          measure: `PRF-8-events largest memory over ${events.toLocaleString('en')} events, against 150 MB`,
          size: describeSize(FILES),
          retake: { bytes: largest },
          peer: { bytes: 150_000_000 },
          bar: { atMost: 1 },
        },
      ];
    } finally {
      await daemon.stop();
    }
  },
};
