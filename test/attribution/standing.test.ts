import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCheckpoint, keepWork } from '../../src/engine/index.ts';
import type { RelativePath } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put } from '../support/scene.ts';
import { refused, stage } from './stage.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (changes: Readonly<Record<number, string>> = {}): string => `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

/** Two turns of one step each, in a file that the person changed too, and a file of the second's own. */
const twoTurns = async (prepare: (root: string) => void = () => undefined) => {
  const at = await stage((root) => {
    put(root, 'f', text());
    prepare(root);
  });
  const actor = at.actor('s');
  await actor.start();
  const t1 = (await actor.prompt('first')).id;
  const one = (await actor.step(() => put(at.root, 'f', text({ 0: 'agent 1' })))) as { id: string };
  put(at.root, 'f', text({ 0: 'agent 1', 4: 'mine' }));
  const t2 = (await actor.prompt('second')).id;
  const two = (await actor.step(() => {
    put(at.root, 'f', text({ 0: 'agent 1', 4: 'mine', 8: 'agent 2' }));
    put(at.root, 'g', 'agent 2\n');
  })) as { id: string };
  const read = (): (string | null)[] =>
    ['f', 'g'].map((path) => (existsSync(join(at.root, path)) ? readFileSync(join(at.root, path), 'utf8') : null));
  const states = (): (string | undefined)[] => [at.stateOf(one.id), at.stateOf(two.id)];
  return { at, actor, t1, t2, one: one.id, two: two.id, read, states };
};

const ALL = [text({ 0: 'agent 1', 4: 'mine', 8: 'agent 2' }), 'agent 2\n'];
const MINE = [text({ 4: 'mine' }), null];
const WITHOUT_1 = [text({ 4: 'mine', 8: 'agent 2' }), 'agent 2\n'];
const WITHOUT_2 = [text({ 0: 'agent 1', 4: 'mine' }), null];

describe('after a revert', () => {
  test('[RST-9] [GIT-6] its steps are recoverable, and recover brings them back', async () => {
    const { at, t1, t2, read, states } = await twoTurns();
    expect(at.statusOf('s')).toBe('active');
    await at.revert(t1);
    expect(read()).toEqual(WITHOUT_1);
    expect(states()).toEqual(['recoverable', 'on-branch']);
    expect(at.statusOf('s')).toBe('active');
    await at.revert(t2);
    expect(read()).toEqual(MINE);
    expect(at.statusOf('s')).toBe('rolled-back');
    await at.recover(t1);
    expect(read()).toEqual(WITHOUT_2);
    expect(states()).toEqual(['recovered', 'recoverable']);
    expect(at.statusOf('s')).toBe('partially-recovered');
    await at.recover(t2);
    expect(read()).toEqual(ALL);
    expect(states()).toEqual(['recovered', 'recovered']);
    expect(at.statusOf('s')).toBe('active');
  });

  test('[RST-9] [GIT-4] discard takes out the rest, and there is nothing left to revert or discard', async () => {
    const { at, t1, t2, read, states } = await twoTurns();
    await at.revert(t2);
    await at.discard('s');
    expect(read()).toEqual(MINE);
    expect(states()).toEqual(['recoverable', 'recoverable']);
    expect(await refused(at.discard('s'))).toMatchObject({ code: 'nothing-to-discard' });
    expect(await refused(at.revert(t1))).toMatchObject({ code: 'nothing-to-revert' });
    await at.undo();
    expect(read()).toEqual(WITHOUT_2);
    await at.undo();
    expect(read()).toEqual(ALL);
    expect(states()).toEqual(['on-branch', 'on-branch']);
  });

  test('[RST-7] [RST-9] undone, it can be reverted again, also after what was done since', async () => {
    const { at, t1, t2, read, states } = await twoTurns();
    await at.revert(t1);
    await at.undo();
    expect(read()).toEqual(ALL);
    expect(states()).toEqual(['on-branch', 'on-branch']);
    await at.revert(t2);
    await at.revert(t1);
    expect(read()).toEqual(MINE);
    await at.undo();
    expect(read()).toEqual(WITHOUT_2);
    expect(states()).toEqual(['on-branch', 'recoverable']);
    await at.revert(t1);
    expect(read()).toEqual(MINE);
  });

  test('[RST-9] recovered work can be reverted as itself', async () => {
    const { at, t1, t2, read, states } = await twoTurns();
    await at.discard('s');
    await at.recover(t1, t2);
    expect(read()).toEqual(ALL);
    await at.revert(t2);
    expect(read()).toEqual(WITHOUT_2);
    expect(states()).toEqual(['recovered', 'recoverable']);
    await at.recover(t2);
    expect(read()).toEqual(ALL);
  });

  test('[GIT-3] [RST-9] keep commits only what is there', async () => {
    const { at, t1, read } = await twoTurns((root) => {
      gitIn(root, 'init', '-q', '-b', 'main');
      gitIn(root, 'config', 'user.name', 'Test');
      gitIn(root, 'config', 'user.email', 'test@example.invalid');
      commitAll(root);
    });
    await at.revert(t1);
    await keepWork(at.workspace, {});
    expect(gitIn(at.root, 'show', 'HEAD:f')).toBe(text({ 8: 'agent 2' }));
    expect(gitIn(at.root, 'show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['f', 'g', '']);
    expect(read()).toEqual(WITHOUT_1);
  });
});

describe('steps that ran beside each other', () => {
  /** The record of the first holds the changes of both. */
  const parallel = async () => {
    const at = await stage((root) => put(root, 'f', 'f\n'));
    const actor = at.actor('s');
    await actor.start();
    const { id: turn } = await actor.prompt('both');
    const ends = [await actor.begin({ file: 'a' }), await actor.begin({ file: 'b' })];
    put(at.root, 'a', 'a\n');
    put(at.root, 'b', 'b\n');
    const [one, two] = [(await ends[0]?.())?.id as string, (await ends[1]?.())?.id as string];
    const told = () => [[...at.look().keys()].join(' '), at.stateOf(one), at.stateOf(two), at.statusOf('s')];
    return { at, turn, one, two, told };
  };

  test('[RST-9] [GIT-6] each is known to be back, by itself', async () => {
    const { at, one, two, told } = await parallel();
    await at.revert(one);
    expect(told()).toEqual(['b f', 'recoverable', 'on-branch', 'active']);
    await at.recover(one);
    expect(told()).toEqual(['a b f', 'recovered', 'on-branch', 'active']);
    await at.revert(two);
    expect(told()).toEqual(['a f', 'recovered', 'recoverable', 'partially-recovered']);
    await at.revert(one);
    expect(told()).toEqual(['f', 'recoverable', 'recoverable', 'rolled-back']);
    await at.recover(one, two);
    expect(told()).toEqual(['a b f', 'recovered', 'recovered', 'active']);
    await at.discard('s');
    expect(told()).toEqual(['f', 'recoverable', 'recoverable', 'rolled-back']);
  });

  test('[RST-9] [GIT-6] and together, as a turn', async () => {
    const { at, turn, told } = await parallel();
    await at.revert(turn);
    expect(told()).toEqual(['f', 'recoverable', 'recoverable', 'rolled-back']);
    await at.recover(turn);
    expect(told()).toEqual(['a b f', 'recovered', 'recovered', 'active']);
  });

  test('[GIT-6] recovered as a turn when only one was gone, both can be discarded', async () => {
    const { at, turn, one, told } = await parallel();
    await at.revert(one);
    await at.recover(turn);
    expect(told()[0]).toBe('a b f');
    await at.discard('s');
    expect(told()).toEqual(['f', 'recoverable', 'recoverable', 'rolled-back']);
  });

  test('[GIT-6] a revert of one can be recovered by its own id', async () => {
    const { at, one, told } = await parallel();
    const { rollback } = await at.revert(one);
    await at.recover(rollback?.id as string);
    expect(told()).toEqual(['a b f', 'recovered', 'on-branch', 'active']);
    await at.discard('s');
    expect(told()).toEqual(['f', 'recoverable', 'recoverable', 'rolled-back']);
  });
});

describe('rewind --keep-mine of some paths', () => {
  test('[RST-8] [RST-10] the rest of the steps is still known to be there, and can be taken out', async () => {
    const { at, t1, t2, two, read, states } = await twoTurns();
    await at.rewind(t1, { keepMine: true, only: ['g' as RelativePath] });
    expect(read()).toEqual([ALL[0], null]);
    expect(states()).toEqual(['on-branch', 'on-branch']);
    expect(at.statusOf('s')).toBe('active');
    await at.discard('s');
    expect(read()).toEqual(MINE);
    expect(states()).toEqual(['recoverable', 'recoverable']);
    await at.undo();
    await at.recover(two);
    expect(read()).toEqual(ALL);
    await at.revert(t2);
    expect(read()).toEqual(WITHOUT_2);
  });
});

describe('rewind --keep-mine past what was done by a plan', () => {
  test('[RST-10] a revert goes back with the step that it took out, and can be undone', async () => {
    const { at, t1, t2, read, states } = await twoTurns();
    await at.revert(t2);
    await at.keepMine(t1);
    expect(read()).toEqual(MINE);
    expect(states()).toEqual(['recoverable', 'recoverable']);
    await at.undo();
    expect(read()).toEqual(WITHOUT_2);
    expect(states()).toEqual(['on-branch', 'recoverable']);
    await at.keepMine(t2);
    expect(states()).toEqual(['on-branch', 'recoverable']);
  });

  test('[RST-10] a revert of what came before the target comes undone, and the log knows', async () => {
    const { at, actor, t1, read, states } = await twoTurns();
    const { id: t3 } = await actor.prompt('third');
    await at.revert(t1);
    await actor.step(() => put(at.root, 'g', 'agent 3\n'));
    await at.keepMine(t3);
    expect(read()).toEqual(ALL);
    expect(states()).toEqual(['on-branch', 'on-branch']);
    await at.revert(t1);
    expect(read()).toEqual(WITHOUT_1);
    await at.undo();
    await at.undo();
    expect(states()).toEqual(['recoverable', 'on-branch']);
  });

  test('[RST-10] a recovery goes back, and the step that it brought is recoverable again', async () => {
    const { at, actor, t1, read, states } = await twoTurns();
    await at.revert(t1);
    const { id: t3 } = await actor.prompt('third');
    await at.recover(t1);
    expect(states()).toEqual(['recovered', 'on-branch']);
    await at.keepMine(t3);
    expect(read()).toEqual(WITHOUT_1);
    expect(states()).toEqual(['recoverable', 'on-branch']);
  });

  test('[RST-10] a rewind of some paths goes back, and what the person did stays', async () => {
    const { at, actor, t2, read } = await twoTurns();
    const { id: t3 } = await actor.prompt('third');
    await at.rewind(t2, { only: ['g' as RelativePath] });
    expect(read()).toEqual([ALL[0], null]);
    await at.keepMine(t3);
    expect(read()).toEqual(ALL);
    await at.keepMine(t2);
    expect(read()).toEqual(WITHOUT_2);
    await at.undo();
    expect(read()).toEqual(ALL);
  });

  test('[RST-10] a revert of what the person did themselves stays', async () => {
    const { at, t1, read } = await twoTurns();
    put(at.root, 'g', 'mine\n');
    const { checkpoint } = await createCheckpoint(at.workspace, {});
    await at.revert(checkpoint.id);
    expect(read()).toEqual(ALL);
    await at.keepMine(t1);
    expect(read()).toEqual(MINE);
  });
});
