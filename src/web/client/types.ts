import type { Answered, BodyToGive, Routes } from '../../api/index.ts';

/** What the server tells, by the words of the product. All of it comes from the contract. */
export type Session = Answered<Routes['listSessions']>['sessions'][number];
export type SessionDetails = Answered<Routes['getSession']>;
export type Turn = Answered<Routes['listTurns']>['turns'][number];
export type Checkpoint = Answered<Routes['listCheckpoints']>['checkpoints'][number];
export type CheckpointDetails = Answered<Routes['getCheckpoint']>;
export type Message = Answered<Routes['getMessages']>['before'][number];
export type Diff = Answered<Routes['diffSession']>;
export type DiffFile = Diff['files'][number];
export type DiffHunk = NonNullable<DiffFile['hunks']>[number];
export type DiffLine = DiffHunk['lines'][number];
/** What a recovery becomes in git; missing where no commits were asked for. */
type InGit = Pick<Answered<Routes['recoverSession']>, 'branch' | 'commits' | 'leftOut' | 'staged'>;
export type Plan = Answered<Routes['previewRollback']> & InGit;
export type PlanStep = Plan['operations'][number];
export type Conflict = Plan['conflicts'][number];
export type Done = Answered<Routes['rollBack']>;
export type Scope = Plan['scope'];
export type HunkChoice = NonNullable<BodyToGive<Routes['rollBack']>['hunks']>[number];
export type RollbackEntry = Answered<Routes['listRollbacks']>['rollbacks'][number];
export type ForkTree = Answered<Routes['getForkTree']>;
export type Branch = ForkTree['tree'][number];
export type Comparison = Answered<Routes['compareForks']>;
export type Step = Answered<Routes['listCommits']>['commits'][number];
export type Settings = Answered<Routes['getSettings']>;
export type Setting = Settings['settings'][number];
export type Health = Answered<Routes['getHealth']>;
export type ReflogEntry = Answered<Routes['listReflog']>['entries'][number];
