import { expect, test } from 'vitest';
import type { Scene } from '../support/scene.ts';
import { edit, keep, keepScene } from './kept.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const session = (at: Scene): any => at.retake.json(at.workspace, 'sessions').sessions[0];

test('[GIT-4] a session is active, kept, rolled back, or partially recovered', async () => {
  const { at, session: played } = await keepScene();
  expect(session(at)).toMatchObject({ status: 'active', work: { steps: 0, kept: 0, rolledBack: 0, recovered: 0 } });
  await played.prompt('first');
  await edit(at, played, 'b.txt', 'b\n');
  await edit(at, played, 'c.txt', 'c\n');
  expect(session(at)).toMatchObject({ status: 'active', work: { steps: 2, kept: 0, rolledBack: 0, recovered: 0 } });
  at.retake.json(at.workspace, 'discard', '--yes');
  expect(session(at)).toMatchObject({ status: 'rolled-back', work: { steps: 2, rolledBack: 2 } });
  expect(at.retake.run(at.workspace, 'sessions').stdout).toContain('rolled back');
  const { operations } = at.retake.json(at.workspace, 'log');
  const [step] = operations.filter(({ kind }: { kind: string }) => kind === 'after-step');
  at.retake.json(at.workspace, 'recover', step.id, '--yes');
  expect(session(at)).toMatchObject({ status: 'partially-recovered', work: { steps: 2, rolledBack: 1, recovered: 1 } });
  keep(at);
  expect(session(at).work).toEqual({ steps: 2, kept: 1, rolledBack: 1, recovered: 1 });
});

test('[GIT-4] what was kept stays kept, until there is more', async () => {
  const { at, session: played } = await keepScene();
  await played.prompt('first');
  await edit(at, played, 'b.txt', 'b\n');
  await edit(at, played, 'a.txt', 'one\n');
  keep(at);
  expect(session(at)).toMatchObject({ status: 'kept', work: { steps: 2, kept: 2, rolledBack: 0, recovered: 0 } });
  await edit(at, played, 'b.txt', 'bb\n');
  expect(session(at)).toMatchObject({ status: 'active', work: { steps: 3, kept: 2 } });
});

test('[GIT-4] its summary tells what it came to, and offers keep, discard and later', async () => {
  const { at, session: played } = await keepScene();
  await played.prompt('first');
  await edit(at, played, 'b.txt', 'b\n');
  await edit(at, played, 'b.txt', 'b\nbb\n');
  await edit(at, played, 'a.txt', 'one\nthree\n');
  await played.answer('done');
  await played.end();
  const report = at.retake.json(at.workspace, 'sessions', played.id.slice(0, 8));
  expect(report).toMatchObject({ id: played.id, state: 'ended', turns: 1, steps: 3, files: 2, insertions: 2, deletions: 1 });
  expect(report.choices).toEqual({
    keep: `retake keep --session ${played.id}`,
    discard: `retake discard --session ${played.id}`,
    later: `retake sessions ${played.id}`,
  });
  const shown = at.retake.run(at.workspace, 'sessions', played.id).stdout;
  for (const words of ['1 turn, 3 steps, 2 files +2 -1', ...Object.values<string>(report.choices)]) expect(shown).toContain(words);
  keep(at, '--session', played.id);
  expect(at.retake.json(at.workspace, 'sessions', played.id)).toMatchObject({ status: 'kept', choices: null });
  expect(at.retake.run(at.workspace, 'sessions', 'nobody', '--json').json.error.code).toBe('unknown-id');
});
