import { describe, expect, test } from 'vitest';
import { contents, played, refusal, write } from '../recover/played.ts';
import { put } from '../support/scene.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const text = (changes: Readonly<Record<number, string>> = {}, end = '\n'): string =>
  LINES.map((line, at) => changes[at] ?? line).join('\n') + end;

/** Three turns on one file, with an edit of the person before the second and before the third. */
const threeTurns = async () => {
  const it = await played({ 'a.txt': text(), 'mine.txt': 'mine\n' });
  const { at, session } = it;
  await session.prompt('first');
  await write(it, 'a.txt', text({ 0: 'agent 1' }));
  put(at.workspace, 'a.txt', text({ 0: 'agent 1', 9: 'my end' }));
  await session.prompt('second');
  await write(it, 'a.txt', text({ 0: 'agent 1', 4: 'agent 2', 9: 'my end' }));
  await write(it, 'new.txt', 'agent\n');
  put(at.workspace, 'a.txt', text({ 0: 'agent 1', 2: 'my third', 4: 'agent 2', 9: 'my end' }));
  put(at.workspace, 'mine.txt', 'more of mine\n');
  await session.prompt('third');
  await write(it, 'a.txt', text({ 0: 'agent 1', 2: 'my third', 4: 'agent 2', 7: 'agent 3', 9: 'my end' }));
  return it;
};

const BEFORE_SECOND = text({ 0: 'agent 1', 2: 'my third', 9: 'my end' });

describe('rewind --keep-mine', () => {
  test('[RST-10] what agents did since goes, what the person did stays, line by line; undo brings all of it back', async () => {
    const { at } = await threeTurns();
    const now = contents(at, 'a.txt', 'mine.txt', 'new.txt');
    const plan = at.retake.json(at.workspace, 'rewind', 't2', '--keep-mine', '--dry-run');
    expect(plan.operations).toMatchObject([
      { type: 'restore', path: 'a.txt', by: 'both' },
      { type: 'delete', path: 'new.txt', by: 'agent' },
    ]);
    expect(plan.stays).toMatchObject([{ path: 'mine.txt', by: 'person' }]);
    expect(plan.warnings).toEqual([]);
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual(now);
    const { rollbackId } = at.retake.json(at.workspace, 'rewind', 't2', '--keep-mine', '--expect', plan.expectedTree, '--yes');
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual([BEFORE_SECOND, 'more of mine\n', undefined]);
    at.retake.json(at.workspace, 'undo', rollbackId, '--yes');
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual(now);
    at.retake.json(at.workspace, 'redo', '--yes');
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual([BEFORE_SECOND, 'more of mine\n', undefined]);
  });

  test('[RST-10] [RST-12] a plain rewind keeps what the person changed, and says so and how to choose otherwise', async () => {
    const { at } = await threeTurns();
    const plan = at.retake.json(at.workspace, 'rewind', 't2', '--dry-run');
    expect(plan).toMatchObject({ keepMine: true, warnings: [] });
    const { stdout, stderr } = at.retake.run(at.workspace, 'rewind', 't2', '--dry-run');
    expect(stdout).toContain('; your own edits stay\n');
    expect(stderr).toMatch(/To choose otherwise: .*--no-keep-mine/);
    at.retake.json(at.workspace, 'rewind', 't2', '--expect', plan.expectedTree, '--yes');
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual([BEFORE_SECOND, 'more of mine\n', undefined]);
  });

  test('[RST-1] --no-keep-mine says what of the person it would overwrite', async () => {
    const { at } = await threeTurns();
    const plan = at.retake.json(at.workspace, 'rewind', 't2', '--no-keep-mine', '--dry-run');
    expect(plan.keepMine).toBe(false);
    expect(plan.warnings.join()).toContain('a.txt, mine.txt were changed by other hands');
    at.retake.json(at.workspace, 'rewind', 't2', '--no-keep-mine', '--yes');
    expect(contents(at, 'a.txt', 'mine.txt', 'new.txt')).toEqual([text({ 0: 'agent 1', 9: 'my end' }), 'mine\n', undefined]);
  });

  test('[RST-9] [RST-10] where both changed the same lines nothing is written until it is chosen', async () => {
    const it = await played({ 'a.txt': text() });
    const { at, session } = it;
    await session.prompt('first');
    await write(it, 'a.txt', text({ 4: 'agent' }));
    put(at.workspace, 'a.txt', text({ 4: 'agent, and I' }));
    await session.prompt('second');
    const refused = refusal(at, 'rewind', 't1', '--keep-mine', '--yes');
    expect(refused).toMatchObject({ exit: 1, code: 'conflicts', details: { conflicts: [{ path: 'a.txt', reason: 'both-changed' }] } });
    const outcome = (choice: string) => {
      at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--keep-mine', '--on-conflict', choice, '--yes');
      const [after] = contents(at, 'a.txt');
      if (after !== text({ 4: 'agent, and I' })) at.retake.json(at.workspace, 'undo', '--yes');
      expect(contents(at, 'a.txt')).toEqual([text({ 4: 'agent, and I' })]);
      return after;
    };
    expect(outcome('ours')).toBe(text({ 4: 'agent, and I' }));
    expect(outcome('skip')).toBe(text({ 4: 'agent, and I' }));
    expect(outcome('theirs')).toBe(text());
    expect(outcome('manual')).toContain('<<<<<<< now\nagent, and I\n');
  });

  test('[RST-10] what the person changed while a tool ran that can not have done it is theirs', async () => {
    const it = await played({ 'a.txt': text(), 'b.txt': 'b\n' });
    const { at, session } = it;
    await session.prompt('first');
    await session.step('Edit', { file_path: `${at.workspace}/a.txt` }, () => {
      put(at.workspace, 'a.txt', text({ 2: 'agent' }));
      put(at.workspace, 'b.txt', 'mine\n');
    });
    await session.step('Read', { file_path: `${at.workspace}/a.txt` }, () => put(at.workspace, 'a.txt', text({ 2: 'agent', 7: 'mine' })));
    const plan = at.retake.json(at.workspace, 'rewind', 't1', '--keep-mine', '--dry-run');
    expect(plan.operations).toMatchObject([{ path: 'a.txt', by: 'both' }]);
    expect(plan.stays).toMatchObject([{ path: 'b.txt', by: 'person' }]);
    at.retake.json(at.workspace, 'rewind', 't1', '--keep-mine', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual([text({ 7: 'mine' }), 'mine\n']);
  });

  test('[RST-10] to a checkpoint that was left behind: what it had comes back, what the person did since stays', async () => {
    const it = await threeTurns();
    const { at } = it;
    const there = at.retake.json(at.workspace, 'checkpoint', '--name', 'there').id;
    at.retake.json(at.workspace, 'rewind', 't1', '--yes');
    put(at.workspace, 'later.txt', 'mine\n');
    await it.session.prompt('another');
    await write(it, 'b.txt', 'agent\n');
    at.retake.json(at.workspace, 'rewind', there, '--keep-mine', '--yes');
    expect(contents(at, 'a.txt', 'new.txt', 'later.txt', 'b.txt')).toEqual([
      text({ 0: 'agent 1', 2: 'my third', 4: 'agent 2', 7: 'agent 3', 9: 'my end' }),
      'agent\n',
      'mine\n',
      undefined,
    ]);
  });

  test('[CLI] what does not go together is refused', async () => {
    const { at } = await threeTurns();
    expect(refusal(at, 'rewind', 't1', '--keep-mine', '--scope', 'conversation')).toMatchObject({ exit: 2, code: 'usage' });
    expect(refusal(at, 'rewind', 't1', '--keep-mine', '--by', 't2')).toMatchObject({ exit: 2, code: 'usage' });
    expect(refusal(at, 'rewind', 't1', '--by', 'nobody')).toMatchObject({ exit: 1, code: 'unknown-id' });
  });
});
