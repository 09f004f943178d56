import type { ByteString, RelativePath } from '../model/index.ts';
import type { Dirty } from './dirty.ts';
import type { Seed } from './entry-reader.ts';
import type { GitContext, RepositoryView } from './git-context.ts';
import type { FileStat } from './record.ts';
import type { Snapshot } from './snapshot.ts';

export interface CaptureRequest {
  /** The workspace, absolute and without links. */
  readonly root: ByteString;
  readonly previous: Snapshot | undefined;
  readonly dirty: Dirty;
  readonly gitContext: GitContext;
  /** Patterns of files captured even when ignored, in directories that are not. */
  readonly include: readonly string[];
  /** Patterns of what is never captured, tracked, included, named or not. */
  readonly exclude: readonly string[];
  /** Paths captured even when ignored; of a directory that is named only itself, and not what is in it. */
  readonly named: readonly RelativePath[];
  /** Directories of our own data, never captured. */
  readonly leaveOut: ReadonlySet<RelativePath>;
  readonly limits: CaptureLimits;
  /** Ids known beforehand for files that were never read by us. */
  readonly seed?: Seed | undefined;
  /** Stat data that another thread has fetched already. */
  readonly prefetch?: Prefetch | undefined;
  /** Called with each directory before it is looked at. */
  readonly beforeLooking?: ((directory: RelativePath) => void) | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

export interface Prefetch {
  stat(path: RelativePath): FileStat | undefined;
}

export interface CaptureLimits {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly maxTotalBytes: number;
}

export interface Captured {
  readonly snapshot: Snapshot;
  /** The repositories that the workspace lies in or holds. */
  readonly repositories: readonly RepositoryView[];
  /** Directories that the previous snapshot knew and this one does not. */
  readonly gone: readonly RelativePath[];
}
