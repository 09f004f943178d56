import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { observeDirectory } from '../support/oracle.ts';
import { sample } from '../support/tier.ts';
import type { Arena } from './arena.ts';
import { chosenOf } from './chosen-points.ts';
import { assertKilledOrOver, killEverywhere } from './kill-points.ts';
import { changeLean, makeLean } from './rich-workspace.ts';
import { assertBothReachable, assertHealed, isUnderWay, type Scene, setScene } from './rollback-scene.ts';
import { observe } from './soundness.ts';

const LONG = 1_800_000;

/**
 * Everything that a later process can see, as one word: workspace, journal, objects and refs. Temporary files of ours
 * in the store are never looked at by anyone; those in the workspace count by their number and content.
 */
const stateWord = (arena: Arena, { journal }: Scene, options: { temporaries: boolean }): string => {
  const files = [...observe(arena)].filter(([path]) => options.temporaries || !path.includes('.retake-'));
  const workspace = files.map(([path, what]) => `${path.replace(/\.retake-.*/, '.retake')} ${what}`);
  const store = [...observeDirectory(dirname(journal))].filter(([path]) => /^store\.git\/(objects|refs)\/(?!.*tmp_obj)/.test(path));
  const told = existsSync(journal) ? readFileSync(journal, 'latin1') : '';
  return createHash('sha1')
    .update(JSON.stringify([workspace, store, told]))
    .digest('hex');
};

/** The effects on the workspace show in its state; of the others it counts which one it was. */
const effectWord = (effect: string): string =>
  effect.includes('/proc/self/fd/') ? '' : effect.replaceAll(/tmp_obj_retake_\S+/g, 'temporary');

/**
 * Once the workspace is in its final state, healing goes the same way wherever it began: the very same effects on the
 * same objects and refs, told by their ids. Such an ending is killed once, not once per beginning.
 */
const withoutKnownRecording = (effects: readonly string[], known: Set<string>): readonly string[] => {
  const applied = effects.findLastIndex((effect) => effectWord(effect) === '') + 1;
  const recording = effects
    .slice(applied)
    .map(effectWord)
    .join('\n')
    .replaceAll(/retake-crash-\w+/g, '');
  const place = recording.replaceAll(/workspaces\/\S+?\//g, '');
  if (known.has(place)) return effects.slice(0, applied + 1);
  known.add(place);
  return effects;
};

test('[RST-4] [REL-2] a rewind killed at any instant, and its healing killed at any instant, is finished by the third process', {
  timeout: LONG,
}, async () => {
  const begun = new Set<string>();
  const healed = new Set<string>();
  const recordings = new Set<string>();
  let kills = 0;
  await killEverywhere({
    name: 'rewind, to be killed again',
    command: ['rewind', 'target', '--yes'],
    prepare: (arena) => setScene(arena, makeLean, changeLean, (root) => writeFileSync(join(root, 'edited'), 'changed once more\n')),
    // Before the journal is in place there is nothing to heal.
    points: (effects) =>
      effects.map((_, index) => index + 1).slice(effects.findIndex((effect) => /^rename .*journal\.json$/.test(effect)) + 1),
    verify: async ({ arena, facts: scene }) => {
      // A temporary file is gone before healing does anything else, so states that differ only by one heal alike.
      const word = stateWord(arena, scene, { temporaries: false });
      if (begun.has(word)) return;
      begun.add(word);
      arena.save('killed once');
      const { effects } = await arena.trace(['status']);
      const killable = withoutKnownRecording(effects, recordings);
      for (const at of chosenOf(killable)) {
        const effect = killable[at - 1] ?? '';
        arena.reset('killed once');
        assertKilledOrOver(await arena.run(at, ['status']), at, effects);
        kills++;
        const again = stateWord(arena, scene, { temporaries: true }) + effectWord(effect);
        if (healed.has(again)) continue;
        healed.add(again);
        const underWay = isUnderWay(scene);
        try {
          const third = await arena.run(0, ['log']);
          const state = await assertHealed(arena, scene, { kind: 'rollback', underWay, healed: third });
          expect(state).toBe('target');
          await assertBothReachable(arena, scene, state, false);
        } catch (error) {
          throw new Error(
            `healing killed before effect ${at} of ${effects.length} (${effect}): ${error instanceof Error ? error.message : error}`,
          );
        }
      }
    },
  });
  console.log(
    `killed twice: ${begun.size} states × their healings = ${kills} double kills, ${healed.size} distinct outcomes healed by a third process`,
  );
  expect(kills).toBeGreaterThan(sample(20, 120));
});
