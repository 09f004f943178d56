import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WarmWorkspace } from '../../src/daemon/warm-workspace.ts';
import { createCheckpoint, hasToPin } from '../../src/engine/index.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, repositoryScene } from '../support/scene.ts';
import { until } from './processes.ts';

/** Long enough for what is to be seen not to happen. */
const A_MOMENT = 500;

test('[GIT-2] objects of git are kept while something else is written, and neither stands in the way of the other', async () => {
  const at = repositoryScene();
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'RETAKE_HOME']) vi.stubEnv(name, at.retake.env[name]);
  onTestFinished(() => void vi.unstubAllEnvs());
  put(at.workspace, 'a.txt', 'a\n');
  commitAll(at.workspace);
  const said: string[] = [];
  const kept = await WarmWorkspace.open(at.workspace, (line) => void said.push(line));
  try {
    await kept.run((workspace) => createCheckpoint(workspace, {}));
    expect(hasToPin(kept.workspace)).toBe(true);
    const commit = gitIn(at.workspace, 'rev-parse', 'HEAD').trim();
    const isHeld = (): boolean => {
      try {
        return gitIn(join(kept.workspace.data, 'held.git'), 'cat-file', '-t', commit).trim() === 'commit';
      } catch {
        return false;
      }
    };
    // One that takes long: meanwhile the commit is copied.
    await kept.run((workspace) =>
      workspace.write(async () => {
        await until(isHeld);
        await sleep(A_MOMENT);
      }),
    );
    await until(() => said.length > 0 || !hasToPin(kept.workspace));
    expect(said).toEqual([]);
  } finally {
    await kept.close();
  }
});
