import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Conversation } from '../daemon/claude-code.ts';
import { recordHere } from '../daemon/record-here.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { assertSound, operationsIn } from './soundness.ts';

/** An agent has edited files outside of the workspace, which were all there before or not at all. */
const playEdits = async (arena: Arena, files: readonly string[], change: () => void): Promise<void> => {
  const { workspace } = arena;
  const at = { workspace, retake: { env: arena.env } } as unknown as Scene;
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'inside'), 'before');
  await arena.trace(['checkpoint', '--name', 'target']);
  const talk = new Conversation('s1', workspace);
  for (const [step, file] of files.entries()) await recordHere(at, talk.before(`t${step}`, 'Edit', { file_path: file }));
  change();
  for (const [step, file] of files.entries()) await recordHere(at, talk.after(`t${step}`, 'Edit', { file_path: file }));
};

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
      writeFileSync(join(outside, 'edited'), 'before');
      const files = ['edited', 'made'].map((name) => join(outside, name));
      await playEdits(arena, files, () => change(arena.workspace));
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

/** What somebody does with a file outside after the kill, and where what they have is to be found then. */
const MEANWHILE: readonly [string, (file: string) => string][] = [
  [
    'was edited',
    (file) => {
      writeFileSync(file, 'mine');
      return file;
    },
  ],
  [
    'lies elsewhere, behind a link',
    (file) => {
      const elsewhere = temporaryDirectory();
      // As the plan found its own, and not that one.
      writeFileSync(join(elsewhere, 'edited'), 'after');
      renameSync(dirname(file), `${dirname(file)}-moved`);
      symlinkSync(elsewhere, dirname(file));
      return join(elsewhere, 'edited');
    },
  ],
];

test.each(MEANWHILE)('[RST-4] [RST-6] a file outside that %s between the kill and the healing stays, and is named', async (_, meddle) => {
  const arena = await Arena.open();
  const file = join(temporaryDirectory(), 'edited');
  writeFileSync(file, 'before');
  await playEdits(arena, [file], () => writeFileSync(file, 'after'));
  arena.save();
  const command = ['rewind', 'target', '--outside', '--yes'];
  // What belongs to a copy is written down first, here as in the run that is killed.
  arena.reset();
  const { effects } = await arena.trace(command);
  expect(readFileSync(file, 'utf8')).toBe('before');
  arena.reset();
  writeFileSync(file, 'after');
  const journal = effects.findIndex((effect) => /^rename .*\/journal\.json$/.test(effect));
  expect((await arena.run(journal + 2, command)).signal).toBe('SIGKILL');
  const mine = meddle(file);
  const content = readFileSync(mine, 'utf8');
  const { code, stderr } = await arena.run(0, ['status']);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`  ${file}: `);
  expect(readFileSync(mine, 'utf8')).toBe(content);
  await assertSound(arena, []);
});
