import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWriteFailure, effects, Lock, now, removeQuietly, replaceFile } from '../host/index.ts';
import { systemCode } from '../model/index.ts';
import { type Address, readAddress } from './address.ts';
import { claim } from './claim.ts';
import { addressFile, daemonDirectory, instanceLock, ownEnvironment } from './place.ts';

/** Makes the daemon's directory, or says why it can not be. */
export const makeDaemonDirectory = (): void => {
  const directory = daemonDirectory();
  try {
    effects.makeDirectories(directory, 0o700);
    if ((statSync(directory).mode & 0o077) !== 0) effects.chmod(directory, 0o700);
  } catch (error) {
    throw describeWriteFailure(error, directory);
  }
};

/** What keeps us from looking, and tells nothing of what is there. */
const PASSING = new Set<string | undefined>(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/** Being the one daemon: the lock, and the files by which it is found. */
export class Instance {
  readonly address: Address;
  readonly #lock: Lock;
  #socket: string | undefined;
  #isReleased = false;

  /** Undefined where there is one already. */
  static async claim(): Promise<Instance | undefined> {
    const lock = new Lock(instanceLock());
    return (await claim(lock)) ? new Instance(lock) : undefined;
  }

  private constructor(lock: Lock) {
    this.#lock = lock;
    this.address = {
      pid: process.pid,
      token: randomBytes(32).toString('base64url'),
      startedAt: now().toISOString(),
      environment: ownEnvironment(),
    };
  }

  /** Lets itself be found; the socket is there already. */
  announce(): void {
    this.#socket = identifySocket();
    replaceFile(addressFile(), Buffer.from(JSON.stringify(this.address)), { mode: 0o600 });
  }

  /** Whether clients would still find this one and no other. */
  isFound(): boolean {
    try {
      // What can not be looked at now, for want of descriptors or memory, is not gone.
      if (lstatSync(addressFile(), { throwIfNoEntry: false }) === undefined) return false;
      closeSync(openSync(addressFile(), 'r'));
    } catch (error) {
      return PASSING.has(systemCode(error));
    }
    return readAddress()?.token === this.address.token && identifySocket() === this.#socket;
  }

  /** Removes what is its own, then makes room for the next. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    if (readAddress()?.token === this.address.token) removeQuietly(addressFile());
    if (this.#socket !== undefined && identifySocket() === this.#socket) removeQuietly(socketFile());
    this.#lock.close();
  }
}

const socketFile = (): string => join(daemonDirectory(), 'socket');

const identifySocket = (): string | undefined => {
  const found = lstatSync(socketFile(), { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
};
