import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertSound as assertRepositorySound, standing } from '../git-state/support.ts';
import { gitIn } from '../support/git.ts';
import { commitAll } from '../support/scene.ts';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { journalBeside, operationsIn, storeOf } from './soundness.ts';

interface Facts {
  readonly before: Record<string, string>;
  readonly target: Record<string, string>;
  readonly journal: string;
}

/** Staged changes and a branch at the target; afterwards two commits and another branch. */
const prepare = async (arena: Arena): Promise<Facts> => {
  const { workspace } = arena;
  const write = (content: string): void => writeFileSync(join(workspace, 'file'), content);
  gitIn(workspace, 'init', '-q', '-b', 'main');
  write('one\n');
  commitAll(workspace, 'first');
  write('staged\n');
  gitIn(workspace, 'add', 'file');
  write('not staged\n');
  const target = standing(workspace);
  await arena.trace(['checkpoint', '--name', 'target']);
  commitAll(workspace, 'second');
  gitIn(workspace, 'checkout', '-q', '-b', 'feature');
  write('three\n');
  commitAll(workspace, 'third');
  gitIn(workspace, 'branch', '-q', '-f', 'main');
  await arena.trace(['checkpoint', '--name', 'changed']);
  return { before: standing(workspace), target, journal: journalBeside(await storeOf(arena)) };
};

test('[GIT-2] [RST-4] [REL-2] files and git taken back by a process killed before any effect: both or neither', {
  timeout: 1_800_000,
}, async () => {
  const ended = { before: 0, target: 0 };
  await killEverywhere({
    name: 'rewind --git',
    command: ['rewind', 'target', '--git', '--yes'],
    prepare,
    verify: async ({ arena, facts: { before, target } }) => {
      const healed = await arena.run(0, ['status']);
      expect(healed.code, healed.stderr).toBe(0);
      const { branches, ...now } = standing(arena.workspace);
      const isBack = now.head === target.head;
      ended[isBack ? 'target' : 'before']++;
      const { branches: expected, ...rest } = isBack ? target : before;
      expect(now).toEqual(rest);
      // The branch that came later stays.
      expect(branches).toContain(expected?.trim());
      assertRepositorySound(arena.workspace);
      const rollbacks = (await operationsIn(arena)).filter(({ kind }) => kind === 'rollback');
      expect(rollbacks.map(({ status }) => status)).toEqual(isBack ? ['complete'] : []);
      if (!isBack) return;
      await arena.json('undo', '--yes');
      expect(standing(arena.workspace)).toEqual(before);
    },
  });
  expect(Math.min(ended.before, ended.target)).toBeGreaterThan(5);
});
