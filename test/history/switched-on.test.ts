import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlayedSession } from '../conversation/played-session.ts';
import { until } from '../daemon/support.ts';
import { edit, git, headlines, keep, keepScene, write } from '../keep/kept.ts';
import { dataOf, type Scene } from '../support/scene.ts';
import { leftFor } from './branch-mode.ts';

const OLD = [1, 2, 3, 4, 5, 6].map((number) => `old-${number}.txt`);

const setMode = (at: Scene, mode: 'branch' | 'private') => at.retake.json(at.workspace, 'settings', 'history.mode', mode);

const filesOf = (at: Scene, commit: string): string[] => git(at, 'show', '--format=', '--name-only', commit).trim().split('\n');

/** Waits for one commit more; others that should not be there do not make it wait forever. */
const commitAfter = async (at: Scene, work: () => Promise<void>): Promise<void> => {
  const before = headlines(at).length;
  await work();
  await until(() => headlines(at).length > before && !existsSync(join(dataOf(at), 'keep.json')));
};

const committedEdit = (at: Scene, session: PlayedSession, path: string, content: string): Promise<void> =>
  commitAfter(at, () => edit(at, session, path, content));

/** Some steps with nothing of theirs in git: more than become commits of their own at one time. */
const privateSteps = async (env: Record<string, string> = {}) => {
  const prepare = (at: Scene) => {
    git(at, 'config', 'user.name', 'Person');
    git(at, 'config', 'user.email', 'person@example.invalid');
  };
  const made = await keepScene({ 'a.txt': 'a\n' }, { env, prepare });
  await made.session.prompt('work in private');
  for (const path of OLD) await edit(made.at, made.session, path, 'old\n');
  return made;
};

test.each([
  ['without a daemon', 'false'],
  ['by the daemon', 'true'],
])('[GIT-1] switched on later, commits begin with what comes after the switch, %s', async (_, daemon) => {
  const { at, session } = await privateSteps({ RETAKE_DAEMON_ENABLED: daemon });
  setMode(at, 'branch');
  await committedEdit(at, session, 'new-1.txt', 'new\n');
  await committedEdit(at, session, 'new-2.txt', 'new\n');
  expect(headlines(at)).toEqual(['begin', 'Claude Code [Write]: Write new-1.txt', 'Claude Code [Write]: Write new-2.txt']);
  expect([filesOf(at, 'HEAD~1'), filesOf(at, 'HEAD')]).toEqual([['new-1.txt'], ['new-2.txt']]);
  expect(at.retake.json(at.workspace, 'status').history).toEqual({ mode: 'branch', batch: 'step', left: null });
  await session.answer('done');
  // What came before is still the person's to keep.
  keep(at);
  expect(git(at, 'show', '--format=', '--name-only').trim().split('\n')).toEqual(['new-1.txt', 'new-2.txt', ...OLD]);
});

test('[GIT-1] a step that ends after the switch is committed; after a pause in private mode, commits begin anew', async () => {
  const { at, session } = await privateSteps();
  const end = await session.begin('Bash', { command: 'make' });
  setMode(at, 'branch');
  write(at, 'made.txt', 'made\n');
  await commitAfter(at, end);
  setMode(at, 'private');
  await edit(at, session, 'pause.txt', 'pause\n');
  setMode(at, 'branch');
  await committedEdit(at, session, 'again.txt', 'again\n');
  expect([filesOf(at, 'HEAD~1'), filesOf(at, 'HEAD')]).toEqual([['made.txt'], ['again.txt']]);
});

test('[GIT-1] a step that builds on one from before the switch waits, and the status says why', async () => {
  const { at, session } = await privateSteps();
  setMode(at, 'branch');
  await edit(at, session, 'old-1.txt', 'changed\n');
  await leftFor(at, /old-1\.txt builds on changes that are not committed/);
  await committedEdit(at, session, 'new.txt', 'new\n');
  expect(filesOf(at, 'HEAD')).toEqual(['new.txt']);
});
