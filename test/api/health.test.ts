import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resetScene } from '../reflog/support.ts';
import { gitIn } from '../support/git.ts';
import { gitState, put, scene } from '../support/scene.ts';
import { refused } from './asked.ts';
import { serve } from './served.ts';

describe('health', () => {
  test('[GIT-7] [PRF-9] git, the store and how long things took, as the command line tells it; nothing is mended', async () => {
    const at = resetScene();
    gitIn(at.workspace, 'config', 'gc.reflogExpire', '1.day');
    for (const content of ['a', 'b']) {
      put(at.workspace, 'file', content);
      at.retake.json(at.workspace, 'checkpoint');
    }
    const served = serve(at);
    const before = gitState(join(at.workspace, '.git'));
    const log = at.retake.json(at.workspace, 'log');
    const health = await served.ask('getHealth');
    const told = at.retake.json(at.workspace, 'health');
    expect(health.git).toEqual({ ...told.git, checkedAt: expect.any(String) });
    expect(health.git).toMatchObject({ verdict: 'critical', retention: { reachable: 1 } });
    expect(health.store).toEqual({ ...told.store, checkedAt: expect.any(String) });
    expect(health.timings.operations).toContainEqual(expect.objectContaining({ kind: 'checkpoint', count: 2 }));
    expect(gitState(join(at.workspace, '.git'))).toEqual(before);
    expect(at.retake.json(at.workspace, 'log')).toEqual(log);
    expect(await refused(served.signed('/api/health?fix=true'))).toBe('400 bad-request');
    expect((await served.signed('/api/health', { method: 'POST' })).status).toBeGreaterThanOrEqual(400);
    expect(served.faults).toEqual([]);
  });

  test('[API] where nothing is recorded, and no repository, that is told, and nothing is made', async () => {
    const at = scene();
    const { ask, faults } = serve(at);
    const before = readdirSync(at.retake.home, { recursive: true });
    expect(await ask('getHealth')).toEqual({ git: null, store: null, timings: { since: null, operations: [] }, slow: [] });
    expect(readdirSync(at.retake.home, { recursive: true })).toEqual(before);
    expect(faults).toEqual([]);
  });
});
