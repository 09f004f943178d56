import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Action } from './world.ts';

/** Another process that works in a workspace. */
export class Neighbour {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(join(import.meta.dirname, 'neighbour-process.ts'), { execArgv: [] });
    onTestFinished(() => {
      this.#process.kill('SIGKILL');
    });
  }

  async perform(root: string, isRepository: boolean, action: Action): Promise<void> {
    const done = once(this.#process, 'message');
    this.#process.send({ root, isRepository, action });
    await done;
  }
}
