import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { changeRich, makeRich } from './rich-workspace.ts';
import { isUnderWay, type Scene, setScene, stateOf } from './rollback-scene.ts';
import { assertSound, expectSame, observe } from './soundness.ts';

const LONG = 1_800_000;

/** Nearly the last that a rewind of the rich workspace writes. */
const STUCK = 'vendor/nested/n.txt';

/**
 * A mount point can't be renamed over, not even by root. The mount is in a namespace of its own, so that it is gone with
 * the process that has it.
 */
const withMount = (arena: Arena): string[] => {
  const file = join(arena.workspace, STUCK);
  return [
    'unshare',
    '--mount',
    ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
    'sh',
    '-c',
    `mount --bind '${file}' '${file}' && exec "$@"`,
    'sh',
  ];
};

const canMount = (): boolean => {
  const options = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const { status, stderr, error } = spawnSync('unshare', [
    ...options,
    'sh',
    '-c',
    'touch /tmp/$$ && mount --bind /tmp/$$ /tmp/$$; s=$?; umount /tmp/$$; rm /tmp/$$; exit $s',
  ]);
  if (status === 0) return true;
  console.log(`skipped: no mount namespace to make a rollback fail in (${error ?? String(stderr)})`);
  return false;
};

const prepare = async (arena: Arena): Promise<Scene> => {
  const scene = await setScene(arena, makeRich, changeRich, (root) => writeFileSync(join(root, 'README.md'), 'not recorded yet\n'));
  arena.through = withMount(arena);
  return scene;
};

test.skipIf(!canMount())(
  '[RST-4] [REL-3] a rollback that fails half-way is taken back, and killed while taking back it is healed',
  { timeout: LONG },
  async () => {
    let whole = 0;
    const outcomes: Record<string, number> = {};
    await killEverywhere({
      name: 'rewind that fails and is taken back',
      command: ['rewind', 'target', '--yes'],
      exits: 1,
      prepare: async (arena) => {
        const scene = await prepare(arena);
        if (whole++ > 0) return scene;
        arena.save('untouched');
        const { code, stderr } = await arena.run(0, ['rewind', 'target', '--yes']);
        expect(code).toBe(1);
        expect(stderr).toMatch(/The rollback failed: .*everything was taken back, the workspace is as it was/);
        expectSame(observe(arena), scene.before, 'taken back');
        const operations = await assertSound(arena, scene.reported);
        expect(operations.filter(({ kind }) => kind === 'rollback').map(({ status }) => status)).toEqual(['taken-back']);
        expect((await arena.ask('undo', '--yes')).code, 'there is nothing to undo').toBe(1);
        arena.reset('untouched');
        return scene;
      },
      // From the failure on: what comes before it is killed elsewhere.
      points: (effects) => {
        const journals = effects.flatMap((effect, index) => (/^rename .*journal\.json$/.test(effect) ? [index] : []));
        expect(journals, 'one journal forth and one back').toHaveLength(2);
        const isInWorkspace = (effect: string): boolean => / \/proc\/self\/fd\//.test(effect);
        const failed = effects.findIndex((effect, index) => index > (journals[0] ?? 0) && effect.endsWith(`/${basename(STUCK)}`));
        expect(failed, 'it fails between the two').toBeLessThan(journals[1] ?? 0);
        expect(effects.slice(failed + 1, journals[1]).filter(isInWorkspace), 'nothing is taken back before that is said').toEqual([]);
        expect(effects.slice(journals[1]).filter(isInWorkspace)).not.toEqual([]);
        return effects.map((_, index) => index + 1).slice((journals[1] ?? 0) - 6);
      },
      verify: async ({ arena, facts: scene, at }) => {
        const journal = isUnderWay(scene) ? JSON.parse(readFileSync(scene.journal, 'utf8')) : undefined;
        const stillStuck = at % 2 === 0;
        arena.through = stillStuck ? withMount(arena) : [];
        const healed = await arena.run(0, at % 3 === 0 ? ['checkpoint', '--name', 'next'] : ['status']);
        arena.through = withMount(arena);
        expect(healed.code, healed.stderr).toBe(0);
        const goesOn = journal?.direction === 'forward' && !stillStuck;
        const outcome = goesOn ? 'complete' : 'taken-back';
        if (journal !== undefined)
          expect(healed.stderr).toContain(`A rollback that was cut short was ${goesOn ? 'finished' : 'taken back'}:`);
        expect(stateOf(arena, scene)).toBe(goesOn ? 'target' : 'before');
        const operations = await assertSound(arena, scene.reported);
        expect(operations.filter(({ kind }) => kind === 'rollback').map(({ status }) => status)).toEqual([outcome]);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (goesOn) return;
        await arena.json('rewind', scene.targetId, '--yes');
        expectSame(observe(arena), scene.target, 'without the obstacle');
        await arena.json('undo', '--yes');
        expectSame(observe(arena), scene.before, 'undone');
      },
    });
    console.log(`rewind that fails: outcomes ${JSON.stringify(outcomes)}`);
  },
);
