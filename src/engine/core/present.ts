import { statSync } from 'node:fs';
import { captureWorkspace, type Dirty, EVERYTHING, type Mark, manifestOf, type Snapshot, workspaceMissing } from '../../capture/index.ts';
import {
  type GitDetails,
  type GitHead,
  type Recorded,
  type RelativePath,
  sameGit,
  sameHead,
  sameState,
  toFs,
  type WorkspaceState,
} from '../../model/index.ts';
import type { Content, ObjectBatch } from '../../store/index.ts';
import type { Holding } from '../../usergit/index.ts';
import { lookAtGit } from '../git/git-look.ts';
import { otherDirectory } from './directory-identity.ts';
import { readGitContext, type UserGit } from './git-context.ts';
import type { Recollection } from './memory.ts';
import { NamedFiles } from './named-files.ts';
import { seedFrom } from './seed.ts';
import type { Workspace } from './workspace.ts';

export interface PresentOptions {
  /** Paths captured even when ignored. */
  readonly named?: readonly RelativePath[];
  /** A capture of a moment ago, instead of what is remembered. */
  readonly since?: Present;
  /** What may have changed since then. */
  readonly dirty?: Dirty;
  /** Every file is read, whatever is remembered or held by the user's git: for when the store is not to be relied on. */
  readonly fresh?: boolean;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** The workspace at this moment, in the store but not in the log. */
export interface Present extends Content {
  readonly snapshot: Snapshot;
  readonly head: GitHead | null;
  /** Null where there is no repository. */
  readonly git: GitDetails | null;
  /** What the user's own gc could drop of what is needed to bring `git` back. */
  readonly toPin: Holding | null;
  readonly userGit: UserGit;
  /** New objects not yet written. */
  readonly batch: ObjectBatch;
  /** Where in the journal the capture stands, if there is one. */
  readonly mark: Mark | undefined;
  /** Directories that were known before and are no longer part of the workspace. */
  readonly gone: readonly RelativePath[];
}

/** Whether a record has all of it: the workspace, and where git stands. */
export const isRecordedAs = (record: Recorded, { state, head, git }: Present): boolean =>
  record.state !== null &&
  sameState(record.state, state) &&
  (!('head' in record) || sameHead(record.head ?? null, head)) &&
  (!('git' in record) || sameGit(record.git, git));

const recollect = async ({ memory }: Workspace, { since, dirty = EVERYTHING, fresh }: PresentOptions): Promise<Recollection> => {
  if (fresh) return { previous: undefined, dirty: EVERYTHING };
  return since === undefined ? memory.recall() : { previous: since.snapshot, dirty, mark: since.mark };
};

/** Captures the workspace. Needs the lock. */
export const capturePresent = async (workspace: Workspace, options: PresentOptions = {}): Promise<Present> => {
  const { store, settings, memory, timings } = workspace;
  const { since } = options;
  if (!statSync(toFs(workspace.root), { throwIfNoEntry: false })?.isDirectory()) throw workspaceMissing(workspace.root);
  if (!workspace.isAtItsPlace) throw otherDirectory(workspace.root);
  timings.lap('preparing');
  // Asked first, so that git answers while we read the snapshot and scan.
  const asking = readGitContext(workspace.root, since?.userGit ?? memory.userGit);
  // Should recalling fail, nobody waits for the answer any more.
  asking.catch(() => {});
  const recalled = await recollect(workspace, options);
  timings.lap('looking');
  timings.scanned(recalled.scanned);
  const userGit = await asking;
  timings.lap('git');
  const seed = recalled.previous === undefined && !options.fresh ? await seedFrom(store, userGit, settings.durability) : {};
  timings.lap('seeding');
  const request = {
    root: workspace.root,
    ...recalled,
    beforeLooking: memory.beforeLooking,
    gitContext: userGit.gitContext,
    include: settings['capture.include'],
    exclude: settings['capture.exclude'],
    named: [...new Set([...new NamedFiles(workspace).paths, ...(options.named ?? [])])],
    leaveOut: workspace.ownPaths,
    limits: {
      maxFileBytes: settings['capture.maxFileBytes'],
      maxFiles: settings['capture.maxFiles'],
      maxTotalBytes: settings['capture.maxTotalBytes'],
    },
    ...seed,
    onProgress: options.onProgress,
  };
  const batch = recalled.unrecorded?.batch ?? store.objects.begin();
  try {
    const looking = lookAtGit(workspace, userGit, batch);
    looking.catch(() => {});
    const captured = captureWorkspace(request, batch);
    timings.lap('looking');
    const looked = await looking;
    timings.lap('git');
    timings.amounts(() => ({ files: captured.snapshot.countFiles(), bytes: batch.bytesAdded + batch.bytesPending }));
    return {
      ...looked,
      state: captured.snapshot.state as WorkspaceState,
      manifest: manifestOf(captured, request),
      snapshot: captured.snapshot,
      head: userGit.head,
      userGit,
      batch,
      mark: recalled.mark,
      gone: [...((since ?? recalled.unrecorded)?.gone ?? []), ...captured.gone],
    };
  } catch (error) {
    batch.abandon();
    throw error;
  }
};
