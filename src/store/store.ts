import { dirname, join } from 'node:path';
import { type Durability, effects, exists, type GitVersion, readIfExists, replaceFile, syncPath } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';
import { FORMAT, readFormat, writeConfiguration } from './configuration.ts';
import { Ledger } from './ledger.ts';
import { migrate } from './migrations.ts';
import { ObjectStore } from './objects/index.ts';
import { OperationLog } from './operation-log.ts';
import { Refs } from './refs.ts';

/** The private bare git repository of one workspace. */
export class Store {
  readonly directory: string;
  readonly objects: ObjectStore;
  readonly refs: Refs;
  readonly log: OperationLog;
  readonly #durability: Durability;
  #format: number;

  private constructor(directory: string, format: number, durability: Durability) {
    this.directory = directory;
    this.#format = format;
    this.#durability = durability;
    this.objects = new ObjectStore(directory, { durability });
    this.refs = new Refs(directory, durability);
    this.log = new OperationLog(this.objects, this.refs, new Ledger(join(directory, 'retake-ledger'), durability));
  }

  static open(directory: string, durability: Durability): Store {
    const store = Store.openAsIs(directory, durability);
    if (store.#format === 0) {
      throw new RetakeError('store-damaged', `The store ${directory} has lost its configuration`, {
        hint: `retake repair writes ${join(directory, 'config')} anew.`,
      });
    }
    return store;
  }

  /** Whatever state it is in, unless a newer version wrote it: what that may mean by it can't be known here. */
  static openAsIs(directory: string, durability: Durability): Store {
    const format = readFormat(directory);
    if (format > FORMAT) {
      throw new RetakeError(
        'store-newer',
        `The store ${directory} was written by a newer Retake (format ${format}, this one reads ${FORMAT})`,
        {
          hint: 'Update Retake; nothing was changed.',
        },
      );
    }
    return new Store(directory, format, durability);
  }

  /** Written by an older version. It can be read as it is; before anything is added it is to be migrated. */
  get isOlder(): boolean {
    return this.#format < FORMAT;
  }

  /** Needs the lock. */
  migrate(git: GitVersion): void {
    migrate({ directory: this.directory, git, durability: this.#durability });
    this.#format = FORMAT;
  }

  /** Makes the repository whole beside its place and moves it there, so that half a store is never seen. Needs the lock. */
  static create(directory: string, git: GitVersion, durability: Durability): void {
    if (exists(directory)) return;
    const made = `${directory}.new`;
    effects.removeTree(made);
    for (const path of FOLDERS) effects.makeDirectories(join(made, path));
    writeHead(made, durability);
    writeConfiguration(made, git, durability);
    effects.rename(made, directory);
    if (durability === 'power') syncPath(dirname(directory));
  }
}

/** What git takes a repository by, beside its configuration. */
const FOLDERS = ['objects/pack', 'objects/info', 'refs/heads', 'refs/retake/ops'];
const HEAD = 'ref: refs/heads/last\n';

export const isHeadWhole = (directory: string): boolean => readIfExists(join(directory, 'HEAD'))?.toString() === HEAD;

export const writeHead = (directory: string, durability: Durability): void =>
  replaceFile(join(directory, 'HEAD'), Buffer.from(HEAD), { durability });

export const missingFolders = (directory: string): string[] => FOLDERS.filter((path) => !exists(join(directory, path)));
