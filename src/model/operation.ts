import type { RelativePath } from './bytes.ts';
import { AGENT_EVENT_KINDS, type Place } from './event.ts';
import type { GitChange, GitDetails, GitHead } from './git.ts';
import type { BlobId, MessageId, OperationId, SessionId, TreeId } from './ids.ts';

/** The workspace at one moment: its content, and what git trees can't say about it (`meta`, null when nothing). */
export interface WorkspaceState {
  readonly files: TreeId;
  readonly meta: TreeId | null;
}

/**
 * One word for a state, equal exactly when bytes, types and permission bits are. It is the id of the `files` tree,
 * followed by that of `meta` in the rarer case that there is one.
 */
export const stateName = (state: WorkspaceState): string => (state.meta === null ? state.files : `${state.files}.${state.meta}`);

export const sameState = (a: WorkspaceState, b: WorkspaceState): boolean => a.files === b.files && a.meta === b.meta;

/** Why a path of the workspace is not in a checkpoint (CAP-5). */
export type OmissionReason = 'unreadable' | 'fifo' | 'socket' | 'device' | 'too-large' | 'vanished' | 'unstable' | 'not-exported';

export interface Omission {
  readonly path: RelativePath;
  readonly reason: OmissionReason;
}

export const CHECKPOINT_KINDS = [...AGENT_EVENT_KINDS, 'manual', 'safety'] as const;
export type CheckpointKind = (typeof CHECKPOINT_KINDS)[number];

interface Common {
  readonly sequence: number;
  readonly session: SessionId;
  /** ISO time, for showing only: order is `sequence` (STO-6). */
  readonly createdAt: string;
  readonly description: string;
  /** Absent for what was recorded in this workspace. */
  readonly imported?: Imported;
}

/** Where a record came from that was made in another workspace. */
interface Imported {
  /** Its id there. */
  readonly from: OperationId;
  /** The export that it came with. */
  readonly source: string;
  readonly at: string;
}

/** Records of one line are each other's past: this workspace's own (null), or all that came with one export. */
export type Line = string | null;

export const lineOf = ({ imported }: Pick<Common, 'imported'>): Line => imported?.source ?? null;

export interface Checkpoint extends Common {
  readonly kind: CheckpointKind;
  readonly name?: string;
  readonly note?: string;
  readonly status: 'complete' | 'partial';
  /** What was recorded of the workspace before: a checkpoint or the outcome of a rollback, whatever its session. */
  readonly previous: OperationId | null;
  readonly head: GitHead | null;
  /** Absent where there is no repository, and in records made before it was looked at. */
  readonly git?: GitDetails;
  /** Bytes that this checkpoint added to the store, before packing. */
  readonly bytesAdded: number;
  /** For those made at an agent's event. */
  readonly event?: RecordedEvent;
  /** What the event's tool named outside the workspace, as it was then. */
  readonly outside?: readonly OutsideFile[];
}

/** A file outside the workspace that an edit tool named (CAP-2). */
export interface OutsideFile {
  /** Absolute. */
  readonly path: string;
  /** Null when there was none. */
  readonly content: { readonly blob: BlobId; readonly permissions: number } | null;
  /** Of the end of a step: there was none when it began. */
  readonly created?: true;
}

export interface RecordedEvent {
  readonly key: string;
  readonly place: Place;
  /** The number of the session's prompts so far. */
  readonly turn: number;
  /** For an `after-step`: the newest operation when the step began. What was recorded since then is its doing, or that of steps beside it. */
  readonly began?: number;
  /** Where the agent keeps the conversation, and where it works; told at a session's start and at each prompt. */
  readonly conversation?: { readonly transcript: string; readonly directory: string };
  /** Milliseconds between the event and the capture, when that was longer than the agent waits: what is recorded may be newer. */
  readonly late?: number;
  /** There was something to tell the agent, and it could not be told. */
  readonly untold?: true;
  /**
   * Of a `prompt`: it began no turn when it was told. It was typed while the agent worked, or is a command of the client. Where a turn begins
   * with it later, that is another record.
   */
  readonly added?: true;
  /** Of a `prompt` whose turn began later than it was typed: the key of the event that told of it then. */
  readonly queued?: string;
  /** Of a `before-step` or a `turn-end`: steps of the session were under way, so that what changed before it may be their doing. */
  readonly beside?: true;
  /** All that the step could change, or those under way `beside`; absent when that may be anything. */
  readonly touches?: readonly RelativePath[];
}

/** A path that a rollback did not bring to its target, and why. */
export interface LeftAlone {
  readonly path: string;
  readonly reason: string;
}

/** A recovery that stopped, because something of it has to be finished by hand first. */
export interface LeftToRecover {
  /** What was asked for and is not done yet. */
  readonly steps: readonly OperationId[];
  /** The files with markers in them. */
  readonly marked: readonly RelativePath[];
}

/** A recovery whose changes become commits, with all that it takes to do it again and see what each of them is. */
export interface RecoveryCommits {
  /** The steps that were asked for, in order, each with what it was asked for by: the prompt of its turn, or itself. */
  readonly asked: readonly { readonly step: OperationId; readonly unit: OperationId }[];
  /** How many of them this recovery did. */
  readonly done: number;
  /** As one. */
  readonly squash: boolean;
  /** What was chosen about conflicts: at these paths, and at all others. */
  readonly choices: readonly (readonly [RelativePath, string])[];
  readonly rest: string | null;
}

/** What goes back. */
export const ROLLBACK_SCOPES = ['code', 'conversation', 'both'] as const;
export type RollbackScope = (typeof ROLLBACK_SCOPES)[number];

/** Which session the conversation goes on in. Null: it begins anew. */
export interface ConversationChange {
  readonly agent: string;
  /** Where the agent works. */
  readonly directory: string;
  readonly from: SessionId | null;
  readonly to: SessionId | null;
  /** How many turns a session that was made for this begins with. */
  readonly turnsBefore?: number;
}

/**
 * What changes the workspace by a plan, and can be undone. `switch` goes to another branch of the conversation, `merge` takes the
 * code of another one in, `discard` takes a session's work out, `revert` that of a step, a turn or an agent, `recover` does again what
 * was rolled back, `undo` takes back the operation named by `undoes`, and `redo` one that is an undo.
 */
export const ROLLBACK_KINDS = ['rollback', 'undo', 'redo', 'switch', 'merge', 'discard', 'revert', 'recover'] as const;
export type RollbackKind = (typeof ROLLBACK_KINDS)[number];

/** What a rollback goes back to: where a session began, a fork of the conversation or another branch of it, or any other record. */
export const ROLLBACK_LEVELS = ['session', 'fork', 'step'] as const;
export type RollbackLevel = (typeof ROLLBACK_LEVELS)[number];

export interface Rollback extends Common {
  readonly kind: RollbackKind;
  /** Of an undo or a redo that of the rollback it is about; absent in older records. */
  readonly level?: RollbackLevel;
  /** The checkpoint whose content was brought back, or taken in. */
  readonly target: OperationId;
  readonly safety: OperationId;
  readonly undoes?: OperationId;
  readonly scope: RollbackScope;
  /** Unless the scope is the code alone. */
  readonly conversation?: ConversationChange;
  /** How the user's git was moved, when that was asked for (GIT-2). */
  readonly gitChange?: GitChange;
  /** The user's git afterwards. */
  readonly head?: GitHead | null;
  readonly git?: GitDetails;
  /** The paths it was limited to, as JSON shows paths; absent for the whole workspace. */
  readonly only?: readonly string[];
  /** Those of them of which hunks only were taken, and how many. */
  readonly hunks?: readonly { readonly path: string; readonly count: number }[];
  /** Commits of single steps that went from the branch with it, by their keeps. */
  readonly unkept?: readonly OperationId[];
  /** The steps that were taken out, or that a `recover` brought back; absent where the workspace went back as a whole. */
  readonly steps?: readonly OperationId[];
  /** Those of which only these paths were taken out, or brought back: the rest is the doing of other steps at the same time. */
  readonly partly?: readonly { readonly step: OperationId; readonly paths: readonly RelativePath[] }[];
  /** Operations of our own that went back with it, so that what they moved is where it was before them. */
  readonly takesBack?: readonly OperationId[];
  /** Of a `recover`: what is to be gone on with. */
  readonly left?: LeftToRecover;
  /** Of a `recover`: it is to be committed when all of it is done. */
  readonly commits?: RecoveryCommits;
  /** Of a `recover`: the one that it went on with. */
  readonly continues?: OperationId;
  /** Files outside the workspace that it brought back, as they are since (RST-6). */
  readonly outside?: readonly OutsideFile[];
  /** Ties the operation to its journal, so that healing never records it twice. */
  readonly journal: string;
  readonly outcome: 'complete' | 'incomplete' | 'taken-back';
  readonly changed: number;
  readonly leftAlone: readonly LeftAlone[];
}

/** Another session that goes on from a place of this one; the present stays as it is. */
export interface Fork extends Common {
  readonly kind: 'fork';
  /** The checkpoint of that place. */
  readonly target: OperationId;
  readonly name?: string;
  readonly conversation: ConversationChange;
  /** Which side of the place is told by a summary. */
  readonly summary?: 'from' | 'upto';
}

/** A place in a conversation that was found to be continued in several ways. When another way is added, it is recorded again. */
export interface FoundFork extends Common {
  readonly kind: 'fork-point';
  /** The message that the ways go out from; null for the beginning. */
  readonly at: MessageId | null;
  /** The prompts where they part, oldest first. */
  readonly children: readonly MessageId[];
  readonly sessions: readonly SessionId[];
  /** The state of the code there; null when it is not known, and `reason` tells why. */
  readonly checkpoint: OperationId | null;
  readonly reason?: string;
}

/** A branch of the user's repository that was made of a checkpoint. */
export interface BranchMade extends Common {
  readonly kind: 'branch';
  readonly target: OperationId;
  readonly branch: string;
  readonly commit: string;
}

/** Work of a session that became commits on the user's branch. */
export interface Keep extends Common {
  readonly kind: 'keep';
  /** Oldest first. */
  readonly commits: readonly string[];
  /** Null where HEAD was detached. */
  readonly branch: string | null;
  /** The steps whose changes are in the commits. */
  readonly steps: readonly OperationId[];
  /** What was recorded up to this one was looked at. */
  readonly through: number;
  /** The person's edits in between are in the commits too. */
  readonly all: boolean;
  /** Made without being asked, after a step (history mode `branch`). It has the state of the record before it, and git as it left it. */
  readonly mode?: 'step';
  /** The keeps of single steps whose commits became these. */
  readonly folds?: readonly OperationId[];
  readonly head?: GitHead | null;
  readonly git?: GitDetails;
}

/** What a checkpoint is called from now on. */
export interface NameChange extends Common {
  readonly kind: 'name';
  readonly target: OperationId;
  readonly name: string;
}

export interface NoteChange extends Common {
  readonly kind: 'note';
  readonly target: OperationId;
  readonly note: string;
}

export interface PinChange extends Common {
  readonly kind: 'pin';
  readonly target: OperationId;
  readonly pinned: boolean;
}

/** The target's ref goes; the record that it was there stays. */
export interface Deletion extends Common {
  readonly kind: 'delete';
  readonly target: OperationId;
  /** The number that it had: what was rolled back to it is still rolled back. Absent in older records. */
  readonly was?: number;
}

/** Records that were given up to keep the store within its limits: their refs go, the record that they were there stays for a while. */
export interface Prune extends Common {
  readonly kind: 'prune';
  readonly targets: readonly OperationId[];
  /** How many others are gone of which deletions and prunes told that are among the targets. */
  readonly toldOf: number;
}

/** What one entry of the log says; its id is the commit it is stored as. */
export type Operation =
  | Checkpoint
  | Rollback
  | Fork
  | FoundFork
  | BranchMade
  | Keep
  | NameChange
  | NoteChange
  | PinChange
  | Deletion
  | Prune;

/** An operation as read back: with its id, and the state it holds (null for those that record no content). */
export type Recorded<O extends Operation = Operation> = O & { readonly id: OperationId; readonly state: WorkspaceState | null };

export const isCheckpoint = <O extends Operation>(operation: O): operation is O & Checkpoint =>
  (CHECKPOINT_KINDS as readonly string[]).includes(operation.kind);

export const isRollback = <O extends Operation>(operation: O): operation is O & Rollback =>
  (ROLLBACK_KINDS as readonly string[]).includes(operation.kind);
