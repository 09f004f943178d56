/**
 * engine: the use cases, one file each, and the library's public face. Everything a face can do is a function here that
 * takes a workspace.
 */

export type { ConflictReason } from '../diff/index.ts';
export { beginningOf, type FileChange, renderPatch } from '../diff/text/index.ts';
export { setClock, whyGitIsUnusable } from '../host/index.ts';
export type { MergeChoice } from '../model/index.ts';
export type { StepStatus } from '../timeline/index.ts';
export type { DescribedActor } from './attribution/describe-actors.ts';
export { type ChangedBy, type DiffBy, diffBy, type GroupOwner } from './attribution/diff-by.ts';
export { type OwnedFile, readOwnedFiles } from './attribution/record-owners.ts';
export { isPersons, type PathShare } from './attribution/shares.ts';
export type { BranchDescription, BranchView } from './conversation/branches.ts';
export { type ComparedBranch, type Comparison, compareBranches } from './conversation/compare.ts';
export type { ConversationMove } from './conversation/conversation.ts';
export { type ForkRequest, type ForkResult, forkConversation } from './conversation/fork.ts';
export { type ForkPointMark, readForkPoints } from './conversation/fork-points.ts';
export { type Forks, type ForksQuery, type ForkView, readForks, recordForks, viewForks } from './conversation/forks.ts';
export * from './conversation/merge.ts';
export * from './conversation/messages.ts';
export { type ForkPlace, resolveForkRewind } from './conversation/rewind-to-fork.ts';
export { findCheckpoint } from './conversation/session-checkpoint.ts';
export { agentSession, knownSession, NO_AGENT_YET } from './conversation/session-named.ts';
export { readSessionPlaces, type SessionPlace } from './conversation/session-places.ts';
export { reportSession, type SessionReport, turnsMeantBy } from './conversation/session-summary.ts';
export { type DescribedTurn, describeTurns, listTurns } from './conversation/session-turns.ts';
export * from './conversation/sessions.ts';
export type { SummarySide } from './conversation/summary.ts';
export { resolveSwitch, resolveSwitchIn } from './conversation/switch.ts';
export type { SessionTurn } from './conversation/turn-list.ts';
export { messagesOfTurn } from './conversation/turn-messages.ts';
export { type CheckpointRecord, listRecords, recordsOfTurns } from './conversation/turn-records.ts';
export * from './conversation/turns.ts';
export { type Adoptable, type Adopted, adopt, chooseAdoptable, listAdoptable, listOffered } from './core/adopt.ts';
export { belongTo, readIdentity } from './core/directory-identity.ts';
export type { Healed } from './core/heal.ts';
export { isProtected, locate as placeOfWorkspace, type Place } from './core/locate.ts';
export * from './core/paths.ts';
export { storedPlaces } from './core/stored-places.ts';
export { type Audit, WarmMemory } from './core/warm-memory.ts';
export { type OpenOptions, Workspace } from './core/workspace.ts';
export { type ExportResult, exportSession, nameForFile } from './exchange/export-session.ts';
export { type ExportStream, streamExport } from './exchange/export-stream.ts';
export { type ImportResult, importSession } from './exchange/import-session.ts';
export { commitAt, resolveSubject, type Subject } from './git/find-subject.ts';
export {
  checkGitHealthDaily,
  type GitConcern,
  type GitHealth,
  type GitVerdict,
} from './git/git-health.ts';
export { type MendPlan, type MendResult, mendGitHealth, planGitMend } from './git/git-mend.ts';
export type { PlannedGit } from './git/git-plan.ts';
export { hasToPin, pinObjects } from './git/pinned-objects.ts';
export { checkHealthDaily, type Health, type OperationTimes, readHealth } from './health/health.ts';
export type { StoreHealth, StoreLook } from './health/store-health.ts';
export { commitLock } from './keep/commit-lock.ts';
export { commitSteps, isWorkOver, sessionsToCommit } from './keep/commit-steps.ts';
export type { LeftOutOfCommit } from './keep/committable.ts';
export { type KeepResult, keepWork, planKeep } from './keep/keep.ts';
export type { KeepPlan } from './keep/keep-plan.ts';
export {
  type BranchOutcome,
  type BranchRequest,
  makePlannedBranch,
  type PlannedBranch,
  plannedBranch,
  possibleBranch,
} from './keep/planned-branch.ts';
export { makeRecoveryBranch, type RecoveryBranch } from './keep/recovery-branch.ts';
export type { CommitTime } from './keep/step-batches.ts';
export * from './read/blame.ts';
export * from './read/diff.ts';
export type { ComparedState, Difference } from './read/difference.ts';
export { type FileAt, findFileAt } from './read/file-at.ts';
export { type KnownWord, knownWords, type WordKind } from './read/known-words.ts';
export * from './read/log.ts';
export * from './read/news.ts';
export { type DifferenceSubject, readDifference } from './read/read-difference.ts';
export type { Remaining } from './read/remaining.ts';
export * from './read/resolve.ts';
export { type RollbackEntry, type RollbackFilter, readRollbacks } from './read/rollback-history.ts';
export * from './read/session-base.ts';
export * from './read/session-checkpoints.ts';
export { readSessionSteps, type StepsQuery } from './read/session-steps.ts';
export { shortestId } from './read/shortest-id.ts';
export { type ShownFile, showFiles, showHunks, showRange } from './read/shown-files.ts';
export { presentState } from './read/states.ts';
export * from './read/status.ts';
export * from './record/annotate.ts';
export * from './record/checkpoint.ts';
export { checkedSession } from './record/given-texts.ts';
export * from './record/record-event.ts';
export { type RunningStep, readRunningSteps, stepsEnded } from './record/running-steps.ts';
export type { DescribedConflict } from './recover/conflicts.ts';
export * from './recover/discard.ts';
export { resolveRecover } from './recover/recover.ts';
export {
  abortRecovery,
  beginRecovery,
  beginRecoveryOf,
  commitsToBe,
  continueRecovery,
  finishRecovery,
  type Recovering,
  type RecoveryInGit,
  resolveAbort,
} from './recover/recovering.ts';
export type { ReplayChoice } from './recover/replay-request.ts';
export { resolveRevert } from './recover/revert.ts';
export { type SessionWork, workOf } from './recover/session-work.ts';
export * from './reflog/reflog.ts';
export { type MissingEntry, planReflogRestore, type ReflogRestorePlan, restoreReflogs } from './reflog/reflog-restore.ts';
export { gatherReport } from './report/gather.ts';
export type { Report } from './report/report.ts';
export { REPORT_FORMATS, type ReportFormat, renderReport, writeReport } from './report/write.ts';
export { workspaceMoved } from './rewind/as-shown.ts';
export { type DescribedPlan, type DescribedReplay, describePlan } from './rewind/describe-plan.ts';
export { type HunkChoice, hunksOf, limitRequestToHunks, type NumberedHunk, patchOfPlan } from './rewind/hunks.ts';
export type { LeftByPlan } from './rewind/left-by-plan.ts';
export { isIdle, type RollbackPlan, type RollbackRequest, scopeOf } from './rewind/plan.ts';
export { sealOf } from './rewind/plan-seal.ts';
export * from './rewind/request.ts';
export * from './rewind/rollback.ts';
export { changeSettings } from './settings/change-settings.ts';
export { keyNamed, listSettings, type Setting, type SettingsReport, type StraySetting, settingNamed } from './settings/list-settings.ts';
export { isSettingKey, parseSetting, SETTING_KEYS } from './settings/setting-rules.ts';
export * from './settings/settings.ts';
export type { SlowOperation, SlowReason } from './timing/stopwatch.ts';
export { maintainAll } from './upkeep/all-workspaces.ts';
export { type AffectedOperation, type CheckReport, checkStore } from './upkeep/check.ts';
export { type DiskUse, diskUse } from './upkeep/disk-use.ts';
export { type Finding, REMEDIES, type Remark } from './upkeep/findings.ts';
export * from './upkeep/gc.ts';
export { isUpkeepDue, type MaintenanceReport, maintain } from './upkeep/maintain.ts';
export { PRUNE_REASONS, type PruneOptions, type PrunePlan, planPrune, prune, reasonsOf } from './upkeep/prune.ts';
export { type RepairResult, repairStore } from './upkeep/repair/repair.ts';
