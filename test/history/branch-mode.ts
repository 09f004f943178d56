import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlayedSession } from '../conversation/played-session.ts';
import { until } from '../daemon/support.ts';
import { edit, git, headlines, keepScene } from '../keep/kept.ts';
import { dataOf, type Scene } from '../support/scene.ts';

type Options = Parameters<typeof keepScene>[1];

/** A repository with one commit and a session in it, each step of which becomes a commit. Its git knows the person by its configuration. */
export const branchScene = (files?: Readonly<Record<string, string>>, { env, prepare }: Options = {}): ReturnType<typeof keepScene> =>
  keepScene(files, {
    env: { RETAKE_HISTORY_MODE: 'branch', ...env },
    prepare: (at) => {
      git(at, 'config', 'user.name', 'Person');
      git(at, 'config', 'user.email', 'person@example.invalid');
      prepare?.(at);
    },
  });

/** Commits are made when the agent has its answer already: waits until so many are there, and recorded. */
export const commits = (at: Scene, count: number): Promise<void> =>
  until(() => headlines(at).length === count && !existsSync(join(dataOf(at), 'keep.json')));

/** A step that changes a file, and its commit. */
export const committedEdit = async (at: Scene, session: PlayedSession, path: string, content: string): Promise<void> => {
  const before = headlines(at).length;
  await edit(at, session, path, content);
  await commits(at, before + 1);
};

/** Waits until the status tells why steps are in no commit. */
export const leftFor = async (at: Scene, reason: RegExp): Promise<void> =>
  until(() => reason.test(at.retake.json(at.workspace, 'status').history.left?.reason ?? ''));
