import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from '../crash/arena.ts';
import { killEverywhere } from '../crash/kill-points.ts';
import { makeLean } from '../crash/rich-workspace.ts';
import { assertSound, expectSame, observe, observeAll, storeOf } from '../crash/soundness.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { recordHere } from '../daemon/record-here.ts';
import { BIN } from '../support/cli.ts';
import { type Scene, scene, storeOf as storeOfScene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { expectRestores, expectSoundStore, makeGarbage, meddlingGit, packsIn, record, straysIn } from './support.ts';

/** Two packs, loose objects, a checkpoint that was deleted, and garbage: something of all that there is to do. */
const prepare = async (arena: Arena) => {
  const { workspace } = arena;
  makeLean(workspace);
  const checkpoint = async (name: string): Promise<string> => {
    const { ended } = await arena.trace(['checkpoint', '--name', name, '--json']);
    return JSON.parse(ended.stdout).id;
  };
  const kept: string[] = [await checkpoint('one')];
  await arena.trace(['gc']);
  for (let number = 0; number < 70; number++) writeFileSync(join(workspace, `many-${number}`), `content ${number}\n`);
  kept.push(await checkpoint('many'));
  const state = observe(arena);
  writeFileSync(join(workspace, 'edited'), 'deleted\n');
  await checkpoint('deleted');
  writeFileSync(join(workspace, 'edited'), 'last\n');
  kept.push(await checkpoint('last'));
  await arena.trace(['delete', 'deleted']);
  makeGarbage(await storeOf(arena), 'garbage');
  return { kept, state, untouched: observeAll(arena) };
};

test('[REL-2] [STO-3] gc with packs to replace, killed before any of its effects: nothing is lost, and the next one finishes', async () => {
  const count = await killEverywhere({
    name: 'gc --now',
    command: ['gc', '--now'],
    prepare,
    verify: async ({ arena, facts, at }) => {
      expectSame(observeAll(arena), facts.untouched, 'workspace');
      const store = await storeOf(arena);
      // What is found by looking, before anybody mends anything.
      if (at % 3 === 0) await assertSound(arena, facts.kept);
      await arena.json('gc', '--now');
      await assertSound(arena, facts.kept);
      expect(packsIn(store)).toHaveLength(1);
      expect(straysIn(join(store, '..'))).toEqual([]);
      await arena.json('rewind', 'many', '--yes');
      expectSame(observe(arena), facts.state, 'rewound to many');
    },
  });
  expect(count).toBeGreaterThan(40);
});

/** Two turns of an agent, with more steps than may stay. */
const playTurns = async (arena: Arena): Promise<string[]> => {
  const { workspace } = arena;
  const at = { workspace, retake: { env: arena.env } } as unknown as Scene;
  makeLean(workspace);
  const talk = new Conversation('s1', workspace);
  for (const turn of ['p1', 'p2']) {
    await recordHere(at, talk.prompt(turn, 'go on'));
    for (let step = 0; step < 4; step++) {
      const [id, input] = [`${turn} ${step}`, { command: `step ${step}` }];
      await recordHere(at, talk.before(id, 'Bash', input));
      writeFileSync(join(workspace, 'edited'), id);
      await recordHere(at, talk.after(id, 'Bash', input));
    }
  }
  const { ended } = await arena.trace(['checkpoint', '--name', 'kept', '--json']);
  return [JSON.parse(ended.stdout).id];
};

test('[REL-2] [STO-3] a prune killed before it writes or removes any ref: what is gone is told of, and the next one goes on', async () => {
  await killEverywhere({
    name: 'gc that prunes',
    command: ['gc'],
    env: { RETAKE_RETENTION_MAX_CHECKPOINTS: '5' },
    prepare: playTurns,
    points: (effects) => effects.flatMap((effect, index) => (/\/refs\//.test(effect) ? [index + 1] : [])),
    verify: async ({ arena, facts }) => {
      await arena.json('gc');
      const operations = await assertSound(arena, facts);
      expect(operations.some(({ kind }) => kind === 'prune')).toBe(true);
      expect(operations.filter(({ kind }) => kind === 'after-step').length).toBeLessThan(5);
    },
  });
});

test.each([
  ['before it has written anything', { before: 'kill -9 -$PGID; sleep 600' }],
  ['when its pack is written', { after: 'kill -9 -$PGID; sleep 600' }],
])('[REL-2] [STO-3] gc and its git, killed together %s, leave strays that the next one removes', async (_, script) => {
  const at = scene();
  const recorded = record(at, 'file', '1');
  const store = storeOfScene(at);
  const group = join(temporaryDirectory(), 'group');
  const withGroup = Object.fromEntries(Object.entries(script).map(([when, line]) => [when, `PGID=$(cat '${group}'); ${line}`]));
  const env = {
    ...at.retake.env,
    PATH: meddlingGit({ ...withGroup, before: `while [ ! -s '${group}' ]; do sleep 0.01; done; ${withGroup.before ?? ''}` }),
  };
  const child = spawn(BIN, ['gc'], { cwd: at.workspace, env, detached: true, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  writeFileSync(group, String(child.pid));
  expect(await ended).toBe('SIGKILL');
  expect(straysIn(join(store, '..')).length).toBeGreaterThan(0);
  expect(packsIn(store)).toEqual([]);
  expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ straysRemoved: 1, damaged: 0 });
  expectSoundStore(store);
  expectRestores(at, recorded);
});

test('[REL-2] [STO-3] its process killed while git packs on: the git that is left harms nobody', async () => {
  const at = scene();
  const recorded = record(at, 'file', '1');
  const [begun, end] = [join(temporaryDirectory(), 'begun'), join(temporaryDirectory(), 'end')];
  const env = { ...at.retake.env, PATH: meddlingGit({ before: `touch '${begun}'; while [ ! -e '${end}' ]; do sleep 0.01; done` }) };
  const child = spawn(BIN, ['gc'], { cwd: at.workspace, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await expect.poll(() => existsSync(begun)).toBe(true);
  child.kill('SIGKILL');
  await ended;
  // The next one packs, and clears away what the first one's git is about to write to.
  expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ straysRemoved: 1 });
  const [pack = ''] = packsIn(storeOfScene(at));
  const bytes = readFileSync(join(storeOfScene(at), 'objects/pack', pack));
  writeFileSync(end, '');
  expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ damaged: 0 });
  expect(readFileSync(join(storeOfScene(at), 'objects/pack', pack))).toEqual(bytes);
  expectSoundStore(storeOfScene(at));
  expectRestores(at, recorded);
});
