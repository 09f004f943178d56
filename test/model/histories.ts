import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import fc, { runs, SEED } from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { History } from './history.ts';
import { Neighbour } from './neighbour.ts';
import { BEGINNING, step } from './steps.ts';
import type { Tier } from './tiers.ts';
import { type Action, World } from './world.ts';

const RUNS = runs(25, 120);

/** The test of a tier. Each has a file of its own, so that they are run side by side. */
export const testHistories = (name: string, tierOf: (directory: string, seen: Record<string, number>) => Tier): void =>
  test(`[RST-1] [RST-3] [RST-5] [RST-7] [CAP-1] [CAP-10] ${name} tier: ${RUNS} random histories go back, undo and redo exactly`, async () => {
    const base = temporaryDirectory();
    const neighbour = new Neighbour();
    let count = 0;
    const seen: Record<string, number> = { checkpoint: 0, rewind: 0, refused: 0, undo: 0, redo: 0 };
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (isRepository, steps) => {
        const home = join(base, String(count++));
        mkdirSync(home);
        process.env.RETAKE_HOME = join(home, 'data');
        const world = World.make(join(home, 'workspace'), isRepository);
        for (const action of BEGINNING) world.perform(action);
        const tier = tierOf(world.root, seen);
        const change = (action: Action) => neighbour.perform(world.root, isRepository, action);
        await new History({ world, isRepository, tier, change }, seen).play(steps).finally(() => tier.close());
      }),
      { numRuns: RUNS, seed: SEED },
    );
    console.log(`model test, ${name} tier: ${RUNS} histories, seed ${SEED}: ${JSON.stringify(seen)}`);
    expect(seen.rewind).toBeGreaterThan(0);
    expect(seen.undo).toBeGreaterThan(0);
    expect(seen.redo).toBeGreaterThan(0);
  });
