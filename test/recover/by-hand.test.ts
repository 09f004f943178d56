import { describe, expect, test } from 'vitest';
import { put } from '../support/scene.ts';
import { contents, played, refusal, stepsOf, write } from './played.ts';

/** Two steps on a.txt and one on b.txt with the person's work between each, all rolled back; the present is in conflict with the first. */
const interrupted = async () => {
  const it = await played({ 'a.txt': 'zero\n', 'b.txt': 'b\n' });
  const { at } = it;
  await it.session.prompt('change');
  await write(it, 'a.txt', 'first\n');
  put(at.workspace, 'own.txt', '1\n');
  await write(it, 'b.txt', 'agent\n');
  put(at.workspace, 'own.txt', '2\n');
  await write(it, 'a.txt', 'second\n');
  at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
  put(at.workspace, 'a.txt', 'mine\n');
  const started = at.retake.json(at.workspace, 'recover', 't1', '--on-conflict', 'manual', '--yes');
  return { at, started };
};

const ALL = ['a.txt', 'b.txt', 'own.txt'] as const;
const MARKED = '<<<<<<< now\nmine\n||||||| without Write a.txt\nzero\n=======\nfirst\n>>>>>>> Write a.txt\n';

describe('recovering with something to finish by hand', () => {
  test('[GIT-6] stops at the step with markers, refuses to go on before they are gone, and goes on with the rest', async () => {
    const { at, started } = await interrupted();
    const [first, second, third] = stepsOf(at).map(({ id }) => id);
    expect(started.steps.map(({ applies }: { applies: string }) => applies)).toEqual(['with-conflicts', 'later', 'later']);
    expect(started.left).toEqual({ steps: [second, third], marked: [{ path: 'a.txt' }] });
    expect(contents(at, ...ALL)).toEqual([MARKED, 'b\n', undefined]);
    expect(stepsOf(at).map(({ state }) => state)).toEqual(['recovered', 'recoverable', 'recoverable']);
    expect(refusal(at, 'recover', '--continue')).toMatchObject({ exit: 1, code: 'markers-left', details: { marked: [{ path: 'a.txt' }] } });
    expect(refusal(at, 'recover', second)).toMatchObject({ exit: 1, code: 'recover-under-way' });
    expect(first).not.toBe(second);

    put(at.workspace, 'a.txt', 'first\n');
    const dry = at.retake.json(at.workspace, 'recover', '--continue', '--dry-run');
    const done = at.retake.json(at.workspace, 'recover', '--continue', '--yes');
    expect(done.operations).toEqual(dry.operations);
    expect(contents(at, ...ALL)).toEqual(['second\n', 'agent\n', undefined]);
    expect(stepsOf(at).map(({ state }) => state)).toEqual(['recovered', 'recovered', 'recovered']);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });

  test('[GIT-6] the rest may conflict too: nothing without a choice, and by hand once more', async () => {
    const { at } = await interrupted();
    put(at.workspace, 'a.txt', 'other\n');
    expect(refusal(at, 'recover', '--continue', '--yes')).toMatchObject({ exit: 1, code: 'conflicts' });
    expect(contents(at, ...ALL)).toEqual(['other\n', 'b\n', undefined]);
    const again = at.retake.json(at.workspace, 'recover', '--continue', '--on-conflict', 'manual', '--yes');
    expect(again.left).toEqual({ steps: [], marked: [{ path: 'a.txt' }] });
    expect(contents(at, 'b.txt')).toEqual(['agent\n']);
    expect(refusal(at, 'recover', '--continue').code).toBe('markers-left');
    put(at.workspace, 'a.txt', 'merged\n');
    expect(at.retake.json(at.workspace, 'recover', '--continue').left).toBeNull();
    expect(contents(at, 'a.txt')).toEqual(['merged\n']);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });

  test('[GIT-6] --abort takes all of it back, also after it was gone on with', async () => {
    const { at } = await interrupted();
    put(at.workspace, 'a.txt', 'other\n');
    put(at.workspace, 'own.txt', 'own\n');
    at.retake.json(at.workspace, 'recover', '--continue', '--on-conflict', 'manual', '--yes');
    const newest = at.retake.json(at.workspace, 'recover', '--abort', '--dry-run');
    expect(newest.warnings.at(-1)).toMatch(/^1 earlier part/);
    // What is expected is the state that the newest part is taken back from; those before begin where that ends.
    expect(at.retake.json(at.workspace, 'recover', '--abort', '--yes', '--expect', newest.expectedTree).undone).toHaveLength(2);
    expect(contents(at, ...ALL)).toEqual(['mine\n', 'b\n', 'own\n']);
    expect(stepsOf(at).map(({ state }) => state)).toEqual(['recoverable', 'recoverable', 'recoverable']);
    expect(refusal(at, 'recover', '--abort').code).toBe('nothing-to-recover');
  });

  test('[RST-7] undo takes it back as well, and then there is nothing to go on with', async () => {
    const { at } = await interrupted();
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(contents(at, ...ALL)).toEqual(['mine\n', 'b\n', undefined]);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
    // Redone, it is under way again.
    at.retake.json(at.workspace, 'redo', '--yes');
    expect(refusal(at, 'recover', '--continue').code).toBe('markers-left');
  });
});
