import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuseIfAborted } from '../../host/index.ts';
import { type ObjectId, RetakeError, type TreeId } from '../../model/index.ts';
import type { ObjectStore } from '../objects/index.ts';

const TREE = 0o40000;
/** A commit of another repository. */
const GITLINK = 0o160000;

/** How many objects are looked at before others get their turn. */
const AT_A_TIME = 500;

export interface ReachOptions {
  /** What lies behind such an object is known already. */
  readonly isKnown?: (id: ObjectId) => boolean;
  readonly onProgress?: ((objects: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * All that operations need, each object with the path where it was met first: by that, git finds what is alike. Only trees and
 * commits are read; those that can't be are told apart, and nothing is known of what lies behind them.
 */
export class Reach {
  readonly found = new Map<ObjectId, string>();
  readonly unreadable = new Set<ObjectId>();
  readonly #objects: ObjectStore;
  readonly #options: ReachOptions;
  #looked = 0;

  constructor(objects: ObjectStore, options: ReachOptions = {}) {
    this.#objects = objects;
    this.#options = options;
  }

  async add(operations: Iterable<ObjectId>): Promise<void> {
    for (const operation of operations) {
      const root = this.#take(operation, '') ? this.#read(operation, () => this.#objects.readCommit(operation).tree) : undefined;
      if (root !== undefined) await this.#addTree(root);
    }
  }

  async #addTree(root: TreeId): Promise<void> {
    const waiting: [tree: TreeId, path: string][] = this.#take(root, '') ? [[root, '']] : [];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [tree, path] = next;
      for (const { id, mode, name } of this.#read(tree, () => this.#objects.readTree(tree)) ?? []) {
        const below = path === '' ? name : `${path}/${name}`;
        if (mode !== GITLINK && this.#take(id, below) && mode === TREE) waiting.push([id as TreeId, below]);
      }
      await this.#giveWay();
    }
  }

  /** False when nothing new is behind it. */
  #take(id: ObjectId, path: string): boolean {
    if (this.found.has(id) || this.#options.isKnown?.(id)) return false;
    this.found.set(id, path);
    return true;
  }

  #read<T>(id: ObjectId, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'store-damaged')) throw error;
      this.unreadable.add(id);
      return undefined;
    }
  }

  async #giveWay(): Promise<void> {
    if (++this.#looked % AT_A_TIME !== 0) return;
    this.#options.onProgress?.(this.found.size);
    await nextTurn();
    refuseIfAborted(this.#options.signal);
  }
}
