import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFile, dropEntries, logFile, resetScene, startSession } from '../reflog/support.ts';
import { gitIn } from '../support/git.ts';
import { gitState, scene } from '../support/scene.ts';
import { post, refused } from './asked.ts';
import { serve } from './served.ts';

test('[GIT-7] [SEC-5] health is fixed over HTTP only as it was shown', async () => {
  const at = resetScene();
  at.retake.json(at.workspace, 'checkpoint');
  gitIn(at.workspace, 'config', 'gc.reflogExpire', '1.day');
  const served = serve(at);
  const before = gitState(join(at.workspace, '.git'));
  const plan = await served.ask('fixHealth', { body: { dryRun: true } });
  expect(plan.changed).toContainEqual({ key: 'gc.reflogExpire', before: '1.day', after: '180.days' });
  expect(at.retake.json(at.workspace, 'health', '--fix', '--dry-run')).toEqual(plan);
  const unshown = await post(served, '/api/health/fix', {});
  expect([unshown.json.error.code, unshown.json.error.details.plan]).toEqual(['needs-confirmation', plan]);
  expect(await refused(post(served, '/api/health/fix', { expected: 'another' }))).toBe('409 workspace-moved');
  expect(await refused(served.signed('/api/health/fix'))).toMatch(/^40[45] /);
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);
  const fixed = await served.ask('fixHealth', { body: { expected: plan.expected } });
  expect(fixed).toMatchObject({ changed: plan.changed, overriding: [], verdict: 'good' });
  expect(gitIn(at.workspace, 'config', 'gc.reflogExpire').trim()).toBe('180.days');
  expect((await served.ask('fixHealth', { body: { dryRun: true } })).changed).toEqual([]);
  expect(served.faults).toEqual([]);
});

test('[GIT-7] [SEC-5] entries of reflogs come back over HTTP only as they were shown', async () => {
  const at = resetScene();
  const log = () => readFileSync(logFile(at.workspace, 'HEAD'), 'latin1');
  const whole = log();
  await startSession(at, 's');
  dropEntries(at.workspace);
  const served = serve(at);
  const plan = await served.ask('restoreReflog', { body: { dryRun: true } });
  expect(plan.restored).toHaveLength(8);
  const unshown = await post(served, '/api/reflog/restore', {});
  expect([unshown.json.error.code, unshown.json.error.details.plan]).toEqual(['needs-confirmation', plan]);
  // What would come back is another thing by now.
  const some = await served.ask('restoreReflog', { body: { dryRun: true, q: 'three' } });
  expect(await refused(post(served, '/api/reflog/restore', { expected: some.expected }))).toBe('409 workspace-moved');
  expect(log()).toBe('');
  const { count } = (await served.ask('restoreReflog', { body: { expected: plan.expected } })) as { count: number };
  expect([count, log()]).toEqual([8, whole]);
  commitFile(at.workspace, 'since');
  expect((await served.ask('restoreReflog', { body: { dryRun: true } })).restored).toEqual([]);
  expect(served.faults).toEqual([]);
});

test('[API] where there is no repository, that is said', async () => {
  const served = serve(scene());
  for (const path of ['/api/health/fix', '/api/reflog/restore'])
    expect(await refused(post(served, path, { dryRun: true })), path).toBe('422 no-repository');
});
