import { describe, expect, test } from 'vitest';
import { contents, logOf, played, refusal, stepsOf, write } from '../recover/played.ts';
import { put } from '../support/scene.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const text = (changes: Readonly<Record<number, string>> = {}): string => `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

const threeTurns = async () => {
  const it = await played({ 'a.txt': text(), 'gone.txt': 'gone\n' });
  const { at, session } = it;
  await session.prompt('first');
  await write(it, 'a.txt', text({ 0: '1' }));
  await session.prompt('second');
  await write(it, 'a.txt', text({ 0: '1', 4: '2' }));
  await write(it, 'b.txt', 'second\n');
  await session.prompt('third');
  await write(it, 'a.txt', text({ 0: '1', 4: '2', 8: '3' }));
  put(at.workspace, 'a.txt', text({ 0: '1', 2: 'mine', 4: '2', 8: '3' }));
  return it;
};

describe('revert', () => {
  test('[RST-9] a turn in the middle goes, what came before and after stays; undo is exact, and so is reverting again', async () => {
    const { at } = await threeTurns();
    const now = contents(at, 'a.txt', 'b.txt');
    const plan = at.retake.json(at.workspace, 'revert', 't2', '--dry-run');
    expect(plan.operations).toMatchObject([
      { type: 'restore', path: 'a.txt' },
      { type: 'delete', path: 'b.txt' },
    ]);
    expect(plan.steps).toHaveLength(2);
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(now);
    at.retake.json(at.workspace, 'revert', 't2', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual([text({ 0: '1', 2: 'mine', 8: '3' }), undefined]);
    expect(logOf(at)[0]).toMatchObject({ kind: 'revert', description: expect.stringContaining('Revert of second') });
    expect(refusal(at, 'revert', 't2', '--yes')).toMatchObject({ exit: 1, code: 'nothing-to-revert' });
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(now);
    const [first] = stepsOf(at);
    at.retake.json(at.workspace, 'revert', first.id, '--yes');
    expect(contents(at, 'a.txt')).toEqual([text({ 2: 'mine', 4: '2', 8: '3' })]);
  });

  test('[RST-9] recover brings a reverted turn back on top of what came since', async () => {
    const it = await threeTurns();
    const { at } = it;
    at.retake.json(at.workspace, 'revert', 't2', '--yes');
    expect(stepsOf(at).map(({ state }) => state)).toEqual(['on-branch', 'recoverable', 'recoverable', 'on-branch']);
    put(at.workspace, 'a.txt', text({ 0: '1', 2: 'mine', 6: 'more', 8: '3' }));
    at.retake.json(at.workspace, 'recover', 't2', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual([text({ 0: '1', 2: 'mine', 4: '2', 6: 'more', 8: '3' }), 'second\n']);
  });

  test('[RST-9] a conflict with later work: base, both sides, and each choice', async () => {
    const it = await played({ 'a.txt': text() });
    const { at, session } = it;
    await session.prompt('first');
    await write(it, 'a.txt', text({ 4: 'first' }));
    await session.prompt('second');
    await write(it, 'a.txt', text({ 4: 'second' }));
    const { details } = refusal(at, 'revert', 't1', '--yes');
    expect(details).toMatchObject({
      choices: ['ours', 'theirs', 'manual', 'skip'],
      conflicts: [{ path: 'a.txt', reason: 'both-changed', marked: expect.stringContaining('second') }],
    });
    expect(contents(at, 'a.txt')).toEqual([text({ 4: 'second' })]);
    expect(at.retake.run(at.workspace, 'revert', 't1', '--on-conflict', 'abort', '--yes').code).toBe(1);
    at.retake.json(at.workspace, 'revert', 't1', '--resolve', 'a.txt=theirs', '--yes');
    expect(contents(at, 'a.txt')).toEqual([text()]);
    at.retake.json(at.workspace, 'undo', '--yes');
    at.retake.json(at.workspace, 'revert', 't1', '--on-conflict', 'manual', '--yes');
    expect(contents(at, 'a.txt')[0]).toBe(
      text({ 4: '<<<<<<< now\nsecond\n||||||| with first\nfirst\n=======\nfive\n>>>>>>> without first' }),
    );
  });

  test('[RST-9] parallel steps: an edit goes without that of the step beside it, which stays recorded as there', async () => {
    const it = await played({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { at, session } = it;
    await session.prompt('both');
    const endOfA = await session.begin('Edit', { file_path: `${at.workspace}/a.txt` });
    const endOfB = await session.begin('Edit', { file_path: `${at.workspace}/b.txt` });
    put(at.workspace, 'a.txt', 'agent a\n');
    put(at.workspace, 'b.txt', 'agent b\n');
    await endOfA();
    await endOfB();
    const steps = stepsOf(at);
    at.retake.json(at.workspace, 'revert', steps[0].id, '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['a\n', 'agent b\n']);
    at.retake.json(at.workspace, 'discard', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['a\n', 'b\n']);
  });
});
