import { randomBytes } from 'node:crypto';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as effects from '../host/effects.ts';
import { isTemporary, readIfExists, replaceFile } from '../host/files.ts';
import { systemCode } from '../model/errors.ts';
import { ownEnvironment, spoolDirectory } from './place.ts';
import type { HookEvent } from './protocol.ts';

/**
 * Events that nobody has recorded yet: one file each, in a folder per boot of the machine, named by the machine's own
 * clock, which all processes share and nobody sets back. So none is lost, and their order is kept.
 */

/** More than this means that nothing has been recorded for long; the disk is worth more than another. */
const MOST = 20_000;

export const spoolEvent = (event: HookEvent): string => {
  if (spooledFiles().length >= MOST) throw new Error(`${MOST} events wait to be recorded already`);
  const folder = makeSpool();
  const path = join(folder, `${monotonicNow().toString().padStart(20, '0')}-${process.pid}-${randomBytes(4).toString('hex')}.json`);
  replaceFile(path, Buffer.from(JSON.stringify({ event, environment: ownEnvironment() })), { mode: 0o600 });
  return path;
};

/** The folder where new events appear. */
export const makeSpool = (): string => {
  const folder = join(spoolDirectory(), bootId());
  effects.makeDirectories(folder, 0o700);
  return folder;
};

/** In order of arrival: earlier boots first. */
export const spooledFiles = (): string[] => {
  const look = stampOfFolders();
  const files = bootFolders().flatMap((folder) =>
    list(folder)
      .filter(({ name }) => !isTemporary(name))
      .map(({ name }) => join(folder, name))
      .sort(),
  );
  foundEmpty = files.length === 0 ? look : undefined;
  return files;
};

/** The folders when they were last found empty; undefined where their times were too recent to tell. */
let foundEmpty: string | undefined;

/** Nothing was spooled since the spool was last found empty: asked before every event, so it costs two questions and no listing. */
export const isStillEmpty = (): boolean => foundEmpty !== undefined && foundEmpty === stampOfFolders();

/** Two changes this close to each other, in milliseconds, may leave the same times. */
const RECENT = 50;

const stampOfFolders = (): string | undefined => {
  const folders = [spoolDirectory(), join(spoolDirectory(), bootId())].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (folders.some((stat) => stat !== undefined && stat.mtimeMs > Date.now() - RECENT)) return undefined;
  return folders.map((stat) => (stat === undefined ? 'none' : `${stat.ino} ${stat.mtimeMs}`)).join(' ');
};

const bootFolders = (): string[] => {
  const own = bootId();
  const folders = list(spoolDirectory()).filter((entry) => entry.isDirectory() && entry.name !== ASIDE);
  const earlier = folders
    .filter(({ name }) => name !== own)
    .map(({ name }) => join(spoolDirectory(), name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.time - b.time)
    .map(({ path }) => path);
  return folders.some(({ name }) => name === own) ? [...earlier, join(spoolDirectory(), own)] : earlier;
};

/** How long ago a file was spooled, where its name tells: those of another boot say nothing. */
export const waitedMilliseconds = (path: string): number | undefined => {
  const time = /^\d{20}/.exec(basename(path))?.[0];
  if (time === undefined || basename(dirname(path)) !== bootId()) return undefined;
  return Math.max(0, Number(monotonicNow() - BigInt(time)) / 1e6);
};

const ASIDE = 'unreadable';

/** Out of the way, but not thrown away. */
export const setAside = (path: string): void => {
  const folder = join(spoolDirectory(), ASIDE);
  effects.makeDirectories(folder, 0o700);
  effects.rename(path, join(folder, basename(path)));
};

const HOUR = 3_600_000;

/** Clears away what killed hooks and earlier boots left behind. */
export const tidySpool = (): void => {
  const own = join(spoolDirectory(), bootId());
  for (const folder of bootFolders()) {
    const entries = list(folder);
    for (const { name } of entries) {
      const path = join(folder, name);
      const made = isTemporary(name) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
      if (made !== undefined && Date.now() - made > HOUR) effects.unlink(path);
    }
    if (entries.length === 0 && folder !== own) effects.removeDirectory(folder);
  }
};

/** The same for all processes of a boot, and never set back. */
const monotonicNow = (): bigint => process.hrtime.bigint();

let knownBootId: string | undefined;

const bootId = (): string => {
  knownBootId ??= readIfExists('/proc/sys/kernel/random/boot_id')?.toString().trim() || 'boot';
  return knownBootId;
};

const list = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // What another user left there is not ours to record.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
};
