import {
  type GitDetails,
  type GitHead,
  type GitLogEntry,
  type GitMove,
  pathFields,
  type Recorded,
  type RelativePath,
  type Staging,
  sameHead,
  sameStaging,
} from '../../model/index.ts';
import type { ObjectBatch, TreeEntry } from '../../store/index.ts';
import { type Holding, lastMoves, readGitState, stagedPaths, type UserIndex } from '../../usergit/index.ts';
import type { UserGit } from '../core/git-context.ts';
import type { Workspace } from '../core/workspace.ts';

export interface GitLook {
  /** Null where there is no repository. */
  readonly git: GitDetails | null;
  /** What came since the last record and the user's own gc could drop. */
  readonly toPin: Holding | null;
}

/** How many staged files are recorded by name. */
const NAMED = 100;

/**
 * The user's git beside HEAD (CKP-2). What the last record knows already is not read again: as long as nobody uses git, this costs
 * some looks at single files.
 */
export const lookAtGit = async (workspace: Workspace, { repository, head, index }: UserGit, batch: ObjectBatch): Promise<GitLook> => {
  if (repository === undefined || head === null || index === null) return { git: null, toPin: null };
  const before = gitIn(workspace.index.newestContent());
  const { underWay, stash } = readGitState(repository);
  const log = lastMoves(repository, before?.git.seen.reflog ?? Number.MAX_SAFE_INTEGER);
  const move = before && moveSince(before, { head, stash, entries: log.moves });
  const now = { underWay, stash, seen: { index: index.stamp, reflog: log.offset }, ...(move === undefined ? {} : { move }) };
  const isSameIndex = before?.git.seen.index === index.stamp;
  if (before !== undefined && isSameIndex && sameHead(before.head, head)) {
    const { staging, staged } = before.git;
    return { git: { staging, staged, ...now }, toPin: move === undefined ? null : { commits: commitsOf(head, stash, move), objects: [] } };
  }
  const changed = await stagedPaths(repository);
  const staging = before !== undefined && isSameIndex ? before.git.staging : keepStaging(index.read(), batch);
  const staged = { count: changed.length, paths: changed.slice(0, NAMED).map((path) => pathFields(path).path) };
  // git may have written the same index anew, to remember when it looked at files.
  const isKnown = before !== undefined && move === undefined && sameStaging(before.git.staging, staging);
  return {
    git: { staging, staged, ...now },
    toPin: isKnown ? null : { commits: commitsOf(head, stash, move), objects: objectsOf(staging, changed, index.read()) },
  };
};

interface Known {
  readonly head: GitHead;
  readonly git: GitDetails;
}

const gitIn = (record: Recorded | undefined): Known | undefined =>
  record !== undefined && 'git' in record && record.git !== undefined && record.head != null
    ? { head: record.head, git: record.git }
    : undefined;

const moveSince = (
  { head: from, git: { stash: stashed } }: Known,
  { head: to, stash, entries }: { head: GitHead; stash: string | null; entries: readonly GitLogEntry[] },
): GitMove | undefined => {
  if (sameHead(from, to) && stash === stashed && entries.length === 0) return undefined;
  return { from, to, entries, ...(stash === stashed ? {} : { stash: stash === null ? 'dropped' : 'made' }) };
};

/** The index as the store keeps it; undefined when it can not be read. */
const keepStaging = (index: UserIndex, batch: ObjectBatch): Staging | null | undefined => {
  if (index.problem !== null) return undefined;
  if (index.wholeTree !== null) return { tree: index.wholeTree };
  const chunks = index.staging();
  const entries = chunks.map((chunk, place): TreeEntry => {
    const name = String(place).padStart(6, '0');
    return { mode: 0o100644, name: name as TreeEntry['name'], id: batch.blob(chunk) };
  });
  return { entries: batch.tree(entries) };
};

/** What was made and given up again within one step is in the reflog only. */
const commitsOf = (head: GitHead, stash: string | null, move: GitMove | undefined): string[] => {
  const commits = [head.commit, stash, ...(move?.entries.map(({ to }) => to) ?? [])];
  return [...new Set(commits.filter((id) => id !== null))];
};

/** A commit of a submodule, which is in another repository. */
const GITLINK = 0o160000;

/** Staged content that no commit has; of conflicts the sides are in commits. */
const objectsOf = (staging: Staging | null | undefined, changed: readonly RelativePath[], index: UserIndex): string[] => {
  const entries = changed.map((path) => index.entry(path)).filter((entry) => entry !== undefined && entry.mode !== GITLINK);
  return [...(staging != null && 'tree' in staging ? [staging.tree] : []), ...new Set(entries.flatMap((entry) => entry?.id ?? []))];
};
