import { expect, test } from 'vitest';
import { branchScene, commits } from '../history/branch-mode.ts';
import { edit, git, keepScene } from '../keep/kept.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';

interface Left {
  readonly id: string;
  readonly description: string;
  readonly name: string | null;
  readonly note: string | null;
}

const planOf = (at: Scene, ...line: string[]) => {
  const plan = at.retake.json(at.workspace, ...line, '--dry-run');
  const { steps, checkpoints } = plan.leavesBehind as { steps: Left[]; checkpoints: Left[] };
  return {
    plan,
    steps: steps.map(({ description }) => description),
    marked: checkpoints.map(({ name, note }) => [name, note]),
  };
};

const shown = (at: Scene, ...line: string[]): string => at.retake.run(at.workspace, ...line, '--dry-run').stdout;

/** Two turns of two steps each, with a named checkpoint and a note between them. */
const worked = async () => {
  const { at, session } = await keepScene({ 'a.txt': 'begin\n' });
  await session.prompt('first');
  for (const name of ['b', 'c']) await edit(at, session, `${name}.txt`, `${name}\n`);
  await session.answer('done');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'good so far', '--note', 'all tests pass');
  await session.prompt('second');
  for (const name of ['d', 'e']) await edit(at, session, `${name}.txt`, `${name}\n`);
  await session.answer('done');
  return { at, session };
};

test('[RST-1] a plan names the steps that it leaves behind, and the checkpoints with a name or a note', async () => {
  const { at } = await worked();
  expect(planOf(at, 'rewind', 't2')).toMatchObject({ steps: ['Write e.txt', 'Write d.txt'], marked: [] });
  const { plan, steps, marked } = planOf(at, 'rewind', 't1');
  expect(steps).toEqual(['Write e.txt', 'Write d.txt', 'Write c.txt', 'Write b.txt']);
  expect(marked).toEqual([['good so far', 'all tests pass']]);
  expect(plan.leavesBehind.steps[0]).toMatchObject({ tool: 'Write', agentId: null });
  const text = shown(at, 'rewind', 't1');
  expect(text).toMatch(/^Leaves behind 4 steps:\n {2}\w+ {2}Write e\.txt\n/m);
  expect(text).toMatch(/^Leaves behind 1 checkpoint with a name or a note:\n {2}\w+ {2}good so far {2}“all tests pass”$/m);
  // So is what was noted on where it goes.
  expect(shown(at, 'rewind', 'good so far')).toMatch(/^Rewind to .*good so far.*\n {2}“all tests pass”$/m);
  expect(planOf(at, 'rewind', 'good so far').plan.note).toBe('all tests pass');
  expect(plan.note).toBeNull();
  // What was done says the same as the plan did.
  expect(at.retake.json(at.workspace, 'rewind', 't1', '--yes').leavesBehind).toEqual(plan.leavesBehind);
});

test('[RST-1] what is rolled back already is not left again, and what is brought back is', async () => {
  const { at, session } = await worked();
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  expect(planOf(at, 'rewind', 't1').steps).toEqual(['Write c.txt', 'Write b.txt']);
  expect(planOf(at, 'undo').steps).toEqual([]);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(planOf(at, 'redo').steps).toEqual(['Write e.txt', 'Write d.txt']);
  // The conversation alone leaves no code behind, and a single path no step as a whole.
  expect(planOf(at, 'rewind', 't1', '--scope', 'conversation')).toMatchObject({ steps: [], marked: [] });
  expect(planOf(at, 'rewind', 't1', '--path', 'b.txt')).toMatchObject({ steps: [], marked: [] });
  // With the work of one turn taken out, all else stays.
  expect(planOf(at, 'revert', 't1')).toMatchObject({ steps: ['Write c.txt', 'Write b.txt'], marked: [] });
  expect(planOf(at, 'discard').steps).toHaveLength(4);
  put(at.workspace, 'mine.txt', 'mine\n');
  await session.prompt('third');
  for (let step = 0; step < 12; step++) await edit(at, session, 'many.txt', `${step}\n`);
  expect(planOf(at, 'rewind', 't3', '--keep-mine').steps).toHaveLength(12);
  expect(shown(at, 'rewind', 't3')).toMatch(
    /^Leaves behind 12 steps:\n(?: {2}\w+ {2}Write many\.txt\n){10} {2}and 2 more; --json lists all$/m,
  );
});

test('[GIT-2] the commits that no branch leads to any more are named', async () => {
  const { at, session } = await keepScene({ 'a.txt': 'begin\n' });
  await session.prompt('work');
  put(at.workspace, 'a.txt', 'one\n');
  commitAll(at.workspace, 'First of two\n\nwith a reason');
  put(at.workspace, 'a.txt', 'two\n');
  commitAll(at.workspace, 'Second of two');
  const { plan } = planOf(at, 'rewind', 't1', '--git');
  const [second, first] = git(at, 'rev-list', '-2', 'HEAD').trim().split('\n');
  expect(plan.git).toMatchObject({
    commitsLeftBehind: 2,
    leftBehind: [
      { id: second, headline: 'Second of two' },
      { id: first, headline: 'First of two' },
    ],
  });
  expect(shown(at, 'rewind', 't1', '--git')).toMatch(
    /^2 commits left on no branch.*\n {2}\w{10} {2}Second of two\n {2}\w{10} {2}First of two$/m,
  );
});

test('[GIT-1] so are the commits of steps that go from the branch', async () => {
  const { at, session } = await branchScene();
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await commits(at, 2);
  const { plan, steps } = planOf(at, 'rewind', 't1');
  expect(steps).toEqual(['Write b.txt']);
  expect(plan.git.leftBehind).toMatchObject([{ headline: 'Claude Code [Write]: Write b.txt' }]);
});
