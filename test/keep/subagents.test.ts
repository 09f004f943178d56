import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlayedSession, Subagent } from '../conversation/played-session.ts';
import { branchScene, commits } from '../history/branch-mode.ts';
import type { Scene } from '../support/scene.ts';
import { edit, git, keep, keepScene, write } from './kept.ts';

const EXPLORER: Subagent = { agent_id: 'a1f0', agent_type: 'Explore' };
const TESTER: Subagent = { agent_id: 'b2e9', agent_type: 'test-writer' };

const editBy = (agent: Subagent, at: Scene, session: PlayedSession, path: string): Promise<void> =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => write(at, path, `${path}\n`), agent);

/** What the trailers of a commit say of the agents that made it. */
const agentsIn = (at: Scene, commit = 'HEAD'): string[] =>
  git(at, 'log', '-1', '--format=%(trailers:only)', commit)
    .split('\n')
    .filter((line) => line.startsWith('Agent'));

const ALL = ['Agent: Claude Code', 'Agent-Id: a1f0', 'Agent-Id: b2e9', 'Agent-Type: Explore', 'Agent-Type: test-writer'];

/** A turn of the agent itself and of two subagents. */
const workTogether = async (at: Scene, session: PlayedSession): Promise<void> => {
  await session.prompt('Work together');
  await edit(at, session, 'own.txt', 'own\n');
  await editBy(EXPLORER, at, session, 'explored.txt');
  await editBy(EXPLORER, at, session, 'more.txt');
  await editBy(TESTER, at, session, 'tested.txt');
  await session.answer('done');
};

test('[GIT-3] keep names the subagents and their types, also when the work was recovered', async () => {
  const { at, session } = await keepScene();
  await workTogether(at, session);
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  at.retake.json(at.workspace, 'recover', 't1', '--yes');
  keep(at);
  expect(agentsIn(at)).toEqual(ALL);
  await session.prompt('Work alone');
  await edit(at, session, 'own.txt', 'alone\n');
  keep(at);
  expect(agentsIn(at)).toEqual(['Agent: Claude Code']);
});

test('[GIT-3] so does a commit for each step', async () => {
  const { at, session } = await branchScene();
  await workTogether(at, session);
  await commits(at, 5);
  expect(agentsIn(at)).toEqual(['Agent: Claude Code', 'Agent-Id: b2e9', 'Agent-Type: test-writer']);
  expect(agentsIn(at, 'HEAD~1')).toEqual(['Agent: Claude Code', 'Agent-Id: a1f0', 'Agent-Type: Explore']);
  expect(agentsIn(at, 'HEAD~3')).toEqual(['Agent: Claude Code']);
});

test('[GIT-6] [GIT-5] so do recovered commits, and the recovery branch of a step', async () => {
  const { at, session } = await keepScene();
  await workTogether(at, session);
  const steps = at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'after-step');
  at.retake.json(at.workspace, 'branch', steps[0].id, 'saved');
  expect(agentsIn(at, 'saved')).toEqual(['Agent: Claude Code', 'Agent-Id: b2e9', 'Agent-Type: test-writer']);
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  at.retake.json(at.workspace, 'recover', 't1', '--commit', '--yes');
  expect(agentsIn(at)).toEqual(ALL);
});
