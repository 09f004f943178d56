/**
 * engine: the use cases, one file each, and the library's public face. Everything a face can do is a function here that
 * takes a workspace.
 */

export type { ConflictReason } from '../diff/index.ts';
export { beginningOf, type FileChange, renderPatch } from '../diff/text/index.ts';
export { setClock, whyGitIsUnusable } from '../host/index.ts';
export type { MergeChoice } from '../model/index.ts';
export type { StepStatus } from '../timeline/index.ts';
export { type Adoptable, type Adopted, adopt, chooseAdoptable, listAdoptable, listOffered } from './adopt.ts';
export * from './aim.ts';
export * from './annotate.ts';
export { workspaceMoved } from './as-shown.ts';
export { type ChangedBy, type DiffBy, diffBy, type GroupOwner } from './attribution/diff-by.ts';
export { type OwnedFile, readOwnedFiles } from './attribution/record-owners.ts';
export { isPersons, type PathShare } from './attribution/shares.ts';
export type { DescribedActor } from './attribution/told-doers.ts';
export * from './blame.ts';
export { changeSettings } from './change-settings.ts';
export * from './checkpoint.ts';
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
export { type DescribedPlan, type DescribedReplay, describePlan } from './describe-plan.ts';
export * from './diff.ts';
export type { ComparedState, Difference } from './difference.ts';
export { type ExportResult, exportSession, nameForFile } from './exchange/export-session.ts';
export { type ExportStream, streamExport } from './exchange/export-stream.ts';
export { type ImportResult, importSession } from './exchange/import-session.ts';
export { type FileAt, findFileAt } from './file-at.ts';
export { commitAt, resolveSubject, type Subject } from './git/find-subject.ts';
export {
  checkGitHealthDaily,
  type GitConcern,
  type GitHealth,
  type GitVerdict,
} from './git/git-health.ts';
export { type MendPlan, type MendResult, mendGitHealth, planGitMend } from './git/git-mend.ts';
export type { PlannedGit } from './git/git-plan.ts';
export { hasToPin, pinObjects } from './git/holdings.ts';
export { checkedSession } from './given-texts.ts';
export type { Healed } from './heal.ts';
export { checkHealthDaily, type Health, type OperationTimes, readHealth } from './health/health.ts';
export type { StoreHealth, StoreLook } from './health/store-health.ts';
export { type HunkChoice, hunksOf, limitRequestToHunks, type NumberedHunk, patchOfPlan } from './hunks.ts';
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
export { type KnownWord, knownWords, type WordKind } from './known-words.ts';
export type { LeftByPlan } from './left-by-plan.ts';
export { keyNamed, listSettings, type Setting, type SettingsReport, type StraySetting, settingNamed } from './list-settings.ts';
export { isProtected, locate as placeOfWorkspace, type Place } from './locate.ts';
export * from './log.ts';
export * from './news.ts';
export * from './paths.ts';
export { isIdle, type RollbackPlan, type RollbackRequest, scopeOf } from './plan.ts';
export { sealOf } from './plan-seal.ts';
export { type DifferenceSubject, readDifference } from './read-difference.ts';
export * from './record-event.ts';
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
export type { ReplayChoice } from './recover/replay-aim.ts';
export { resolveRevert } from './recover/revert.ts';
export { type SessionWork, workOf } from './recover/session-work.ts';
export * from './reflog/reflog.ts';
export { type MissingEntry, planReflogRestore, type ReflogRestorePlan, restoreReflogs } from './reflog/reflog-restore.ts';
export type { Remaining } from './remaining.ts';
export { gatherReport } from './report/gather.ts';
export type { Report } from './report/report.ts';
export { REPORT_FORMATS, type ReportFormat, renderReport, writeReport } from './report/write.ts';
export * from './resolve.ts';
export * from './rollback.ts';
export { type RollbackEntry, type RollbackFilter, readRollbacks } from './rollback-history.ts';
export { type RunningStep, readRunningSteps, stepsEnded } from './running-steps.ts';
export * from './session-base.ts';
export * from './session-checkpoints.ts';
export { readSessionSteps, type StepsQuery } from './session-steps.ts';
export { isSettingKey, parseSetting, SETTING_KEYS } from './setting-rules.ts';
export * from './settings.ts';
export { shortestId } from './shortest-id.ts';
export { type ShownFile, showFiles, showHunks, showRange } from './shown-files.ts';
export { presentState } from './states.ts';
export * from './status.ts';
export { storedPlaces } from './stored-places.ts';
export type { SlowOperation, SlowReason } from './timing/stopwatch.ts';
export { maintainAll } from './upkeep/all-workspaces.ts';
export { type AffectedOperation, type CheckReport, checkStore } from './upkeep/check.ts';
export { type DiskUse, diskUse } from './upkeep/disk-use.ts';
export { type Finding, REMEDIES, type Remark } from './upkeep/findings.ts';
export * from './upkeep/gc.ts';
export { isUpkeepDue, type MaintenanceReport, maintain } from './upkeep/look-after.ts';
export { PRUNE_REASONS, type PruneOptions, type PrunePlan, planPrune, prune, reasonsOf } from './upkeep/prune.ts';
export { type RepairResult, repairStore } from './upkeep/repair/repair.ts';
export { type Audit, WarmMemory } from './warm-memory.ts';
export { belongTo, readIdentity } from './whose-data.ts';
export { type OpenOptions, Workspace } from './workspace.ts';
