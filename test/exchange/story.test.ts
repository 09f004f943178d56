import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCheckpoint, importSession, readLog } from '../../src/engine/index.ts';
import { isCheckpoint, type OperationId, stateName } from '../../src/model/index.ts';
import { refused, Stage, stage } from '../attribution/stage.ts';
import fc, { runs } from '../support/property.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { exportOf } from './exported.ts';
import { attributed, Player } from './player.ts';

const LONG = 1_800_000;
const RUNS = runs(4, 12);

/** What is told of a session's records: what changed, whose doing it was, what became of it. */
const storyOf = ({ workspace }: Stage, session: string): object[] =>
  readLog(workspace)
    .filter(({ operation }) => operation.session === session)
    .map(({ operation, owners, stepStatus: standing, ...told }) => ({
      ...told,
      kind: operation.kind,
      description: operation.description.replaceAll(/[0-9a-f]{10}/g, 'ID'),
      state: operation.state && stateName(operation.state),
      owners: owners?.map(({ id, ...owner }) => owner),
      standing: standing?.state,
      ...(isCheckpoint(operation) ? { event: { ...operation.event?.place, turn: operation.event?.turn } } : {}),
    }));

const elsewhere = async (file: string): Promise<Stage> => {
  const other = await Stage.open(temporaryDirectory());
  await importSession(other.workspace, { file, directory: '/' });
  return other;
};

test('[STO-4] whatever two agents and a person did, what is told of a session is the same where it is imported', {
  timeout: LONG,
}, async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  await fc.assert(
    fc.asyncProperty(fc.array(attributed, { minLength: 4, maxLength: 16 }), async (attributedChanges) => {
      const player = await Player.begin();
      for (const one of attributedChanges) await player.play(one);
      const there = await elsewhere(await exportOf(player.stage, 'session-a'));
      expect(storyOf(there, 'session-a')).toEqual(storyOf(player.stage, 'session-a'));
      there.workspace.close();
      player.close();
    }),
    { numRuns: RUNS },
  );
});

test('[STO-4] steps of another session that ran beside its own come along, so that both are known to share a change', async () => {
  const at = await stage((root) => put(root, 'shared', 'begin\n'));
  const [one, two] = [at.actor('one'), at.actor('two')];
  await one.prompt('for one');
  await two.prompt('for two');
  const endTwo = await two.begin();
  await one.step(() => put(at.root, 'shared', 'changed\n'));
  put(at.root, 'more', 'by two\n');
  await endTwo();
  const there = await elsewhere(await exportOf(at, 'one'));
  const story = storyOf(there, 'one');
  expect(story).toEqual(storyOf(at, 'one'));
  expect(story[0]).toMatchObject({ kind: 'after-step', by: 'agent', owners: [{}, {}] });
  there.workspace.close();
});

test('[STO-4] what left a session behind and what came back to it since come along, whoever did both', async () => {
  const at = await stage((root) => put(root, 'file', 'begin\n'));
  const byHand = async (name: string): Promise<OperationId> => (await createCheckpoint(at.workspace, { name })).checkpoint.id;
  const one = at.actor('one');
  await one.prompt('for one');
  const before = await byHand('before');
  await one.step(() => put(at.root, 'file', 'changed\n'));
  const after = await byHand('after');
  const standings = async (): Promise<unknown[]> => {
    const there = await elsewhere(await exportOf(at, 'one'));
    const story = storyOf(there, 'one');
    there.workspace.close();
    expect(story).toEqual(storyOf(at, 'one'));
    return story.flatMap((told) => ('standing' in told && told.standing !== undefined ? [told.standing] : []));
  };
  await at.rewind(before);
  expect(await standings()).toEqual(['recoverable']);
  await at.rewind(after);
  expect(await standings()).toEqual(['on-branch']);
  await at.rewind(before);
  expect(await standings()).toEqual(['recoverable']);
});

test('[STO-4] [GIT-6] [RST-10] work here goes on from an imported state, its steps can be recovered here, and the way back is known', async () => {
  const at = await stage((root) => put(root, 'file', 'one\ntwo\nthree\n'));
  const actor = at.actor('far');
  await actor.prompt('there');
  await actor.step(() => put(at.root, 'file', 'one\nTWO\nthree\n'), { file: 'file' });
  const there = await Stage.open(temporaryDirectory(), (root) => put(root, 'file', 'one\ntwo\nthree\nhere\n'));
  const near = there.actor('near');
  const prompt = await near.prompt('here');
  await importSession(there.workspace, { file: await exportOf(at, 'far'), directory: '/' });
  const imported = readLog(there.workspace).flatMap(({ operation }) => (operation.imported === undefined ? [] : [operation]));
  const step = imported.find(({ kind }) => kind === 'after-step')?.id as OperationId;
  const read = (): string => readFileSync(join(there.root, 'file'), 'utf8');

  await there.recover(step);
  expect(read()).toBe('one\nTWO\nthree\nhere\n');
  await there.undo();
  expect(read()).toBe('one\ntwo\nthree\nhere\n');
  expect(await refused(there.discard('far'))).toMatchObject({ code: 'imported' });
  expect(await refused(there.revert(step))).not.toBeNull();
  expect(read()).toBe('one\ntwo\nthree\nhere\n');

  await there.rewind(step);
  expect(read()).toBe('one\nTWO\nthree\n');
  await near.prompt('go on');
  await near.step(() => put(there.root, 'file', 'one\nTWO\nTHREE\n'), { file: 'file' });
  put(there.root, 'mine', 'by hand\n');
  const before = there.look();
  await there.keepMine(prompt.id);
  expect(read()).toBe('one\ntwo\nthree\nhere\n');
  expect(readFileSync(join(there.root, 'mine'), 'utf8')).toBe('by hand\n');
  await there.undo();
  expect(there.look()).toEqual(before);
  there.workspace.close();
});
