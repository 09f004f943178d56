import { accessSync, constants, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeWriteFailure, effects, replaceFile } from '../host/index.ts';
import { RetakeError, systemCode } from '../model/index.ts';

/** A settings file of an agent, which is the user's: read whole, replaced whole, and kept as it was beside it. */
export interface SettingsFile {
  /** As the agent names it. */
  readonly path: string;
  /** The file itself: another path than `path` where that is a link. */
  readonly target: string;
  /** Null where there is none. */
  readonly text: string | null;
  readonly stat: Stats | null;
}

export const readSettingsFile = (path: string): SettingsFile => {
  try {
    const target = isLink(path) ? realpathSync(path) : path;
    const stat = statSync(target);
    if (!stat.isFile()) throw refuse(`${path} is no file`, 'Move it away.');
    return { path, target, text: decode(readFileSync(target), path), stat };
  } catch (error) {
    switch (systemCode(error)) {
      case 'ENOENT':
        if (isLink(path)) throw refuse(`${path} is a link to a file that is not there`, 'Make that file, or remove the link.');
        return { path, target: path, text: null, stat: null };
      case 'ENOTDIR':
      case 'ELOOP':
        throw refuse(`${path} can not be reached: something else is in the way`, 'Look at each part of that path.');
      case 'EACCES':
      case 'EPERM':
        throw new RetakeError('permission', `Not allowed to read ${path}`, { hint: 'Check its permissions.', cause: error });
      default:
        throw error;
    }
  }
};

const decode = (bytes: Buffer, path: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse(`${path} is not UTF-8`, 'Save it as UTF-8 first.');
  }
};

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const refuse = (message: string, hint: string): RetakeError =>
  new RetakeError('agent-settings', message, { hint: `${hint} Nothing was changed.` });

export const writeSettingsFile = ({ path, target, stat }: SettingsFile, text: string): void => {
  if (stat === null) makeDirectory(dirname(path));
  else refuseReadOnly(target);
  replaceFile(target, Buffer.from(text), stat === null ? {} : { like: stat });
};

const makeDirectory = (path: string): void => {
  try {
    effects.makeDirectories(path);
  } catch (error) {
    throw describeWriteFailure(error, path);
  }
};

/** Replacing it would be possible, but somebody meant it to stay as it is. */
const refuseReadOnly = (path: string): void => {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw describeWriteFailure(error, path);
  }
};

/** Also takes the directory along, if that holds nothing else. */
export const removeSettingsFile = ({ path }: SettingsFile): void => {
  refuseReadOnly(path);
  try {
    effects.unlink(path);
  } catch (error) {
    throw describeWriteFailure(error, path);
  }
  try {
    effects.removeDirectory(dirname(path));
  } catch {
    // Others use it.
  }
};

export interface Backup {
  readonly path: string;
  readonly text: string;
}

const SUFFIX = '.retake-backup';

/** Puts the file's text beside it, under a name that nothing has yet; unless the latest one is the same. */
export const makeBackup = ({
  path,
  target,
  text,
  stat,
}: SettingsFile & { readonly text: string }): Backup & { readonly isNew: boolean } => {
  refuseReadOnly(target);
  const latest = latestBackup(path);
  if (latest?.text === text) return { ...latest, isNew: false };
  const backup = backupName(path, (backupNumbers(path).at(-1) ?? 0) + 1);
  replaceFile(backup, Buffer.from(text), stat === null ? {} : { like: stat });
  return { path: backup, text, isNew: true };
};

/** The file as it was before the latest installation. */
export const latestBackup = (path: string): Backup | null => {
  const number = backupNumbers(path).at(-1);
  if (number === undefined) return null;
  const backup = backupName(path, number);
  return { path: backup, text: readFileSync(backup, 'utf8') };
};

export const removeBackup = ({ path }: Backup): void => effects.unlink(path);

const backupName = (path: string, number: number): string => path + SUFFIX + (number === 1 ? '' : `-${number}`);

const backupNumbers = (path: string): number[] => {
  const start = basename(path) + SUFFIX;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && statSync(join(dirname(path), name), { throwIfNoEntry: false })?.isFile())
    .map((name) => (name === start ? 1 : Number(/^-([1-9]\d{0,8})$/.exec(name.slice(start.length))?.[1] ?? 0)))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
};
