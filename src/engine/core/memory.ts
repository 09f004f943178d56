import type { Dirty, LoadedSnapshot, Mark, Snapshot } from '../../capture/index.ts';
import { EVERYTHING, loadSnapshot, saveSnapshot, scan } from '../../capture/index.ts';
import { readIfExists, replaceFile } from '../../host/index.ts';
import { type OperationId, type RelativePath, RetakeError } from '../../model/index.ts';
import type { ScanReason } from '../timing/stopwatch.ts';
import type { EarlierGitContext } from './git-context.ts';
import type { Present } from './present.ts';
import type { Workspace } from './workspace.ts';

/** What is known of the workspace before it is looked at. */
export interface Recollection {
  readonly previous: Snapshot | undefined;
  /** What may have changed since `previous`. */
  readonly dirty: Dirty;
  /** The moment that `dirty` tells of, where there is a journal. */
  readonly mark?: Mark | undefined;
  /** Why every file had to be looked at, where that was so. */
  readonly scanned?: ScanReason | undefined;
  /** Objects of `previous` that no operation holds yet, and directories that went with it. */
  readonly unrecorded?: Pick<Present, 'batch' | 'gone'> | undefined;
}

/** What one capture leaves for the next. */
export interface Memory {
  recall(): Promise<Recollection>;
  /** What was seen of the user's git last time. */
  readonly userGit: EarlierGitContext | undefined;
  /** To be called with each directory before it is looked at. */
  readonly beforeLooking?: (directory: RelativePath) => void;
  /** `recordedBy` holds all that was captured. */
  remember(present: Present, recordedBy: OperationId): void;
  /** The workspace was found as `recordedBy` has it. */
  confirm(present: Present, recordedBy: OperationId): void;
}

/** The scan tier: everything is in files, and every capture asks the system about every file. */
export class FileMemory implements Memory {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  get userGit(): EarlierGitContext | undefined {
    const bytes = readIfExists(this.#workspace.gitConfigPath);
    try {
      return bytes && { settings: JSON.parse(bytes.toString()) };
    } catch {
      return undefined;
    }
  }

  async recall(): Promise<Recollection> {
    const previous = this.load()?.snapshot;
    if (previous === undefined) return { previous, dirty: EVERYTHING, scanned: 'first-record' };
    return { previous, dirty: scan(this.#workspace.root, previous), scanned: 'no-daemon' };
  }

  load(): LoadedSnapshot | undefined {
    const { index, store, snapshotPath } = this.#workspace;
    // The index may know operations that the store has lost, and what they held with them.
    return loadSnapshot(snapshotPath, (id) => index.get(id) !== undefined && store.objects.has(id));
  }

  /** The record they belong to is safe already, so a full disk is no failure. */
  remember({ snapshot, userGit }: Present, recordedBy: OperationId): void {
    const { snapshotPath, gitConfigPath, settings } = this.#workspace;
    try {
      saveSnapshot(snapshotPath, snapshot, recordedBy, settings.durability);
      const { globalExcludes: _, ...config } = userGit.settings;
      const bytes = Buffer.from(JSON.stringify(config));
      if (!readIfExists(gitConfigPath)?.equals(bytes)) replaceFile(gitConfigPath, bytes, { durability: settings.durability });
    } catch (error) {
      if (!(error instanceof RetakeError)) throw error;
    }
  }

  confirm(): void {}
}
