import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { timeReferenceJob } from './reference-job.ts';

/** Seconds between two looks at how busy the machine is. */
const EVERY = 20;

const SHOWN = 10;

export interface Timing {
  /** What all files took, added up, in seconds. */
  readonly total: number;
  /** The middle one of what the reference job took while they ran, in seconds. */
  readonly reference: number;
  readonly files: readonly { readonly file: string; readonly seconds: number }[];
}

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const secondsOf = (module: TestModule): number => {
  const { duration, collectDuration, prepareDuration, setupDuration } = module.diagnostic();
  return (duration + collectDuration + prepareDuration + setupDuration) / 1000;
};

/**
 * Ends a run with its slowest files, and with what all of it took as a multiple of a job that was timed now and then beside it: that number
 * says the same on a quiet machine and on a busy one. RETAKE_TIMING names a file that gets it too.
 */
export default class TimingReporter implements Reporter {
  readonly #samples: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  onTestRunStart(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), EVERY * 1000);
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    const files = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
      .toSorted((a, b) => b.seconds - a.seconds);
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
    const timing: Timing = { total, reference: middleOf(this.#samples) / 1000, files };
    if (files.length > 1) this.#tell(timing);
    if (process.env.RETAKE_TIMING !== undefined) writeFileSync(process.env.RETAKE_TIMING, JSON.stringify(timing));
  }

  /** One at a time: on a machine that is too busy for that, fewer. */
  #look(): void {
    this.#running = this.#running.then(async () => void this.#samples.push(await timeReferenceJob()));
  }

  #tell({ total, reference, files }: Timing): void {
    console.log('\n Slowest files');
    for (const { file, seconds } of files.slice(0, SHOWN)) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
    const times = Math.round(total / reference);
    console.log(`${total.toFixed(1).padStart(8)} s  all ${files.length}, ${times} times the reference job of ${reference.toFixed(3)} s\n`);
  }
}
