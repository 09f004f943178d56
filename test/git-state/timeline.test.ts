import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';

/** A session in a repository with one commit. */
const session = async (): Promise<{ at: Scene; agent: PlayedSession }> => {
  const at = forkScene();
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'file.txt', 'one\n');
  commitAll(at.workspace, 'first');
  const agent = new PlayedSession(at);
  await agent.start();
  await agent.prompt('work with git');
  return { at, agent };
};

const bash = (agent: PlayedSession, command: string, run: () => void): Promise<void> => agent.step('Bash', { command }, run);

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const logOf = ({ workspace, retake }: Scene): any[] => retake.json(workspace, 'log').operations.toReversed();

const newsOf = (at: Scene): string[] =>
  logOf(at).flatMap(({ kind, git }) => (git?.news ?? []).map((news: string) => `${kind}: ${news.replaceAll(/[0-9a-f]{10}/g, 'ID')}`));

test("[GIT-8] [CKP-2] the agent's own git commands show in the timeline, also those that change no file", async () => {
  const { at, agent } = await session();
  const { workspace } = at;
  const git = (...args: string[]) => bash(agent, `git ${args.join(' ')}`, () => void gitIn(workspace, ...args));
  await agent.step('Edit', { file_path: join(workspace, 'file.txt') }, () => void put(workspace, 'file.txt', 'two\n'));
  await git('add', 'file.txt');
  await git('commit', '-qm', 'second');
  await git('checkout', '-q', '-b', 'feature');
  await git('commit', '-q', '--amend', '-m', 'better');
  await git('reset', '-q', '--hard', 'main~1');
  await bash(agent, 'git stash', () => {
    put(workspace, 'file.txt', 'three\n');
    gitIn(workspace, 'stash', '-q');
  });
  await git('stash', 'drop', '-q');
  await agent.answer('done');
  expect(newsOf(at)).toEqual([
    'after-step: git commit ID second',
    'after-step: HEAD moved main → feature',
    'after-step: git commit --amend ID better',
    'after-step: git reset to ID',
    'after-step: git reset to ID',
    'after-step: git stash',
    'after-step: git stash: the last one is gone',
  ]);
  const staging = logOf(at).find(({ description }) => description.includes('git add'));
  expect(staging).toMatchObject({ files: { changed: 0 }, git: { staged: { count: 1, paths: ['file.txt'] } } });
  expect(logOf(at).at(-1).git).toMatchObject({ branch: 'feature', staged: { count: 0 } });
});

test("[GIT-8] [CKP-1] what the person does with git between two steps is not the agent's", async () => {
  const { at, agent } = await session();
  const { workspace } = at;
  await agent.step('Edit', { file_path: join(workspace, 'file.txt') }, () => void put(workspace, 'file.txt', 'two\n'));
  commitAll(workspace, 'by the person');
  await agent.step('Edit', { file_path: join(workspace, 'file.txt') }, () => void put(workspace, 'file.txt', 'three\n'));
  expect(newsOf(at)).toEqual(['before-step: git commit ID by the person']);
});

test('[CKP-5] git status, which touches the index and stages nothing, makes no record', async () => {
  const { at, agent } = await session();
  const { workspace } = at;
  const before = logOf(at).length;
  await bash(agent, 'git status', () => {
    put(workspace, 'file.txt', 'one\n');
    gitIn(workspace, 'status');
  });
  expect(logOf(at)).toHaveLength(before);
});

test('[GIT-8] without a reflog, HEAD tells that it moved', async () => {
  const { at, agent } = await session();
  const { workspace } = at;
  gitIn(workspace, 'config', 'core.logAllRefUpdates', 'false');
  await bash(agent, 'rm -r .git/logs; git checkout -b other', () => {
    gitIn(workspace, 'reflog', 'expire', '--expire=now', '--all');
    gitIn(workspace, 'checkout', '-q', '-b', 'other');
  });
  expect(newsOf(at).at(-1)).toBe('after-step: HEAD moved main → other');
});
