import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds of several runs. */
export interface Sample {
  readonly median: number;
  readonly fastest: number;
  readonly slowest: number;
  readonly runs: number;
}

/** One of those compared. Only `run` is timed. */
interface Contender {
  readonly prepare?: () => unknown;
  readonly run: () => unknown;
  /** Makes sure that the work was really done, and clears up after it. */
  readonly check?: () => unknown;
}

export interface Race<Name extends string> {
  readonly rounds: number;
  readonly contenders: Readonly<Record<Name, Contender>>;
  readonly beforeRound?: () => unknown;
}

/**
 * Runs the contenders in turn, so that whatever else the machine does meets all of them alike; each round begins with
 * another one. The first round warms caches and is not counted.
 */
export const race = async <Name extends string>({ rounds, contenders, beforeRound }: Race<Name>): Promise<Record<Name, Sample>> => {
  const names = Object.keys(contenders) as Name[];
  // What was written to get ready is not to be on its way to the disk meanwhile.
  spawnSync('sync');
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    await beforeRound?.();
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const elapsed = await time(contenders[name]);
      if (round > 0) times.get(name)?.push(elapsed);
    }
  }
  return Object.fromEntries(names.map((name) => [name, summarize(times.get(name) ?? [])])) as Record<Name, Sample>;
};

const time = async ({ prepare, run, check }: Contender): Promise<number> => {
  await prepare?.();
  // A process of its own would begin with an empty heap. The collector's threads go on for a while, and would take their share.
  collectHeap();
  await sleep(SWEEPING);
  const start = performance.now();
  await run();
  const elapsed = performance.now() - start;
  await check?.();
  return elapsed;
};

export const summarize = (times: readonly number[]): Sample => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const upper = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(upper) : (at(upper - 1) + at(upper)) / 2;
  return { median, fastest: at(0), slowest: at(sorted.length - 1), runs: sorted.length };
};

/** Node offers its garbage collector only on request. */
const collectHeap = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

const SWEEPING = 25;

const REST = 100;

/**
 * File systems tell times in ticks, and both git and Retake read again what changed within the tick in which they looked.
 * Waiting a little keeps that chance out of the figures.
 */
export const comeToRest = (): Promise<void> => sleep(REST);

/** Fails the bench rather than print the time of something that was not done. */
export const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not measured: ${what}`);
};
