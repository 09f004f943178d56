import { join } from 'node:path';
import { dataDirectory } from '../host/environment.ts';

/** Where the daemon and those who look for it meet. */
export const daemonDirectory = (): string => join(dataDirectory(), 'daemon');

export const addressFile = (): string => join(daemonDirectory(), 'address.json');

/** Held while a daemon lives; the system frees it however that ends. */
export const instanceLock = (): string => join(daemonDirectory(), 'lock');

export const logFile = (): string => join(daemonDirectory(), 'log');

/** What programs that use the HTTP interface show. */
export const tokenFile = (): string => join(daemonDirectory(), 'api-token');

export const spoolDirectory = (): string => join(dataDirectory(), 'spool');

/** What hooks could not do, for people to see: a hook itself tells nobody. */
export const troubleFile = (): string => join(dataDirectory(), 'trouble.jsonl');

/**
 * Whose configuration counts: a process with another one of these would record other trees. A daemon works only for those
 * who share its own.
 */
export interface DaemonEnvironment {
  readonly HOME: string | null;
  readonly XDG_CONFIG_HOME: string | null;
}

export const ownEnvironment = (): DaemonEnvironment => ({
  HOME: process.env.HOME ?? null,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME ?? null,
});

export const isOwnEnvironment = (other: Partial<DaemonEnvironment> | undefined): boolean => {
  const own = ownEnvironment();
  return other?.HOME === own.HOME && other.XDG_CONFIG_HOME === own.XDG_CONFIG_HOME;
};
