import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LoadRunner } from '../../src/cli/picker/load-runner.ts';
import type { PendingLoad } from '../../src/cli/picker/pending-loads.ts';
import { prepare } from '../../src/cli/picker/prepare.ts';
import type { Answer } from '../../src/cli/picker/receive.ts';
import { createCheckpoint, Workspace } from '../../src/engine/index.ts';
import { put, scene } from '../support/scene.ts';

/** A workspace at its second state, the wish to bring the first one back, and whoever does it, with what is answered. */
const readyToWork = async () => {
  const at = scene();
  for (const [name, value] of Object.entries({ RETAKE_HOME: at.retake.home, RETAKE_DAEMON_ENABLED: 'false' })) {
    process.env[name] = value;
    onTestFinished(() => void delete process.env[name]);
  }
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => workspace.close());
  const file = put(at.workspace, 'file', '1');
  const { checkpoint } = await createCheckpoint(workspace, {});
  put(at.workspace, 'file', '2');
  const order = { do: 'rewind', target: checkpoint.id, scope: 'code', keepMine: null, onConflict: null, only: null } as const;
  const prepared = await prepare(workspace, order, { onScan: () => {}, onApply: () => {} });
  const answers: Answer[] = [];
  const runner = new LoadRunner(workspace, { session: undefined, onAnswer: (answer) => answers.push(answer), onProgress: () => {} });
  const work = (isStopping: boolean): PendingLoad => ({ is: 'work', name: 'work', prepared, isStopping });
  return { runner, work, answers, content: () => readFileSync(file, 'utf8') };
};

test('[UI-2] work is done where it is wished for', async () => {
  const { runner, work, answers, content } = await readyToWork();
  runner.want([work(false)]);
  await expect.poll(() => answers).toMatchObject([{ came: { value: { rollback: expect.any(String) } } }]);
  expect(content()).toBe('1');
});

test('[UI-2] work that somebody ends before it began is not done, and they are told', async () => {
  const { runner, work, answers, content } = await readyToWork();
  runner.want([work(false)]);
  runner.want([work(true)]);
  await expect.poll(() => answers).toMatchObject([{ came: { failure: { code: 'interrupted' } } }]);
  expect(content()).toBe('2');
});

test('[UI-2] nothing begins any more when the picker is closed', async () => {
  const { runner, work, answers, content } = await readyToWork();
  runner.want([work(false)]);
  await runner.close();
  await nextTurn();
  await runner.close();
  expect(answers).toEqual([]);
  expect(content()).toBe('2');
});
