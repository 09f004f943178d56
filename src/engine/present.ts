import { captureWorkspace, type Dirty, EVERYTHING, loadSnapshot, manifestOf, type Snapshot, saveSnapshot, scan } from '../capture/index.ts';
import { type GitHead, type OperationId, type RelativePath, RetakeError, type WorkspaceState } from '../model/index.ts';
import type { Content, ObjectBatch } from '../store/index.ts';
import { seedFrom } from './seed.ts';
import { lookAround, type UserGit } from './surroundings.ts';
import type { Workspace } from './workspace.ts';

export interface PresentOptions {
  /** Paths captured even when ignored. */
  readonly named?: readonly RelativePath[];
  /** What is known already, instead of what was saved. */
  readonly previous?: Snapshot;
  /** What may have changed since `previous`; everything unless told. */
  readonly dirty?: Dirty;
  /** What is known of the user's git from a moment ago. */
  readonly userGit?: UserGit;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** The workspace at this moment, in the store but not in the log. */
export interface Present extends Content {
  readonly snapshot: Snapshot;
  readonly head: GitHead | null;
  readonly userGit: UserGit;
  /** New objects not yet written. */
  readonly batch: ObjectBatch;
}

/** Captures the workspace. Needs the lock. */
export const capturePresent = async (workspace: Workspace, options: PresentOptions = {}): Promise<Present> => {
  const { store, settings, index } = workspace;
  // Asked first, so that git answers while we read the snapshot and scan.
  const asking = options.userGit?.again() ?? lookAround(workspace.root);
  const previous = options.previous ?? loadSnapshot(workspace.snapshotPath, (id) => index.get(id) !== undefined);
  const dirty = options.dirty ?? (previous === undefined ? EVERYTHING : scan(workspace.root, previous));
  const userGit = await asking;
  const request = {
    root: workspace.root,
    previous,
    dirty,
    surroundings: userGit.surroundings,
    include: settings['capture.include'],
    named: options.named ?? [],
    leaveOut: workspace.ownPaths,
    limits: {
      maxFileBytes: settings['capture.maxFileBytes'],
      maxFiles: settings['capture.maxFiles'],
      maxTotalBytes: settings['capture.maxTotalBytes'],
    },
    ...(previous === undefined ? await seedFrom(store, userGit, settings.durability) : {}),
    onProgress: options.onProgress,
  };
  const batch = store.objects.begin();
  try {
    const captured = captureWorkspace(request, batch);
    return {
      state: captured.snapshot.state as WorkspaceState,
      manifest: manifestOf(captured, request),
      snapshot: captured.snapshot,
      head: userGit.head,
      userGit,
      batch,
    };
  } catch (error) {
    batch.abandon();
    throw error;
  }
};

/** Saves what is known of the workspace for the next capture. The record it belongs to is safe already, so a full disk is no failure. */
export const rememberSnapshot = ({ snapshotPath, settings }: Workspace, snapshot: Snapshot, recordedBy: OperationId): void => {
  try {
    saveSnapshot(snapshotPath, snapshot, recordedBy, settings.durability);
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
  }
};
