import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { put, steps } from '../support/scene.ts';
import { contents, logOf, played, refusal, write } from './played.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

/** The agent changes the first line, the person the last, the agent another file, the person makes one. */
const interleaved = async (env: Record<string, string> = {}) => {
  const it = await played({ 'a.txt': LINES, 'b.txt': 'b\n' }, env);
  await it.session.prompt('change things');
  await write(it, 'a.txt', LINES.replace('one', 'ONE'));
  put(it.at.workspace, 'a.txt', LINES.replace('one', 'ONE').replace('five', 'mine'));
  await write(it, 'b.txt', 'agent\n');
  await write(it, 'new/made.txt', 'made\n');
  await it.session.answer('done');
  put(it.at.workspace, 'own.txt', 'own\n');
  return it;
};

const ALL = ['a.txt', 'b.txt', 'new/made.txt', 'own.txt'] as const;
const WORKED = ['ONE\ntwo\nthree\nfour\nmine\n', 'agent\n', 'made\n', 'own\n'];
const DISCARDED = ['one\ntwo\nthree\nfour\nmine\n', 'b\n', undefined, 'own\n'];

describe('discard', () => {
  test.each([['false'], ['true']])(
    "[GIT-4] [RST-10] takes the agent's changes out, also of a file that the person changed, and undo brings them back (daemon %s)",
    async (enabled) => {
      const { at } = await interleaved({ RETAKE_DAEMON_ENABLED: enabled });
      const preview = at.retake.json(at.workspace, 'discard', '--dry-run');
      expect(contents(at, ...ALL)).toEqual(WORKED);
      expect(steps(preview)).toEqual(['restore a.txt', 'restore b.txt', 'rmdir new', 'delete new/made.txt']);
      expect(preview.steps.map(({ description, applies }: Record<string, string>) => `${description} ${applies}`)).toEqual([
        'Write made.txt cleanly',
        'Write b.txt cleanly',
        'Write a.txt cleanly',
      ]);
      const done = at.retake.json(at.workspace, 'discard', '--yes', '--expect', preview.expectedTree);
      expect(done.operations).toEqual(preview.operations);
      expect(contents(at, ...ALL)).toEqual(DISCARDED);
      expect(logOf(at)[0]).toMatchObject({ kind: 'discard', rolledBack: null });
      expect(logOf(at).filter(({ kind, rolledBack }) => kind === 'after-step' && rolledBack === 'code')).toHaveLength(3);
      expect(refusal(at, 'discard', '--yes')).toMatchObject({ exit: 1, code: 'nothing-to-discard' });

      at.retake.json(at.workspace, 'undo', '--yes');
      expect(contents(at, ...ALL)).toEqual(WORKED);
      expect(logOf(at).filter(({ kind, rolledBack }) => kind === 'after-step' && rolledBack === null)).toHaveLength(3);
      at.retake.json(at.workspace, 'discard', '--yes');
      expect(contents(at, ...ALL)).toEqual(DISCARDED);
    },
  );

  test("[GIT-4] --all goes back to the state at the start, the person's edits too; undo brings all back", async () => {
    const { at } = await interleaved();
    at.retake.json(at.workspace, 'discard', '--all', '--yes');
    expect(contents(at, ...ALL)).toEqual([LINES, 'b\n', undefined, undefined]);
    expect(refusal(at, 'discard', '--yes').code).toBe('nothing-to-discard');
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(contents(at, ...ALL)).toEqual(WORKED);
  });

  test.each([
    ['ours', 'mine\n'],
    ['skip', 'mine\n'],
    ['theirs', 'first\n'],
    ['manual', "<<<<<<< now\nmine\n||||||| with the agent's work\nagent\n=======\nfirst\n>>>>>>> without the agent's work\n"],
  ])('[RST-9] the person changed the same line: nothing without a choice, and %s as chosen', async (choice, content) => {
    const it = await played({ 'a.txt': 'first\n', 'b.txt': 'b\n' });
    const { at } = it;
    await it.session.prompt('change');
    await write(it, 'a.txt', 'agent\n');
    await write(it, 'b.txt', 'agent\n');
    put(at.workspace, 'a.txt', 'mine\n');
    const refused = refusal(at, 'discard', '--yes');
    expect(refused).toMatchObject({ exit: 1, code: 'conflicts', details: { choices: ['ours', 'theirs', 'manual', 'skip'] } });
    expect(refused.details.conflicts).toMatchObject([{ path: 'a.txt', reason: 'both-changed', choice: null }]);
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['mine\n', 'agent\n']);
    at.retake.json(at.workspace, 'discard', '--resolve', `a.txt=${choice}`, '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual([content, 'b\n']);
  });

  test('[RST-9] a file that the person moved since loses what the agent did to it in its new place', async () => {
    const it = await played({ 'a.txt': LINES, 'b.txt': LINES.toUpperCase() });
    const { at } = it;
    await it.session.prompt('change');
    await write(it, 'a.txt', LINES.replace('one', 'agent'));
    await write(it, 'b.txt', LINES.toUpperCase().replace('ONE', 'agent'));
    put(at.workspace, 'moved/a.txt', LINES.replace('one', 'agent').replace('five', 'mine'));
    put(at.workspace, 'c.txt', LINES.toUpperCase().replace('ONE', 'mine'));
    for (const path of ['a.txt', 'b.txt']) rmSync(join(at.workspace, path));
    const refused = refusal(at, 'discard', '--yes');
    expect(refused.details.conflicts).toMatchObject([{ path: 'c.txt', was: { path: 'b.txt' }, reason: 'both-changed' }]);
    expect(at.retake.run(at.workspace, 'discard', '--dry-run').stdout).toContain('c.txt, renamed from b.txt');
    at.retake.json(at.workspace, 'discard', '--resolve', 'c.txt=ours', '--yes');
    expect(contents(at, 'a.txt', 'b.txt', 'moved/a.txt', 'c.txt')).toEqual([
      undefined,
      undefined,
      LINES.replace('five', 'mine'),
      LINES.toUpperCase().replace('ONE', 'mine'),
    ]);
  });

  test('[GIT-4] [RST-11] of two sessions one is discarded, by its id', async () => {
    const one = await played({ 'a.txt': LINES });
    const { at } = one;
    const two = { at, session: new PlayedSession(at) };
    await two.session.start();
    await one.session.prompt('first');
    await write(one, 'a.txt', LINES.replace('one', 'ONE'));
    await two.session.prompt('second');
    await write(two, 'a.txt', LINES.replace('one', 'ONE').replace('five', 'FIVE'));
    at.retake.json(at.workspace, 'discard', '--session', one.session.id, '--yes');
    expect(contents(at, 'a.txt')).toEqual([LINES.replace('five', 'FIVE')]);
    at.retake.json(at.workspace, 'discard', '--yes');
    expect(contents(at, 'a.txt')).toEqual([LINES]);
  });

  test('[GIT-4] what was rolled back already is no longer there to be discarded', async () => {
    const it = await played({ 'a.txt': 'a\n' });
    const { at } = it;
    await it.session.prompt('first');
    await write(it, 'a.txt', 'agent\n');
    await it.session.prompt('second');
    await write(it, 'b.txt', 'agent\n');
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    put(at.workspace, 'b.txt', 'mine\n');
    expect(at.retake.json(at.workspace, 'discard', '--dry-run').steps).toHaveLength(1);
    at.retake.json(at.workspace, 'discard', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['a\n', 'mine\n']);
  });

  test('[RST-5] a file that ignore rules hid when the agent began is left alone', async () => {
    const it = await played({ '.gitignore': 'secret\n', secret: 'mine\n', 'a.txt': 'a\n' });
    const { at } = it;
    await it.session.prompt('change');
    await it.session.step('Bash', { command: ': >.gitignore' }, () => put(at.workspace, '.gitignore', ''));
    const done = at.retake.json(at.workspace, 'discard', '--yes');
    expect(contents(at, '.gitignore', 'secret')).toEqual(['secret\n', 'mine\n']);
    expect(done.kept).toMatchObject([{ path: 'secret' }]);
  });

  test('[UI-1] an unknown session, and none at all, are refused', async () => {
    const { at } = await played({ 'a.txt': 'a\n' });
    expect(refusal(at, 'discard', '--session', 'nobody')).toMatchObject({ exit: 1, code: 'unknown-id' });
    expect(refusal(at, 'discard')).toMatchObject({ exit: 1, code: 'nothing-to-discard' });
  });
});
