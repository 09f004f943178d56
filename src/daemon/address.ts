import { readFileSync, statSync } from 'node:fs';
import { systemCode } from '../model/errors.ts';
import { addressFile, type DaemonEnvironment } from './place.ts';

/** How a daemon is reached and whom it works for: `address.json`, for the user's eyes only. */
export interface Address {
  readonly pid: number;
  readonly token: string;
  readonly startedAt: string;
  readonly environment: DaemonEnvironment;
}

/** The address of the daemon that is or was there last; what another user left there is none. */
export const readAddress = (): Address | undefined => {
  const path = addressFile();
  try {
    if (statSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isAddress(value) ? value : undefined;
  } catch (error) {
    if (systemCode(error) !== undefined || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const isAddress = (value: unknown): value is Address =>
  typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string' && 'pid' in value;
