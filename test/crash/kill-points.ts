import { Arena, type Ended } from './arena.ts';
import { chosenPoints } from './chosen-points.ts';

export interface Kill<Facts> {
  readonly arena: Arena;
  /** What `prepare` found out about this arena. */
  readonly facts: Facts;
  /** The number of the effect that did not happen any more, and what it was. */
  readonly at: number;
  readonly effect: string;
  /** All effects of the command when it is left alone. */
  readonly effects: readonly string[];
  /** What it said until then. */
  readonly ended: Ended;
}

export interface KillPlan<Facts> {
  /** For the report. */
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Makes the state in which the command starts. */
  readonly prepare: (arena: Arena) => Promise<Facts>;
  /** What a copy of the saved state lacks. */
  readonly complete?: (arena: Arena) => void;
  /** Undoes what a reset of the arena can't deal with. */
  readonly tidy?: (arena: Arena) => void;
  /** Exit code of the command when it is left alone. */
  readonly exits?: number;
  /** Which effects there is something to kill at; all unless told. */
  readonly points?: (effects: readonly string[]) => number[];
  /** Brings the world to order again and asserts that it is. */
  readonly verify: (kill: Kill<Facts>) => Promise<void>;
}

/** How many effects of a command the clock decides about: `git-config.json` is kept once its sources are old enough. */
const CHANCE = 12;

/** Kills the command before its effects, one process per effect, and verifies after each. Returns how many effects it has. */
export const killEverywhere = async <Facts>(plan: KillPlan<Facts>): Promise<number> => {
  const arena = await Arena.open(plan.env);
  const facts = await plan.prepare(arena);
  arena.save();
  // Files that were copied a moment ago count as recent, here as in every run that follows.
  arena.reset();
  plan.complete?.(arena);
  const { effects, ended } = await arena.trace(plan.command);
  if (ended.code !== (plan.exits ?? 0)) throw new Error(`${plan.command.join(' ')} exited ${ended.code}: ${ended.stdout}${ended.stderr}`);
  const all = plan.points?.(effects) ?? effects.map((_, index) => index + 1);
  const points = chosenPoints(all, effects);
  const failures: string[] = [];
  for (const at of points) {
    const effect = effects[at - 1] ?? '';
    plan.tidy?.(arena);
    arena.reset();
    plan.complete?.(arena);
    try {
      const ended = await arena.run(at, plan.command);
      assertKilledOrOver(ended, at, effects, plan.exits);
      await plan.verify({ arena, facts, at, effect, effects, ended });
    } catch (error) {
      failures.push(`killed before effect ${at} of ${effects.length} (${effect}): ${error instanceof Error ? error.message : error}`);
    }
  }
  plan.tidy?.(arena);
  console.log(`${plan.name}: killed at ${points.length} of ${all.length} effects, ${failures.length} failures`);
  if (failures.length > 0) throw new Error(`${failures.length} of ${points.length} kills\n${failures.slice(0, 8).join('\n\n')}`);
  return all.length;
};

/** A few files are written or not as the clock will have it, so that a run may be over before its last effects. */
export const assertKilledOrOver = (ended: Ended, at: number, effects: readonly string[], exits = 0): void => {
  const isOver = ended.signal === null && ended.code === exits && at > effects.length - CHANCE;
  if (!isOver) assertKilled(ended, at);
};

const assertKilled = ({ signal, code, stdout, stderr }: Ended, at: number): void => {
  if (signal === 'SIGKILL' && stderr.includes(`killed before effect ${at}:`)) return;
  throw new Error(`it was not killed there: exit code ${code}, signal ${signal}\n${stdout}${stderr}`);
};
