import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { effects } from '../../host/index.ts';
import { eventQueue } from './event-queue.ts';

/**
 * A barrier: events of all watches come through one queue, in order. When the event of a file that we just renamed has come,
 * every earlier change of the workspace has.
 */
export class Cookies {
  readonly #directory: string;
  readonly #watcher: FSWatcher;
  readonly #waiting = new Map<string, () => void>();
  #baked = 0;

  /** `directory` is ours alone. */
  constructor(directory: string) {
    this.#directory = directory;
    effects.makeDirectories(directory);
    effects.close(effects.createFile(this.#path, 0o600));
    this.#watcher = watch(directory, { persistent: false }, (_, name) => {
      eventQueue.arrived();
      if (name !== null) this.#waiting.get(name)?.();
    });
    // A watch that failed brings no more events: the next barrier is not passed, which is all there is to know.
    this.#watcher.on('error', () => {});
  }

  /** True once all that happened before has been heard of; false when the barrier's own event did not come in time. */
  async pass(patience: number): Promise<boolean> {
    const before = this.#path;
    this.#baked++;
    const name = `${this.#baked}`;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        this.#waiting.set(name, () => resolve(true));
        timer = setTimeout(() => resolve(false), patience);
        effects.rename(before, this.#path);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(name);
    }
  }

  close(): void {
    this.#watcher.close();
    effects.removeTree(this.#directory);
  }

  get #path(): string {
    return join(this.#directory, `${this.#baked}`);
  }
}
