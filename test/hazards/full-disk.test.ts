import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { expectJsonRefusal, expectPlainRefusal } from '../support/refusal.ts';
import { put, type Scene, scene, storeOf } from '../support/scene.ts';
import { fillDisk, freeBytes, smallDisk, whyNoMount } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.skipIf(whyNoMount !== undefined)(`on a small disk ${whyNoMount === undefined ? '' : `(${whyNoMount})`}`, () => {
  const smallStore = (): Scene & { disk: string } => {
    const disk = smallDisk(2 << 20);
    const { workspace } = scene();
    return { workspace, retake: retakeIn(temporaryDirectory(), { RETAKE_HOME: join(disk, 'retake') }), disk };
  };

  test('[REL-3] no space for the first checkpoint: a clear error, and the next one works', () => {
    const at = smallStore();
    put(at.workspace, 'file', 'x');
    const filler = fillDisk(at.disk);
    expect(freeBytes(at.disk)).toBe(0);
    expectPlainRefusal(at.retake.run(at.workspace, 'checkpoint'), 1);
    expectJsonRefusal(at.retake.run(at.workspace, 'checkpoint', '--json'), 'no-space', 1);
    rmSync(filler);
    expect(at.retake.json(at.workspace, 'checkpoint').status).toBe('complete');
    expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
  });

  test('[REL-3] no space for another checkpoint: old ones are intact and can be read meanwhile', () => {
    const at = smallStore();
    put(at.workspace, 'file', '1');
    const { id } = at.retake.json(at.workspace, 'checkpoint');
    put(at.workspace, 'file', '2');
    put(at.workspace, 'large', Buffer.alloc(100_000, 'x').toString());
    const filler = fillDisk(at.disk);
    for (let i = 0; i < 2; i++) expectJsonRefusal(at.retake.run(at.workspace, 'checkpoint', '--json'), 'no-space', 1);
    expect(at.retake.json(at.workspace, 'log').operations.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
    rmSync(filler);
    expect(at.retake.json(at.workspace, 'checkpoint').changed).toBe(2);
    at.retake.json(at.workspace, 'rewind', id, '--yes');
    expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
    expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
  });

  test('[REL-3] [RST-4] a store that fills up at any moment of a rollback leaves one state or the other, and says which', () => {
    const at = smallStore();
    for (let i = 0; i < 30; i++) put(at.workspace, `dir${i % 3}/${i}`, `then ${i}`);
    const { id } = at.retake.json(at.workspace, 'checkpoint');
    const then = observeWorkspace(at.workspace);
    const outcomes = new Set<string>();
    for (let pages = 0; pages < 110; pages += 6) {
      // New content each time, so that the safety checkpoint has something to write.
      for (let i = 0; i < 30; i++) put(at.workspace, `dir${i % 3}/${i}`, `now ${i} ${pages}`);
      rmSync(join(at.workspace, 'dir0/0'));
      put(at.workspace, `new-${pages}`, 'new');
      const now = observeWorkspace(at.workspace);
      const filler = fillDisk(at.disk, pages * 4096);
      const run = at.retake.run(at.workspace, 'rewind', id, '--yes', '--json');
      rmSync(filler);
      expect(at.retake.run(at.workspace, 'status').code).toBe(0);
      const after = JSON.stringify([...observeWorkspace(at.workspace)]);
      const state = after === JSON.stringify([...then]) ? 'then' : after === JSON.stringify([...now]) ? 'now' : 'mixed';
      outcomes.add(`${run.code === 0 ? 'done' : run.json.error.code}: ${state}`);
    }
    // Found full after the last file was written, a rollback is completed by the next start.
    const allowed = ['done: then', 'no-space: now', 'no-space: then'];
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    expect(outcomes).toContain('done: then');
    expect(outcomes).toContain('no-space: now');
    expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
    expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
  });

  test('[RST-2] [REL-3] no space in the workspace: refused, and the workspace is as it was', () => {
    const disk = smallDisk(1 << 20);
    const workspace = join(disk, 'workspace');
    const at: Scene = { workspace, retake: retakeIn(temporaryDirectory()) };
    mkdirSync(workspace);
    put(workspace, 'small', '1');
    put(workspace, 'large', Buffer.alloc(400_000, 'x').toString());
    const { id } = at.retake.json(workspace, 'checkpoint');
    put(workspace, 'small', '2');
    rmSync(join(workspace, 'large'));
    const filler = fillDisk(disk, 100_000);
    const before = observeWorkspace(workspace, { mtimes: true });
    expectJsonRefusal(at.retake.run(workspace, 'rewind', id, '--yes', '--json'), 'no-space', 1);
    expect(observeWorkspace(workspace, { mtimes: true })).toEqual(before);
    rmSync(filler);
    at.retake.json(workspace, 'rewind', id, '--yes');
    expect(readFileSync(join(workspace, 'large'))).toHaveLength(400_000);
  });

  test('[REL-3] a workspace disk without a single free byte can still be checkpointed, and a rewind that frees space goes through', () => {
    const disk = smallDisk(1 << 20);
    const workspace = join(disk, 'workspace');
    const at: Scene = { workspace, retake: retakeIn(temporaryDirectory()) };
    mkdirSync(workspace);
    put(workspace, 'file', '1');
    const { id } = at.retake.json(workspace, 'checkpoint');
    put(workspace, 'bulk', Buffer.alloc(500_000, 'y').toString());
    fillDisk(disk);
    expect(at.retake.json(workspace, 'checkpoint').changed).toBe(1);
    at.retake.json(workspace, 'rewind', id, '--yes');
    expect(existsSync(join(workspace, 'bulk'))).toBe(false);
  });
});
