import { expect } from 'vitest';
import type { DaemonStatus, WatchedWorkspace } from '../../src/daemon/protocol.ts';
import { retakeIn } from '../support/cli.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { operationsOf } from './claude-code.ts';
import { ask, until } from './support.ts';

export const prompts = (at: Scene): string[] => operationsOf(at).map(({ description }) => description);

/** What a process finds that has no memory of the workspace. */
const treeNow = ({ workspace }: Scene): string => retakeIn(temporaryDirectory()).json(workspace, 'checkpoint').tree.split('.')[0];

/** The newest record is the workspace as it is now, to the last bit. */
export const expectExact = (at: Scene): void => expect(operationsOf(at).at(-1)?.files).toBe(treeNow(at));

/** A daemon that makes room for its successor does not answer. */
export const lookAt = async (at: Scene): Promise<DaemonStatus> => {
  let found: DaemonStatus | undefined;
  await until(async () => {
    found = (await ask(at, { verb: 'status' }))?.result;
    return found;
  });
  return found as DaemonStatus;
};

export const watched = async (at: Scene, root = at.workspace): Promise<WatchedWorkspace | undefined> =>
  (await lookAt(at)).workspaces.find((one) => one.root === root);

export const untilWatched = (at: Scene): Promise<void> => until(async () => (await watched(at))?.tier === 'journal');
