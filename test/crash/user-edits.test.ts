import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Oracle } from '../support/oracle.ts';
import { killEverywhere } from './kill-points.ts';
import { changeRich, makeRich } from './rich-workspace.ts';
import { isUnderWay, setScene } from './rollback-scene.ts';
import { assertSound, difference, observe } from './soundness.ts';

const LONG = 1_800_000;
const MINE = 'written by the user after the kill\n';

interface Edit {
  readonly what: string;
  readonly path: string;
  readonly make: (file: string) => void;
}

const replaceWith = (file: string): void => {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, MINE);
};

/** One for every type of step: what is restored, deleted, created, changed in type or permissions, and what is in no plan. */
const EDITS: readonly Edit[] = [
  { what: 'a file to be restored', path: 'src/a.ts', make: (file) => writeFileSync(file, MINE) },
  { what: 'a file to be deleted', path: 'new.txt', make: replaceWith },
  { what: 'a file in a directory to be removed', path: 'made/below/mine', make: replaceWith },
  { what: 'a file to be created', path: 'gone/inner/z', make: replaceWith },
  { what: 'a link to become a file', path: 'becomes-link', make: replaceWith },
  { what: 'a file to change permissions', path: 'run.sh', make: (file) => appendFileSync(file, MINE) },
  { what: 'a file in a directory to become a file', path: 'becomes-directory/inside/mine', make: replaceWith },
  { what: 'a file in a file to become a directory', path: 'becomes-file/x', make: replaceWith },
  { what: 'a file in no plan', path: 'unrelated', make: replaceWith },
];

const canBeMade = (root: string, path: string): boolean => {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if (existsSync(join(root, above)) && observeKind(join(root, above)) !== 'directory') return false;
  }
  return true;
};

const observeKind = (path: string): string => {
  try {
    readFileSync(path);
    return 'file';
  } catch {
    return 'directory';
  }
};

/** A path is accounted for when it is the user's own, holds it, or was named as left alone. */
const unaccounted = (paths: readonly string[], mine: string, leftAlone: readonly string[]): string[] =>
  paths.filter((path) => path !== mine && !mine.startsWith(`${path}/`) && !leftAlone.includes(path));

const differing = (a: Oracle, b: Oracle): string[] => difference(a, b).map((line) => line.slice(0, line.indexOf(': ')));

test('[RST-4] [RST-5] what the user writes between the kill and the healing survives and is named', { timeout: LONG }, async () => {
  const outcomes: Record<string, number> = {};
  await killEverywhere({
    name: 'rewind, with edits by the user before it is healed',
    command: ['rewind', 'target', '--yes'],
    prepare: (arena) => setScene(arena, makeRich, changeRich, () => {}),
    points: (effects) =>
      effects.map((_, index) => index + 1).slice(effects.findIndex((effect) => /^rename .*journal\.json$/.test(effect)) + 1),
    verify: async ({ arena, facts: scene, at, effects }) => {
      expect(isUnderWay(scene)).toBe(true);
      // From here on what the user writes is simply newer work.
      const recorded = at > effects.findLastIndex((effect) => /^rename .*refs\/heads\/last$/.test(effect)) + 1;
      const possible = EDITS.filter(({ path }) => canBeMade(arena.workspace, path));
      const edit = possible[at % possible.length] as Edit;
      const file = join(arena.workspace, edit.path);
      edit.make(file);
      const after = observe(arena);
      const { code, stderr, stdout } = await arena.ask(
        ...(at % 2 === 0 ? ['status', '--json'] : ['checkpoint', '--name', 'next', '--json']),
      );
      try {
        expect(code, stdout + stderr).toBe(0);
        expect(readFileSync(file, 'utf8'), 'the bytes of the user').toContain(MINE);
        const operations = await assertSound(arena, scene.reported);
        const rollback = operations.find(({ kind }) => kind === 'rollback');
        const { leftAlone } = await arena.json('show', rollback?.id ?? '');
        const named = leftAlone.map(({ path }: { path: string }) => path) as string[];
        const outcome = rollback?.status ?? 'none';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const said = { complete: 'finished:', incomplete: 'finished in part:', 'taken-back': 'taken back:' }[outcome];
        expect(stderr).toContain(`A rollback that was cut short was ${said}`);
        for (const path of named) expect(stderr, 'what was left alone is said').toContain(`  ${path}: `);
        const found = observe(arena);
        const fromTarget = unaccounted(differing(found, scene.target), edit.path, named);
        const fromBefore = unaccounted(differing(found, scene.before), edit.path, named);
        expect(
          outcome === 'complete' ? fromTarget : fromTarget.length < fromBefore.length ? fromTarget : fromBefore,
          'a mix unreported',
        ).toEqual([]);
        // A path of the plan that the user changed is never passed over in silence.
        const planned = differing(scene.before, scene.target).includes(edit.path);
        const isOther = ![scene.before.get(edit.path), scene.target.get(edit.path)].includes(after.get(edit.path));
        if (planned && isOther && !recorded) expect(named, 'the edit is named').toContain(edit.path);
      } catch (error) {
        throw new Error(`the user wrote ${edit.what} (${edit.path}): ${error instanceof Error ? error.message : error}\n${stderr}`);
      }
    },
  });
  console.log(`edits by the user: outcomes ${JSON.stringify(outcomes)}`);
});
