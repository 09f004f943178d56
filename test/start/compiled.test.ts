import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The program as a process of its own, with a place of its own for what is compiled of it. */
const started = (extra: Record<string, string> = {}) => {
  const [home, workspace, temporary] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
  const env = { ...hermeticEnvironment(home), TMPDIR: temporary, ...extra };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(BIN, args, { cwd: workspace, env, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const own = join(temporary, `retake-compiled-${process.getuid?.()}`);
  return { run, temporary, own, settings: () => run('settings'), file: join(own, `${process.version}-settings`) };
};

const LONG_AGO = new Date(Date.now() - 2 * 24 * 3_600_000);

test('[SEC] what was compiled is kept for the next time, for the user alone and by verb, and replaced when it is old', () => {
  const { run, own, settings, file } = started();
  const first = settings();
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('retake settings KEY') });
  expect(statSync(own).mode & 0o777).toBe(0o700);
  expect(readdirSync(own)).toEqual([`${process.version}-settings`]);
  const { ino, size } = statSync(file);
  expect(size).toBeGreaterThan(10_000);
  expect(settings()).toEqual(first);
  expect(statSync(file).ino).toBe(ino);

  utimesSync(file, LONG_AGO, LONG_AGO);
  expect(settings()).toEqual(first);
  expect(statSync(file).mtime.getTime()).toBeGreaterThan(LONG_AGO.getTime());

  // What was refused may be no verb, and is not kept.
  expect(run('setings').code).toBe(2);
  expect(run('--version').code).toBe(0);
  expect(readdirSync(own).sort()).toEqual([`${process.version}-other`, `${process.version}-settings`]);
});

test('[REL-5] what was kept and can not be used is made anew, and changes no answer', () => {
  const { settings, file } = started();
  const first = settings();
  const good = readFileSync(file);
  const flipped = Buffer.from(good);
  for (let at = 5000; at < flipped.length; at += 5000) flipped.writeUInt8(flipped.readUInt8(at) ^ 0x55, at);
  for (const bad of [Buffer.alloc(0), Buffer.from('nonsense'), Buffer.alloc(good.length), good.subarray(0, 5000), flipped]) {
    writeFileSync(file, bad);
    expect(settings()).toEqual(first);
    expect(statSync(file).size).toBeGreaterThan(10_000);
  }
});

test('[SEC] where others could write, nothing is kept or used; nor where it is not wanted', () => {
  const { settings, own, temporary } = started();
  const first = settings();
  rmSync(own, { recursive: true });
  mkdirSync(own);
  chmodSync(own, 0o777);
  expect(settings()).toEqual(first);
  expect(readdirSync(own)).toEqual([]);
  rmSync(own, { recursive: true });
  const elsewhere = join(temporary, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, own);
  expect(settings()).toEqual(first);
  expect(readdirSync(elsewhere)).toEqual([]);

  const without = started({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(without.settings().code).toBe(0);
  expect(existsSync(without.own)).toBe(false);
});
