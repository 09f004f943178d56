import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { fsck } from '../support/private-store.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { put, scene, storeOf } from '../support/scene.ts';
import { fillDisk, smallDisk, whyNoMount } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.skipIf(whyNoMount !== undefined)(`on a small disk ${whyNoMount === undefined ? '' : `(${whyNoMount})`}`, () => {
  test('[STO-4] [REL-3] no space for the file, or for what it brings: a clear error, and nothing is left behind', () => {
    const at = scene();
    put(at.workspace, 'noise', randomBytes(400_000));
    at.retake.json(at.workspace, 'checkpoint');
    const disk = smallDisk(2 << 20);
    let filler = fillDisk(disk, 16_384);
    const file = join(disk, 'x.tar');
    expectJsonRefusal(at.retake.run(at.workspace, 'export', 'local', '--output', file, '--json'), 'no-space', 1);
    expect(readdirSync(disk)).toEqual(['filler']);
    rmSync(filler);
    const whole = join(temporaryDirectory(), 'x.tar');
    at.retake.json(at.workspace, 'export', 'local', '--output', whole);

    const other = { workspace: scene().workspace, retake: retakeIn(temporaryDirectory(), { RETAKE_HOME: join(disk, 'retake') }) };
    put(other.workspace, 'file', 'x');
    const { id } = other.retake.json(other.workspace, 'checkpoint');
    const listed = () => other.retake.json(other.workspace, 'log').operations.map((one: { id: string }) => one.id);
    for (const leave of [0, 60_000, 200_000]) {
      filler = fillDisk(disk, leave);
      const refusal = other.retake.run(other.workspace, 'import', whole, '--as', 'copy', '--json');
      expect(refusal.code, `${leave} bytes left`).toBe(1);
      expect(refusal.json.error.code, `${leave} bytes left: ${refusal.stdout}`).toBe('no-space');
      rmSync(filler);
      expect(listed()).toEqual([id]);
      expect(readdirSync(join(storeOf(other), '..'))).not.toContain('importing');
    }
    expect(other.retake.json(other.workspace, 'import', whole, '--as', 'copy')).toMatchObject({ imported: true });
    expect(listed()).toHaveLength(2);
    expect(fsck(storeOf(other))).toEqual({ code: 0, alarms: [] });
  });
});
