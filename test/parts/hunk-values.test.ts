import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  hunksOf,
  limitRequestToHunks,
  previewRollback,
  type RollbackRequest,
  resolveRewind,
  rollBack,
  Workspace,
} from '../../src/engine/index.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { content, lines, PLACES, parted } from './parted.ts';

interface Chosen extends Scene {
  readonly store: Workspace;
  readonly request: RollbackRequest;
}

/** Hunk 2 of `b.txt` was chosen, and told to another process. */
const chosen = async (): Promise<Chosen> => {
  const at = parted(scene());
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const store = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => store.close());
  const request = resolveRewind(store, at.id);
  const plan = await previewRollback(store, request);
  const hunks = plan.steps.flatMap((step) => hunksOf(store, plan, step)).filter(({ path, number }) => path === 'b.txt' && number === 2);
  expect(hunks).toHaveLength(1);
  return { ...at, store, request: JSON.parse(JSON.stringify(limitRequestToHunks(request, hunks))) };
};

test.each<[string, (at: Scene) => unknown]>([
  ['its own lines', (at) => put(at.workspace, 'b.txt', lines(PLACES).replace('changed 20', 'changed 20 again'))],
  ['the lines around it', (at) => put(at.workspace, 'b.txt', lines([...PLACES, 22]))],
  ['where it is', (at) => put(at.workspace, 'b.txt', `more\n${lines(PLACES)}`)],
  ['lines above it', (at) => put(at.workspace, 'b.txt', lines(PLACES).replace('line 5\n', ''))],
  ['all there was of it', (at) => put(at.workspace, 'b.txt', lines())],
  ['the file, to binary', (at) => put(at.workspace, 'b.txt', `\0${lines(PLACES)}`)],
  ['the file, which is gone', (at) => rmSync(join(at.workspace, 'b.txt'))],
])('[RST-8] a chosen hunk is refused by its name when there changed since: %s', async (_, change) => {
  const at = await chosen();
  change(at);
  const before = observeWorkspace(at.workspace, { mtimes: true });
  await expect(rollBack(at.store, at.request)).rejects.toMatchObject({
    code: 'workspace-moved',
    message: expect.stringContaining('b.txt -17,7 +17,7'),
    details: { hunks: [{ path: 'b.txt', oldStart: 17, oldLines: 7, newStart: 17, newLines: 7, digest: expect.any(String) }] },
  });
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[RST-8] a chosen hunk is taken when only something behind it changed, and that stays', async () => {
  const at = await chosen();
  put(at.workspace, 'b.txt', lines([...PLACES, 30]));
  await rollBack(at.store, at.request);
  expect(content(at, 'b.txt')).toBe(lines([3, 30, 38]));
});

test('[RST-8] the plan that was shown for hunks is the one that is carried out, or none', async () => {
  const at = await chosen();
  const shown = await previewRollback(at.store, at.request);
  put(at.workspace, 'b.txt', lines([...PLACES, 30]));
  await expect(rollBack(at.store, at.request, { shown })).rejects.toMatchObject({ code: 'workspace-moved' });
  expect(content(at, 'b.txt')).toBe(lines([...PLACES, 30]));
  await rollBack(at.store, at.request, { shown: await previewRollback(at.store, at.request) });
  expect(content(at, 'b.txt')).toBe(lines([3, 30, 38]));
});
