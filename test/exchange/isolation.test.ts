import { expect, onTestFinished, test, vi } from 'vitest';
import fc, { runs } from '../support/property.ts';
import { exportOf } from './exported.ts';
import { type AttributedChange, attributed, Player } from './player.ts';

const RUNS = runs(4, 12);

/** Sessions of the same names, prompts and files, with other content and with rollbacks of their own. */
const foreignExports = async (): Promise<string[]> => {
  const player = await Player.begin();
  const story: AttributedChange[] = [
    { do: 'step', by: 'a', file: 0, isNamed: true, text: 7 },
    { do: 'checkpoint', name: 0 },
    { do: 'prompt', by: 'b' },
    { do: 'step', by: 'b', file: 1, isNamed: false, text: 8 },
    { do: 'rewind', to: 1 },
    { do: 'step', by: 'a', file: 2, isNamed: true, text: 9 },
    { do: 'undo' },
    { do: 'revert', to: 2 },
  ];
  for (const one of story) await player.play(one);
  const files = [await exportOf(player.stage, 'session-a'), await exportOf(player.stage, 'session-b')];
  player.close();
  return files;
};

test('[STO-4] whatever is imported in between, the workspace tells the same of its own past and does the same', {
  timeout: 1_800_000,
}, async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const exports = await foreignExports();
  await fc.assert(
    fc.asyncProperty(fc.array(attributed, { minLength: 4, maxLength: 14 }), async (attributedChanges) => {
      const [without, within] = [await Player.begin(), await Player.begin(exports)];
      for (const one of [{ do: 'import' } as const, ...attributedChanges])
        expect(await within.play(one), one.do).toEqual(await without.play(one));
      expect(await within.tell()).toEqual(await without.tell());
      without.close();
      within.close();
    }),
    { numRuns: RUNS },
  );
});
