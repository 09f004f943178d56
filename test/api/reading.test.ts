import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApi } from '../../src/api/index.ts';
import { forked, forkScene } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { randomFrom } from '../support/random.ts';
import { commitAll, gitState, put, type Scene, storeOf } from '../support/scene.ts';
import { readLive } from './generated/live.ts';
import { generate, operationsOf } from './generated/requests.ts';
import { serve } from './served.ts';

/** All that a request could change for somebody: files, the repository, what is recorded, and the settings. */
const everything = (at: Scene) => ({
  files: observeWorkspace(at.workspace),
  git: gitState(join(at.workspace, '.git')),
  recorded: gitIn(storeOf(at), 'for-each-ref'),
  settings: existsSync(join(at.retake.home, 'settings.json')) && readFileSync(join(at.retake.home, 'settings.json'), 'utf8'),
});

test('[SEC] no GET changes anything, neither files nor git nor what is recorded', async () => {
  const at = forkScene();
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'README.md', 'first\n');
  commitAll(at.workspace, 'first');
  await forked(at);
  const served = serve(at);
  const document = JSON.parse(JSON.stringify(openApi('1')));
  const live = readLive(served);
  // A change that nobody has recorded yet, and that looking at the present finds.
  put(at.workspace, 'mine.txt', 'mine\n');
  const before = everything(at);
  const answered = new Map<string, number>();
  const chance = randomFrom(9);
  for (const operation of operationsOf(document).filter(({ method }) => method === 'GET')) {
    // Some need several things at once that belong together, and chance does not lead there soon.
    for (let round = 0; round < 8 || (round < 80 && !answered.has(operation.name)); round++) {
      const { target, init } = generate(operation, true, { chance, live, schemas: document.components.schemas });
      const response = await served.signed(target, init);
      if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel();
      else await response.arrayBuffer();
      if (response.ok) answered.set(operation.name, (answered.get(operation.name) ?? 0) + 1);
    }
  }
  expect(everything(at)).toEqual(before);
  expect(operationsOf(document).filter(({ method, name }) => method === 'GET' && !answered.has(name))).toEqual([]);
  expect(served.faults).toEqual([]);
});
