import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Retake keeps its data: `RETAKE_HOME`, else the platform's data directory. */
export const dataDirectory = (): string => {
  const named = process.env.RETAKE_HOME;
  if (named) return resolve(named);
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'retake');
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'retake');
};

/** Where programs keep the user's configuration, unless told otherwise. */
export const configDirectory = (): string => process.env.XDG_CONFIG_HOME || join(homedir(), '.config');

export const homeDirectory = (): string => homedir();

/** A directory that the user may name by a variable; undefined when it is not set. */
export const namedDirectory = (variable: string): string | undefined => {
  const named = process.env[variable];
  return named ? resolve(named) : undefined;
};

let clock = (): Date => new Date();

/** The only clock for times that people are shown, and for what becomes too old. */
export const now = (): Date => clock();

/** For who lives through a year in a minute. */
export const setClock = (other: () => Date): void => {
  clock = other;
};
