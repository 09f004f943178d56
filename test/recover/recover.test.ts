import { describe, expect, test } from 'vitest';
import { put, steps } from '../support/scene.ts';
import { contents, logOf, type Played, played, refusal, stepsOf, write } from './played.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';
const id = (at: Played['at'], description: string): string => stepsOf(at).find((step) => step.description === description).id;
const states = (at: Played['at']): string[] => stepsOf(at).map(({ description, state }) => `${description}: ${state}`);

/** A turn with three steps on two files, rolled back. */
const rolledBack = async (env: Record<string, string> = {}) => {
  const it = await played({ 'a.txt': LINES, 'b.txt': 'b\n' }, env);
  const { at } = it;
  await it.session.prompt('change things');
  await write(it, 'a.txt', LINES.replace('one', 'ONE'));
  await write(it, 'b.txt', 'agent\n');
  await write(it, 'c.txt', 'made\n');
  await it.session.answer('done');
  const rollback = at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes').rollbackId;
  return { ...it, rollback };
};

const ALL = ['a.txt', 'b.txt', 'c.txt'] as const;

describe('recover', () => {
  test.each([['false'], ['true']])('[GIT-6] one step of a turn that was rolled back, on top of new work (daemon %s)', async (enabled) => {
    const { at } = await rolledBack({ RETAKE_DAEMON_ENABLED: enabled });
    put(at.workspace, 'a.txt', LINES.replace('five', 'mine'));
    const step = id(at, 'Write a.txt');
    const preview = at.retake.json(at.workspace, 'recover', step, '--dry-run');
    expect(steps(preview)).toEqual(['restore a.txt']);
    expect(preview.steps).toMatchObject([{ id: step, state: 'recoverable', applies: 'cleanly' }]);
    expect(contents(at, ...ALL)).toEqual([LINES.replace('five', 'mine'), 'b\n', undefined]);
    const done = at.retake.json(at.workspace, 'recover', step.slice(0, 10), '--expect', preview.expectedTree);
    expect(done.operations).toEqual(preview.operations);
    expect(contents(at, ...ALL)).toEqual(['ONE\ntwo\nthree\nfour\nmine\n', 'b\n', undefined]);
    expect(states(at)).toEqual(['Write a.txt: recovered', 'Write b.txt: recoverable', 'Write c.txt: recoverable']);
    expect(logOf(at)[0]).toMatchObject({ kind: 'recover', rolledBack: null });
    expect(logOf(at).find((one) => one.id === step)).toMatchObject({ rolledBack: null, expiresAt: null });

    at.retake.json(at.workspace, 'undo', '--yes');
    expect(contents(at, ...ALL)).toEqual([LINES.replace('five', 'mine'), 'b\n', undefined]);
    expect(states(at)[0]).toBe('Write a.txt: recoverable');
  });

  test.each([
    ['the turn', async () => 't1'],
    ['its rollback', async (rollback: string) => rollback],
  ])("[GIT-6] all of it by %s; the work counts as the session's again", async (_, address) => {
    const { at, rollback } = await rolledBack();
    at.retake.json(at.workspace, 'recover', await address(rollback), '--yes');
    expect(contents(at, ...ALL)).toEqual([LINES.replace('one', 'ONE'), 'agent\n', 'made\n']);
    expect(states(at)).toEqual(['Write a.txt: recovered', 'Write b.txt: recovered', 'Write c.txt: recovered']);
    put(at.workspace, 'b.txt', 'agent\nmine\n');
    at.retake.json(at.workspace, 'discard', '--resolve', 'b.txt=ours', '--yes');
    expect(contents(at, ...ALL)).toEqual([LINES, 'agent\nmine\n', undefined]);
  });

  test('[GIT-6] what a discard took out', async () => {
    const it = await played({ 'a.txt': LINES });
    await it.session.prompt('change');
    await write(it, 'a.txt', LINES.replace('one', 'ONE'));
    const { at } = it;
    const { rollbackId } = at.retake.json(at.workspace, 'discard', '--yes');
    put(at.workspace, 'a.txt', LINES.replace('five', 'mine'));
    expect(states(at)).toEqual(['Write a.txt: recoverable']);
    at.retake.json(at.workspace, 'recover', rollbackId, '--yes');
    expect(contents(at, 'a.txt')).toEqual(['ONE\ntwo\nthree\nfour\nmine\n']);
    expect(states(at)).toEqual(['Write a.txt: recovered']);
  });

  test('[GIT-6] steps go in the order they were made in, whatever the order they are named in', async () => {
    const it = await played({ 'a.txt': 'a\n' });
    const { at } = it;
    await it.session.prompt('one');
    await write(it, 'a.txt', 'first\n');
    await write(it, 'b.txt', 'b\n');
    await write(it, 'a.txt', 'second\n');
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    const [first, , second] = stepsOf(at).map((step) => step.id);
    const done = at.retake.json(at.workspace, 'recover', second, first, first, '--yes');
    expect(done.steps.map((step: { id: string }) => step.id)).toEqual([first, second]);
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['second\n', undefined]);
  });

  const CHOICES = {
    ours: 'mine\n',
    skip: 'mine\n',
    theirs: 'agent\n',
    manual: '<<<<<<< now\nmine\n||||||| without Write b.txt\nb\n=======\nagent\n>>>>>>> Write b.txt\n',
  };

  test('[GIT-6] [RST-9] a conflict: the dry run tells it, nothing is written without a choice, then as chosen', async () => {
    const { at } = await rolledBack();
    put(at.workspace, 'b.txt', 'mine\n');
    const before = contents(at, ...ALL);
    const preview = at.retake.json(at.workspace, 'recover', 't1', '--dry-run');
    expect(preview.steps.map(({ applies }: { applies: string }) => applies)).toEqual(['cleanly', 'with-conflicts', 'cleanly']);
    expect(preview.conflicts).toMatchObject([
      {
        path: 'b.txt',
        reason: 'both-changed',
        choice: null,
        steps: [id(at, 'Write b.txt')],
        ours: { type: 'file', size: 5 },
        theirs: { type: 'file', size: 6 },
      },
    ]);
    // All three steps follow each other, so that they are one change, named by its first and last.
    expect(preview.conflicts[0].marked).toBe(CHOICES.manual.replace('Write b', 'Write a').replace('>>>>>>> Write b', '>>>>>>> Write c'));
    const shown = at.retake.run(at.workspace, 'recover', 't1');
    expect([shown.code, contents(at, ...ALL)]).toEqual([1, before]);
    for (const words of ['Conflict: b.txt', '<<<<<<< now', 'clean', 'conflicts']) expect(shown.stdout).toContain(words);
    expect(shown.stderr).toContain('--on-conflict');
    expect(refusal(at, 'recover', 't1', '--yes')).toMatchObject({ exit: 1, code: 'conflicts', details: { conflicts: preview.conflicts } });
    expect(refusal(at, 'recover', 't1', '--resolve', 'a.txt=ours', '--yes')).toMatchObject({ exit: 1, code: 'unknown-id' });

    for (const [choice, content] of Object.entries(CHOICES)) {
      const step = id(at, 'Write b.txt');
      const args = ['recover', step, '--on-conflict', choice];
      const dry = at.retake.json(at.workspace, ...args, '--dry-run');
      const done = at.retake.json(at.workspace, ...args, '--yes');
      expect(done.operations).toEqual(dry.operations);
      expect(contents(at, ...ALL)).toEqual([LINES, content, undefined]);
      if (done.rollbackId !== null) at.retake.json(at.workspace, 'undo', '--yes');
      expect(contents(at, ...ALL)).toEqual(before);
    }
  });

  test('[GIT-6] squashed, several steps of one place are one change', async () => {
    const it = await played({ 'a.txt': 'zero\n' });
    const { at } = it;
    await it.session.prompt('one');
    await write(it, 'a.txt', 'first\n');
    put(at.workspace, 'b.txt', 'mine\n');
    await write(it, 'a.txt', 'second\n');
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    put(at.workspace, 'a.txt', 'mine\n');
    const conflicts = (...more: string[]) => at.retake.json(at.workspace, 'recover', 't1', ...more, '--dry-run').conflicts;
    expect(conflicts()).toHaveLength(2);
    expect(conflicts('--squash')).toMatchObject([{ path: 'a.txt', steps: stepsOf(at).map((step) => step.id) }]);
    at.retake.json(at.workspace, 'recover', 't1', '--squash', '--on-conflict', 'theirs', '--yes');
    expect(contents(at, 'a.txt', 'b.txt')).toEqual(['second\n', undefined]);
  });

  test('[GIT-6] a step of another branch', async () => {
    const it = await played({ 'a.txt': LINES });
    const { at, session } = it;
    const place = session.last;
    await session.prompt('left');
    await write(it, 'left.txt', 'left\n');
    session.rewindTo(place);
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    await session.prompt('right');
    await write(it, 'right.txt', 'right\n');
    expect(states(at)).toEqual(['Write left.txt: recoverable', 'Write right.txt: on-branch']);
    at.retake.json(at.workspace, 'recover', id(at, 'Write left.txt'));
    expect(contents(at, 'left.txt', 'right.txt')).toEqual(['left\n', 'right\n']);
    // What is there already changes nothing.
    expect(at.retake.json(at.workspace, 'recover', id(at, 'Write right.txt')).rollbackId).toBeNull();
  });

  test('[GIT-6] the state of a step follows from how long it is retained', async () => {
    const { at } = await rolledBack();
    const step = id(at, 'Write a.txt');
    const shown = at.retake.json(at.workspace, 'show', step);
    expect(shown.state).toBe('recoverable');
    const rolled = logOf(at)[0].createdAt;
    expect(Date.parse(shown.expiresAt) - Date.parse(rolled)).toBe(180 * 24 * 3_600_000);
    expect(at.retake.run(at.workspace, 'show', step).stdout).toContain(`recoverable (until ${shown.expiresAt.slice(0, 10)})`);
    at.retake.env.RETAKE_RETENTION_ROLLED_BACK_DAYS = '20';
    expect(at.retake.json(at.workspace, 'show', step).state).toBe('expiring');
    expect(at.retake.json(at.workspace, 'show', 't1').state).toBeNull();
  });

  test('[UI-1] what can not be recovered is refused with the reason', async () => {
    const { at } = await rolledBack();
    const start = logOf(at).find(({ kind }) => kind === 'session-start').id;
    expect(refusal(at, 'recover', start)).toMatchObject({ exit: 1, code: 'nothing-to-recover' });
    expect(refusal(at, 'recover', 'ffffffff')).toMatchObject({ exit: 1, code: 'unknown-id' });
    expect(refusal(at, 'recover')).toMatchObject({ exit: 2, code: 'usage' });
    expect(refusal(at, 'recover', start, '--continue')).toMatchObject({ exit: 2, code: 'usage' });
    expect(refusal(at, 'recover', '--continue')).toMatchObject({ exit: 1, code: 'nothing-to-recover' });
    expect(refusal(at, 'recover', '--abort')).toMatchObject({ exit: 1, code: 'nothing-to-recover' });
  });
});
