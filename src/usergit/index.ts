/**
 * usergit: the user's repository. For a capture it is read and never changed, and nothing it brings is run: what can be read in-process
 * is, and the few questions left go to the git binary without hooks, filters, monitors or fetching (CAP-10). What git says is evidence to
 * be weighed: a damaged or foreign repository makes answers poorer, and never makes a capture fail.
 *
 * It is also the one writer of the user's objects, refs and index, for what they asked to be done there. That is done as they would do
 * it themselves, with everything of theirs in force, and fails loudly.
 */
export { askGit } from './ask.ts';
export { commitTree, writeCommit, writeUnsignedCommit } from './commits/commit.ts';
export { commitTrailers } from './commits/commit-trailers.ts';
export { Draft, type RawFile, type RawFiles } from './commits/draft.ts';
export { type HistoryCommit, historyOf } from './commits/history.ts';
export { assertIdentity } from './commits/identity.ts';
export { branchElsewhere, moveRefs, readRefs } from './commits/move-refs.ts';
export { listRemoteBranches, listRemotes, type PushTarget, pushBranch, pushTargetOf, rehearsePush } from './commits/push.ts';
export { refTips } from './commits/ref-tips.ts';
export {
  branchExists,
  branchesAround,
  commitMessage,
  commitsBetween,
  createBranch,
  hasCommit,
  hasConflicts,
  isBranchName,
  moveHead,
  treeOf,
} from './commits/user-branch.ts';
export {
  commitNamed,
  idNamed,
  inOrderMade,
  isReachedByHead,
  isReachedByRefs,
  leadingTo,
  readCommit,
  type UserCommit,
} from './commits/user-commit.ts';
export { readGitState, stagedPaths } from './git-state.ts';
export { hasCommits, readHead } from './head.ts';
export { CertainIds } from './objects/certain-ids.ts';
export { CommitReader, type ReadCommit } from './objects/commit-reader.ts';
export { type LeftCommit, listLeftBehind } from './objects/left-behind.ts';
export { linkPacks, tryLink } from './objects/link-packs.ts';
export { isWhollyPacked, looseObjectPath, objectDirectories, packsOf } from './objects/object-sources.ts';
export { objectTypes } from './objects/object-types.ts';
export { fetchesWhatIsMissing } from './objects/partial-clone.ts';
export { type GitObjects as Holding, PinnedObjects, type PinnedRef } from './objects/pinned-objects.ts';
export { readPlainFile, readPlainText } from './plain-file.ts';
export { lastMoves } from './reflog/head-log.ts';
export { areWhole, unreachableCommits } from './reflog/reachability.ts';
export { entriesOf, idLength, type ReflogEntry, readReflogs } from './reflog/reflog.ts';
export { endOf, ReflogExpiry, reachOf, type TermSetting } from './reflog/reflog-expiry.ts';
export { hasReftables, type ReflogFile, refHome, reflogFiles, reflogPath } from './reflog/reflog-files.ts';
export { isNoObject, parseReflogLine } from './reflog/reflog-line.ts';
export { insertMissing, missingLines } from './reflog/reflog-merge.ts';
export { findRepository, repositoryAt, type UserRepository } from './repository.ts';
export type { GitConfig } from './settings/git-config.ts';
export { type IgnoreSettings, readIgnoreSettings, readInfoExclude } from './settings/settings.ts';
export { writeEmptyBlob } from './staging/empty-blob.ts';
export { UserIndex } from './staging/index-file.ts';
export { indexStamp } from './staging/index-stamp.ts';
export { type IndexedEntry, indexEntries, indexedEntry, refreshIndex, setIndexEntries, skippedPaths } from './staging/staged.ts';
export { decodeStaging, encodeEntries, type StagedEntry } from './staging/staging.ts';
export { type GitEntries, type GitEntry, readTreeEntries, sameEntry, stagingOfTree, submodulesIn } from './staging/tree-entries.ts';
export { clearIndexLock, writeIndex } from './staging/write-index.ts';
