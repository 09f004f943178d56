/**
 * engine: the use cases, one file each, and the library's public face. Everything a face can do is a function here that
 * takes a workspace.
 */

export type { ConflictReason, MergeChoice } from '../diff/index.ts';
export { type FileChange, renderPatch } from '../diff/text/index.ts';
export type { StepStanding } from '../timeline/index.ts';
export * from './aim.ts';
export * from './annotate.ts';
export type { BranchDescription, BranchView } from './branches.ts';
export * from './check.ts';
export * from './checkpoint.ts';
export { commitSteps } from './commit-steps.ts';
export type { LeftOutOfCommit } from './committable.ts';
export { type ComparedBranch, type Comparison, compareBranches } from './compare.ts';
export type { DescribedConflict } from './conflicts.ts';
export type { ConversationMove } from './conversation.ts';
export { type DescribedPlan, type DescribedReplay, describePlan } from './describe-plan.ts';
export * from './diff.ts';
export * from './discard.ts';
export { type ForkRequest, type ForkResult, forkConversation } from './fork.ts';
export { type Forks, type ForkView, readForks, recordForks } from './forks.ts';
export * from './gc.ts';
export {
  checkGitHealth,
  checkGitHealthDaily,
  type GitConcern,
  type GitHealth,
  type GitVerdict,
} from './git-health.ts';
export { type MendResult, mendGitHealth } from './git-mend.ts';
export type { PlannedGit } from './git-plan.ts';
export type { Healed } from './heal.ts';
export { hasToHold, holdObjects } from './holdings.ts';
export { type KeepResult, keepWork, planKeep } from './keep.ts';
export { assertCanCommit, type KeepPlan } from './keep-plan.ts';
export { isProtected, locate as placeOfWorkspace } from './locate.ts';
export * from './log.ts';
export * from './merge.ts';
export * from './messages.ts';
export * from './paths.ts';
export { type Aim, type RollbackPlan, scopeOf } from './plan.ts';
export * from './record-event.ts';
export { aimContinue, aimRecover, closeRecovery, type Recovery, recoveryToAbort } from './recover.ts';
export { commitRecovery, planRecoveryCommits } from './recover-commit.ts';
export { makeRecoveryBranch, type RecoveryBranch } from './recovery-branch.ts';
export * from './reflog.ts';
export { type MissingEntry, planReflogRestore, type ReflogRestorePlan, restoreReflogs } from './reflog-restore.ts';
export type { ReplayChoice } from './replay-aim.ts';
export * from './resolve.ts';
export * from './rollback.ts';
export { reportSession, type SessionReport } from './session-summary.ts';
export { type SessionWork, workOf } from './session-work.ts';
export * from './sessions.ts';
export * from './settings.ts';
export * from './status.ts';
export type { SummarySide } from './summary.ts';
export { aimSwitch } from './switch.ts';
export * from './turns.ts';
export { type Audit, WarmMemory } from './warm-memory.ts';
export { type OpenOptions, Workspace } from './workspace.ts';
