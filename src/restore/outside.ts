import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Durability, effects, removeQuietly, syncPath } from '../host/index.ts';
import { type BlobId, type OutsideStep, RetakeError, systemCode } from '../model/index.ts';
import { objectId } from '../store/index.ts';

/** What it takes to change files outside the workspace: they have no ground that we could be kept on, so each is looked at again right before. */
export interface OutsideApplication {
  readonly steps: readonly OutsideStep[];
  /** Names the temporary files, so that those of a killed process are found. */
  readonly journal: string;
  readonly read: (blob: BlobId) => Buffer;
  readonly durability: Durability;
}

/** The file as the plan found it, as it is to be, or neither. */
export type OutsideState = 'from' | 'to' | 'other';

export const inverseOutside = (steps: readonly OutsideStep[]): OutsideStep[] =>
  steps.map((step) => ({ ...step, from: step.to, to: step.from }));

/** Stops at the first one that is not as it was planned for. */
export const applyOutside = (application: OutsideApplication): void => {
  for (const [at, step] of application.steps.entries()) applyOne(application, step, at);
};

/** The same for as many as possible; tells which could not be changed, and why. */
export const applyOutsideWhereItCan = (application: OutsideApplication): { path: string; reason: string }[] =>
  application.steps.flatMap((step, at) => {
    try {
      applyOne(application, step, at);
      return [];
    } catch (error) {
      return [{ path: step.path, reason: error instanceof Error ? error.message : String(error) }];
    }
  });

export const removeOutsideTemporaries = ({ steps, journal }: Pick<OutsideApplication, 'steps' | 'journal'>): void => {
  for (const [at, step] of steps.entries()) removeQuietly(temporaryOf(step, journal, at));
};

/** Where a file is now, links above it followed; undefined where there is no such directory. */
export const outsideDirectory = (path: string): string | undefined => {
  try {
    return realpathSync(dirname(path));
  } catch {
    return undefined;
  }
};

export const outsideState = (step: OutsideStep): OutsideState => {
  if (outsideDirectory(step.path) !== step.directory) return 'other';
  const now = contentAt(placeOf(step));
  if (now === 'other') return 'other';
  if (isSame(now, step.to)) return 'to';
  return isSame(now, step.from) ? 'from' : 'other';
};

const placeOf = ({ path, directory }: OutsideStep): string => `${directory}/${basename(path)}`;

const temporaryOf = ({ directory }: OutsideStep, journal: string, at: number): string => `${directory}/.retake-${journal}-${at}`;

type Content = OutsideStep['from'];

const isSame = (a: Content, b: Content): boolean => a?.blob === b?.blob && a?.permissions === b?.permissions;

const contentAt = (path: string): Content | 'other' => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return stat.isFile() ? { blob: objectId('blob', readFileSync(path)) as BlobId, permissions: stat.mode & 0o7777 } : 'other';
};

const applyOne = ({ journal, read, durability }: OutsideApplication, step: OutsideStep, at: number): void => {
  const state = outsideState(step);
  if (state === 'to') return;
  if (state === 'other') throw new RetakeError('workspace-moved', `${step.path} changed since the plan was made`);
  const place = placeOf(step);
  try {
    if (step.to === null) effects.unlink(place);
    else write(place, temporaryOf(step, journal, at), { bytes: read(step.to.blob), permissions: step.to.permissions, durability });
    if (durability === 'power') syncPath(step.directory);
  } catch (error) {
    throw new RetakeError('permission', `${step.path} can not be written: ${systemCode(error) ?? error}`, { cause: error });
  }
};

/** Whose file it was stays as it is. */
const write = (
  place: string,
  temporary: string,
  { bytes, permissions, durability }: { bytes: Buffer; permissions: number; durability: Durability },
): void => {
  removeQuietly(temporary);
  const before = lstatSync(place, { throwIfNoEntry: false });
  const fd = effects.createFile(temporary, 0o600);
  try {
    try {
      effects.writeAll(fd, bytes, temporary);
      if (before === undefined) effects.setMode(fd, permissions);
      else effects.makeAlike(fd, { mode: permissions, uid: before.uid, gid: before.gid });
      if (durability === 'power') effects.sync(fd, temporary);
    } finally {
      effects.close(fd);
    }
    effects.rename(temporary, place);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
};
