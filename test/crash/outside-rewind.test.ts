import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Conversation } from '../daemon/claude-code.ts';
import { recordHere } from '../daemon/record-here.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { assertSound, operationsIn } from './soundness.ts';

test('[RST-4] [RST-6] a rewind of files inside and outside killed before any effect: all of them or none, and no traces', {
  timeout: 1_800_000,
}, async () => {
  const outside = temporaryDirectory();
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const look = ({ workspace }: Pick<Arena, 'workspace'>) =>
    [join(workspace, 'inside'), join(outside, 'edited'), join(outside, 'made')].map(read);
  const change = (workspace: string): void => {
    writeFileSync(join(workspace, 'inside'), 'after');
    writeFileSync(join(outside, 'edited'), 'after');
    writeFileSync(join(outside, 'made'), 'made');
  };
  const ended = { before: 0, after: 0 };
  await killEverywhere({
    name: 'rewind --outside',
    command: ['rewind', 'target', '--outside', '--yes'],
    prepare: async (arena) => {
      const { workspace } = arena;
      const at = { workspace, retake: { env: arena.env } } as unknown as Scene;
      mkdirSync(workspace, { recursive: true });
      writeFileSync(join(workspace, 'inside'), 'before');
      writeFileSync(join(outside, 'edited'), 'before');
      await arena.trace(['checkpoint', '--name', 'target']);
      const talk = new Conversation('s1', workspace);
      const files = ['edited', 'made'].map((name) => ({ file_path: join(outside, name) }));
      for (const [step, input] of files.entries()) await recordHere(at, talk.before(`t${step}`, 'Edit', input));
      change(workspace);
      for (const [step, input] of files.entries()) await recordHere(at, talk.after(`t${step}`, 'Edit', input));
    },
    // A reset of the arena brings back what is in it, and these are not.
    complete: ({ workspace }) => change(workspace),
    verify: async ({ arena }) => {
      const healed = await arena.run(0, ['status']);
      expect(healed.code, healed.stderr).toBe(0);
      const rollbacks = (await operationsIn(arena)).filter(({ kind }) => kind === 'rollback');
      const isBack = rollbacks.length > 0;
      ended[isBack ? 'before' : 'after']++;
      expect(look(arena)).toEqual(isBack ? ['before', 'before', null] : ['after', 'after', 'made']);
      expect(rollbacks.map(({ status }) => status)).toEqual(isBack ? ['complete'] : []);
      expect(readdirSync(outside).filter((name) => name.startsWith('.'))).toEqual([]);
      await assertSound(arena, []);
      if (!isBack) return;
      await arena.json('undo', '--yes');
      expect(look(arena)).toEqual(['after', 'after', 'made']);
    },
  });
  expect(Math.min(ended.before, ended.after)).toBeGreaterThan(2);
});
