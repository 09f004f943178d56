import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetakeError } from '../model/index.ts';
import { refuseIfAborted } from './interrupt.ts';
import { openDatabase } from './sqlite.ts';

export interface HoldOptions {
  readonly patience?: number;
  readonly onWait?: (() => void) | undefined;
  /** Aborted by who does not want to wait any longer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One writer at a time, across processes. The lock is SQLite's own on an empty database file: the kernel drops it when
 * the holder dies, however it dies, so there is never a stale one to break.
 */
export class Lock {
  readonly #path: string;
  #database: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs `work` alone; waits for the present holder up to `patience` milliseconds. */
  async hold<T>(work: () => T | Promise<T>, options: HoldOptions = {}): Promise<T> {
    refuseIfAborted(options.signal);
    const deadline = performance.now() + (options.patience ?? 600_000);
    for (let pause = 1; !this.tryAcquire(); pause = Math.min(pause * 2, 50)) {
      if (pause === 16) options.onWait?.();
      if (performance.now() > deadline) {
        throw new RetakeError('store-busy', 'Another Retake process is still working on this workspace', {
          hint: 'Wait for it to finish, or end that process; nothing needs cleaning up afterwards.',
        });
      }
      await sleep(pause);
      refuseIfAborted(options.signal);
    }
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  tryAcquire(): boolean {
    try {
      this.#database ??= openLock(this.#path);
      this.#database.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (codeOf(error) === BUSY) return false;
      this.close();
      throw describeFailure(error, this.#path);
    }
  }

  release(): void {
    this.#database?.exec('ROLLBACK');
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

const BUSY = 5;

/** Nothing is ever written to it, so that it needs no file to take writes back. */
const openLock = (path: string): DatabaseSync => {
  const database = openDatabase(path);
  database.exec('PRAGMA journal_mode = MEMORY');
  return database;
};

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const describeFailure = (error: unknown, path: string): unknown => {
  switch (codeOf(error)) {
    case 13:
    case 10:
      return new RetakeError('no-space', `The disk is full or failing: could not lock ${path}`, {
        hint: 'Free some space and try again; nothing recorded before was changed.',
        cause: error,
      });
    case 8:
    case 14:
      return new RetakeError('permission', `Not allowed to write ${path}`, {
        hint: 'Check the permissions of that path and its folder.',
        cause: error,
      });
    default:
      return error;
  }
};
