import type { RelativePath } from './bytes.ts';
import type { BlobId } from './ids.ts';

/** One thing at one path. Permission bits are the lower twelve of `st_mode`. */
export type Node =
  | { readonly type: 'file'; readonly blob: BlobId; readonly permissions: number }
  | { readonly type: 'link'; readonly blob: BlobId }
  | { readonly type: 'directory'; readonly permissions: number }
  /** A `.git` file: the pointer of a linked worktree or submodule. */
  | { readonly type: 'pointer'; readonly blob: BlobId; readonly permissions: number };

export type StepType = 'create' | 'restore' | 'retype' | 'delete' | 'chmod' | 'mkdir' | 'rmdir';

/** The change of one path: what is there now, and what will be. */
export interface PlanStep {
  readonly type: StepType;
  readonly path: RelativePath;
  readonly from: Node | null;
  readonly to: Node | null;
}

/** The change of a file outside the workspace. */
export interface OutsideStep {
  readonly type: 'create' | 'restore' | 'delete' | 'chmod';
  /** Absolute, as the tool named it. */
  readonly path: string;
  /** The directory that it is in, without links: should that become another one, nothing is written there. */
  readonly directory: string;
  readonly from: { readonly blob: BlobId; readonly permissions: number } | null;
  readonly to: { readonly blob: BlobId; readonly permissions: number } | null;
}

export const sameNode = (a: Node | null, b: Node | null): boolean => {
  if (a === null || b === null) return a === b;
  if (a.type !== b.type) return false;
  if ('blob' in a && 'blob' in b && a.blob !== b.blob) return false;
  return !('permissions' in a && 'permissions' in b) || a.permissions === b.permissions;
};
