import { captureWorkspace, type Dirty, EVERYTHING, loadSnapshot, manifestOf, type Snapshot, scan } from '../capture/index.ts';
import type { GitHead, RelativePath, WorkspaceState } from '../model/index.ts';
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
  // Asked before the snapshot is read, so that git answers meanwhile.
  const asking = options.userGit?.again() ?? lookAround(workspace.root);
  const previous = options.previous ?? loadSnapshot(workspace.snapshotPath, (id) => index.get(id) !== undefined);
  const userGit = await asking;
  const request = {
    root: workspace.root,
    previous,
    dirty: options.dirty ?? (previous === undefined ? EVERYTHING : scan(workspace.root, previous)),
    surroundings: userGit.surroundings,
    include: settings['capture.include'],
    named: options.named ?? [],
    leaveOut: workspace.ownPaths,
    limits: {
      maxFileBytes: settings['capture.maxFileBytes'],
      maxFiles: settings['capture.maxFiles'],
      maxTotalBytes: settings['capture.maxTotalBytes'],
    },
    seed: previous === undefined ? await seedFrom(store, userGit, settings.durability) : undefined,
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
