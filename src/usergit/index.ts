/**
 * usergit: the user's repository. For a capture it is read and never changed, and nothing it brings is run: what can be read in-process
 * is, and the few questions left go to the git binary without hooks, filters, monitors or fetching (CAP-10). What git says is evidence to
 * be weighed: a damaged or foreign repository makes answers poorer, and never makes a capture fail.
 *
 * It is also the one writer of the user's objects, refs and index, for what they asked to be done there. That is done as they would do
 * it themselves, with everything of theirs in force, and fails loudly.
 */
export { askGit } from './ask.ts';
export { CertainIds } from './certain-ids.ts';
export { commitTree, writeCommit, writeUnsignedCommit } from './commit.ts';
export { commitTrailers } from './commit-trailers.ts';
export { Draft, type RawFile, type RawFiles } from './draft.ts';
export { writeEmptyBlob } from './empty-blob.ts';
export type { GitConfig } from './git-config.ts';
export { readGitState, stagedPaths } from './git-state.ts';
export { readHead } from './head.ts';
export { lastMoves } from './head-log.ts';
export { HeldObjects, type Holding } from './held-objects.ts';
export { type HistoryCommit, historyOf } from './history.ts';
export { UserIndex } from './index-file.ts';
export { countLeftBehind } from './left-behind.ts';
export { linkPacks, tryLink } from './link-packs.ts';
export { branchElsewhere, moveRefs, readRefs } from './move-refs.ts';
export { isWhollyPacked, looseObjectPath, objectDirectories, packsOf } from './object-sources.ts';
export { objectTypes } from './object-types.ts';
export { fetchesWhatIsMissing } from './partial-clone.ts';
export { readPlainFile, readPlainText } from './plain-file.ts';
export { type PushTarget, pushBranch, pushTargetOf } from './push.ts';
export { areWhole, unreachableCommits } from './reachability.ts';
export { refTips } from './ref-tips.ts';
export { entriesOf, idLength, type ReflogEntry, readReflogs } from './reflog.ts';
export { endOf, ReflogExpiry, reachOf, type TermSetting } from './reflog-expiry.ts';
export { hasReftables, type ReflogFile, refHome, reflogFiles, reflogPath } from './reflog-files.ts';
export { isNoObject, parseReflogLine } from './reflog-line.ts';
export { insertMissing, missingLines } from './reflog-merge.ts';
export { findRepository, repositoryAt, type UserRepository } from './repository.ts';
export { type IgnoreSettings, readIgnoreSettings, readInfoExclude } from './settings.ts';
export { type IndexedEntry, indexEntries, indexedEntry, refreshIndex, setIndexEntries, skippedPaths } from './staged.ts';
export { decodeStaging, encodeEntries, type StagedEntry } from './staging.ts';
export { type GitEntries, type GitEntry, readTreeEntries, sameEntry, stagingOfTree, submodulesIn } from './tree-entries.ts';
export {
  branchExists,
  commitMessage,
  commitsBetween,
  createBranch,
  hasCommit,
  hasConflicts,
  isBranchName,
  moveHead,
  treeOf,
} from './user-branch.ts';
export {
  commitNamed,
  idNamed,
  inOrderMade,
  isReachedByHead,
  isReachedByRefs,
  leadingTo,
  readCommit,
  type UserCommit,
} from './user-commit.ts';
export { clearIndexLock, writeIndex } from './write-index.ts';
