import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Why no file system can be mounted here, or undefined when one can. */
export const whyNoMount: string | undefined = (() => {
  const probe = realpathSync(mkdtempSync(join(tmpdir(), 'retake-mount-')));
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { encoding: 'utf8' });
  if (status === 0) spawnSync('umount', [probe]);
  rmdirSync(probe);
  return status === 0 ? undefined : `no mount: ${error?.message ?? stderr.trim()}`;
})();

/** A file system of its own, of so many bytes, gone when the test is over. */
export const smallDisk = (bytes: number): string => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'retake-disk-')));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount failed: ${stderr}`);
  onTestFinished(() => {
    spawnSync('umount', ['-l', path]);
    rmdirSync(path);
  });
  return path;
};

export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

/** Fills the disk with one file until only so many bytes are free; returns the file. */
export const fillDisk = (disk: string, leave = 0): string => {
  const file = join(disk, 'filler');
  writeFileSync(file, Buffer.alloc(Math.max(0, freeBytes(disk) - leave)));
  return file;
};
