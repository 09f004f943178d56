import { Breaks, type Durability, describeWriteFailure, effects, refuseIfAborted, removeQuietly } from '../host/index.ts';
import {
  type BlobId,
  type ByteString,
  isWithin,
  type Node,
  type PlanStep,
  parent,
  type RelativePath,
  RetakeError,
  sameNode,
  systemCode,
  toText,
} from '../model/index.ts';
import { type Action, actionsOf } from './actions.ts';
import { keepsChanging } from './keeps-changing.ts';
import { observe } from './observe.ts';
import { type OpenDirectory, PathGone, type WorkspaceFs } from './workspace-fs.ts';

export interface Application {
  readonly fs: WorkspaceFs;
  readonly steps: readonly PlanStep[];
  /** Names the temporary files, so that those of a killed process can be found again. */
  readonly journal: string;
  readonly read: (blob: BlobId) => Buffer;
  readonly durability: Durability;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Heard before each change; after the last it is too late. */
  readonly signal?: AbortSignal | undefined;
}

/** Paths that are left as they are, and why. */
export type PassedOver = Map<RelativePath, string>;

/** A path that holds neither what the plan began with nor what it leads to. */
class PathMoved extends Error {
  readonly path: RelativePath;
  constructor(path: RelativePath) {
    super(`changed meanwhile: ${toText(path)}`);
    this.path = path;
  }
}

/**
 * Carries the plan out, stopping at the first path that can't be brought to its end. Done twice, it changes nothing more. A file that somebody
 * keeps changing is passed over, with the directory that would have been removed around it.
 */
export const apply = async (application: Application, passedOver: PassedOver): Promise<void> => {
  const { fs, steps, onProgress, signal } = application;
  const actions = actionsOf(steps);
  const breaks = new Breaks();
  for (const [index, action] of actions.entries()) {
    if (breaks.isDue) await breaks.take();
    refuseIfAborted(signal);
    const { step } = action;
    if (!passedOver.has(step.path)) {
      try {
        runAction(application, action);
      } catch (error) {
        const reason = holdsPassedOver(step, error, passedOver) ?? (await whyToPassOver(fs, step, error, signal));
        if (reason === null) throw error;
        passedOver.set(step.path, reason);
      }
    }
    onProgress?.(index + 1, actions.length);
  }
  syncDirectories(application);
};

/** Why a path is left that keeps changing. */
export const KEEPS_CHANGING = 'keeps changing; left as it is';

const whyToPassOver = async (
  fs: WorkspaceFs,
  { path, type, from, to }: PlanStep,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  // Files are made in it all the time. Otherwise steps rely on what becomes of a directory.
  const isFilled = type === 'rmdir' && isNotEmpty(error);
  const isLeaf = from?.type !== 'directory' && to?.type !== 'directory';
  if (!isFilled && !(error instanceof PathMoved && isLeaf)) return null;
  return (await keepsChanging(fs, [path], signal)).has(path) ? KEEPS_CHANGING : null;
};

const holdsPassedOver = ({ path, type }: PlanStep, error: unknown, passedOver: PassedOver): string | null => {
  if (type !== 'rmdir' || !isNotEmpty(error)) return null;
  return [...passedOver.keys()].some((other) => isWithin(other, path)) ? 'holds what keeps changing' : null;
};

/** What the system said may be told as an error of ours. */
const isNotEmpty = (error: unknown): boolean =>
  systemCode(error) === 'ENOTEMPTY' || (error instanceof RetakeError && systemCode(error.cause) === 'ENOTEMPTY');

/** A path that could not be brought to its end. */
export interface Failure {
  readonly path: RelativePath;
  readonly error: Error;
  /** Because somebody else changed it, and not because the disk refused. */
  readonly moved: boolean;
}

/** The same, going on past paths that can't be brought to their end, and not to be ended by anybody. */
export const applyWhatCan = async (application: Application): Promise<Failure[]> => {
  const failures = new Map<RelativePath, Failure>();
  const breaks = new Breaks();
  for (const action of actionsOf(application.steps)) {
    const { path } = action.step;
    if (failures.has(path)) continue;
    if (breaks.isDue) await breaks.take();
    try {
      runAction(application, action);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failures.set(path, { path, error, moved: error instanceof PathMoved });
    }
  }
  syncDirectories(application);
  return [...failures.values()];
};

/** With `power`, the renames themselves have to be on disk before the rollback is recorded. */
const syncDirectories = ({ fs, steps, durability }: Application): void => {
  if (durability !== 'power') return;
  for (const directory of new Set(steps.map(({ path }) => parent(path)))) fs.sync(directory);
};

/** Paths that are not, by type, size and permissions, what the plan said they would be. */
export const verify = ({ fs, steps, read }: Application): Failure[] =>
  steps
    .filter(({ path, to }) => {
      const stat = fs.look(path);
      if (to === null || stat === undefined) return to !== null || stat !== undefined;
      if (to.type === 'link') return !stat.isSymbolicLink();
      if ((stat.mode & 0o7777) !== to.permissions) return true;
      return to.type === 'directory' ? !stat.isDirectory() : !stat.isFile() || stat.size !== read(to.blob).length;
    })
    .map(({ path }) => ({ path, error: new PathMoved(path), moved: true }));

/** Removes temporary files that a killed process left beside the files of this plan. */
export const removeTemporaries = ({ fs, steps, journal }: Pick<Application, 'fs' | 'steps' | 'journal'>): void => {
  const directories = new Set(steps.map(({ path }) => parent(path)));
  for (const directory of directories) {
    const strays = (fs.names(directory) ?? []).filter((name) => name.startsWith(temporaryPrefix(journal)));
    if (strays.length === 0) continue;
    fs.inDirectory(directory, ({ at }) => {
      for (const stray of strays) effects.unlink(at(stray));
    });
  }
};

const temporaryPrefix = (journal: string): string => `.retake-${journal}-`;

const runAction = (application: Application, action: Action): void => {
  const { fs } = application;
  const { path, from, to } = action.step;
  try {
    const present = observe(fs, path);
    if (present === 'foreign') throw new PathMoved(path);
    switch (action.do) {
      case 'open-up':
      case 'set-permissions':
        setPermissions(application, path, present, to, action.permissions);
        return;
      case 'remove':
        if (sameThing(present, from)) fs.inParent(path, (directory, name) => remove(directory, name, present));
        else if (present !== null && !sameThing(present, to)) throw new PathMoved(path);
        return;
      case 'make-directory':
        if (present === null) fs.inParent(path, (directory, name) => effects.makeDirectory(directory.at(name), action.permissions));
        else if (present.type !== 'directory') throw new PathMoved(path);
        return;
      case 'put':
        if (sameNode(present, to)) return;
        if (!sameNode(present, from) && !(present === null && action.step.type === 'retype')) throw new PathMoved(path);
        put(application, path, action.node);
        return;
    }
  } catch (error) {
    if (error instanceof PathGone) throw new PathMoved(path);
    throw describeWriteFailure(error, toText(path));
  }
};

/** Directories are the same whatever their permissions: those are set apart from their being there. */
const sameThing = (a: Node | null, b: Node | null): boolean => (a?.type === 'directory' && b?.type === 'directory' ? true : sameNode(a, b));

const remove = (directory: OpenDirectory, name: ByteString, present: Node | null): void => {
  if (present?.type === 'directory') effects.removeDirectory(directory.at(name));
  else if (present !== null) effects.unlink(directory.at(name));
};

const setPermissions = (application: Application, path: RelativePath, present: Node | null, to: Node | null, permissions: number): void => {
  const { fs } = application;
  if (present === null || present.type !== to?.type) throw new PathMoved(path);
  if ('blob' in present && 'blob' in to && present.blob !== to.blob) throw new PathMoved(path);
  if (!('permissions' in present) || present.permissions === permissions) return;
  // Permissions belong to the file and not to its name: one with other names, perhaps elsewhere, is replaced instead.
  if (to.type === 'file' && (fs.look(path)?.nlink ?? 1) > 1) put(application, path, to);
  else fs.setPermissions(path, permissions);
};

let temporaries = 0;

/** Replaces whatever file or link is there in one instant: readers see the old or the new one (RST-3). */
const put = ({ fs, journal, read, durability }: Application, path: RelativePath, node: Exclude<Node, { type: 'directory' }>): void => {
  const bytes = read(node.blob);
  fs.inParent(path, (directory, name) => {
    const temporary = directory.at(`${temporaryPrefix(journal)}${temporaries++}` as ByteString);
    try {
      if (node.type === 'link') effects.symlink(bytes, temporary);
      else writeFile(temporary, bytes, node.permissions, durability);
      effects.rename(temporary, directory.at(name));
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
  });
};

const writeFile = (path: string | Buffer, bytes: Buffer, permissions: number, durability: Durability): void => {
  const fd = effects.createFile(path, 0o600);
  try {
    effects.writeAll(fd, bytes, path);
    effects.setMode(fd, permissions);
    if (durability === 'power') effects.sync(fd, path);
  } finally {
    effects.close(fd);
  }
};

/** Refuses a plan that can't be carried out, before anything is touched (RST-2). */
export const checkPermissions = (fs: WorkspaceFs, steps: readonly PlanStep[]): void => {
  const made = new Set(steps.filter(({ to }) => to?.type === 'directory').map(({ path }) => path));
  const directories = new Set(steps.filter(({ type }) => type !== 'chmod').map(({ path }) => parent(path)));
  for (const directory of directories) {
    if (made.has(directory)) continue;
    try {
      if (fs.isWritable(directory)) continue;
    } catch (error) {
      if (!(error instanceof PathGone) && systemCode(error) !== 'EACCES') throw error;
    }
    throw notAllowed(`${toText(directory) || 'the workspace'}/`, 'Make that directory writable and try again; nothing was changed.');
  }
  const user = process.geteuid?.() ?? 0;
  for (const { path } of steps.filter(({ from, to }) => from !== null && to !== null && 'permissions' in to && changesMode(from, to))) {
    if (user === 0 || fs.look(path)?.uid === user) continue;
    throw notAllowed(toText(path), 'Its permissions would have to change, and it belongs to somebody else; nothing was changed.');
  }
};

/** The permissions of what is there change, and it is not replaced by something new. */
const changesMode = (from: Node, to: Node): boolean =>
  from.type === to.type &&
  'permissions' in from &&
  'permissions' in to &&
  from.permissions !== to.permissions &&
  !('blob' in from && 'blob' in to && from.blob !== to.blob);

const notAllowed = (what: string, hint: string): RetakeError => new RetakeError('permission', `Not allowed to change ${what}`, { hint });
