import type { TreeId } from './ids.ts';

export interface GitHead {
  /** The branch, or null when HEAD is detached. */
  readonly branch: string | null;
  /** The commit, or null on a branch without commits. */
  readonly commit: string | null;
}

export const sameHead = (a: GitHead | null, b: GitHead | null): boolean => a?.branch === b?.branch && a?.commit === b?.commit;

/** What git itself is in the middle of. */
export type GitUnderWay = 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect';

/** What the index holds: exactly a tree of the user's repository, or entries that the store keeps (`staging/` of the operation). */
export type Staging = { readonly tree: string } | { readonly entries: TreeId };

export const sameStaging = (a: Staging | null | undefined, b: Staging | null | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Where the user's repository stands, as far as it can be brought back. */
export interface GitPosition {
  readonly head: GitHead;
  /** Null when there is no index. */
  readonly staging: Staging | null;
}

/** An entry that git made in HEAD's reflog. */
export interface GitLogEntry {
  /** Null before the first commit. */
  readonly from: string | null;
  readonly to: string | null;
  readonly message: string;
}

/** How the repository got from where the record before had it to here (GIT-8). */
export interface GitMove {
  readonly from: GitHead;
  readonly to: GitHead;
  readonly entries: readonly GitLogEntry[];
  readonly stash?: 'made' | 'dropped';
}

/** The user's git at the moment of a record, beside HEAD. */
export interface GitDetails {
  /** Null when there is no index; absent when it could not be read. */
  readonly staging?: Staging | null | undefined;
  /** Files whose staged content is not HEAD's, and the first of them by name. */
  readonly staged: { readonly count: number; readonly paths: readonly string[] };
  readonly underWay: GitUnderWay | null;
  /** The newest stash. */
  readonly stash: string | null;
  /** By these the next look tells what it need not read again: the checksum of the index, and how long HEAD's reflog was. */
  readonly seen: { readonly index: string; readonly reflog: number };
  readonly move?: GitMove;
}

/** Whether git stands where it stood: what only tells of the way there does not count. */
export const sameGit = (a: GitDetails | null | undefined, b: GitDetails | null | undefined): boolean =>
  a == null || b == null
    ? (a ?? null) === (b ?? null)
    : sameStaging(a.staging, b.staging) && a.stash === b.stash && a.underWay === b.underWay;

/** One branch that goes from one commit to another; null where there is none. */
export interface RefChange {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** How a rollback moves the user's git. What leads back is the same with its sides swapped. */
export interface GitChange {
  readonly from: GitPosition;
  readonly to: GitPosition;
  readonly refs: readonly RefChange[];
}

export const reverseChange = ({ from, to, refs }: GitChange): GitChange => ({
  from: to,
  to: from,
  refs: refs.map((change) => ({ ref: change.ref, from: change.to, to: change.from })),
});
