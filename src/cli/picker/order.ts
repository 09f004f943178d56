import type { MergeChoice, PlannedBranch, RollbackPlan, RollbackRequest, SummarySide } from '../../engine/index.ts';
import type { OperationId, RelativePath, RollbackScope, SessionId, StepType } from '../../model/index.ts';

/** What somebody wants done. */
export type Order = RewindOrder | TalkOrder | UndoOrder;

export interface RewindOrder {
  readonly do: 'rewind';
  readonly target: string;
  /** Whose turn the target is. */
  readonly session?: SessionId;
  readonly scope: RollbackScope;
  /** Null: if there is anything of theirs that would go. */
  readonly keepMine: boolean | null;
  readonly onConflict: MergeChoice | null;
  readonly only: readonly RelativePath[] | null;
}

/** Makes another session; the present one and the code stay. */
export interface TalkOrder {
  readonly do: 'talk';
  readonly target: string;
  readonly session?: SessionId;
  readonly summary: SummarySide | null;
}

interface UndoOrder {
  readonly do: 'undo';
  readonly rollback: OperationId;
}

/** Two that want the same have the same name. */
export const nameOf = (order: Order): string => JSON.stringify(order);

/** An order with all that it would do; what is carried out is exactly this. */
export interface Prepared {
  readonly order: Order;
  /** For reading, what has to be known first. */
  readonly lines: readonly string[];
  /** Null where nothing is planned: no file changes. */
  readonly planned: { readonly request: RollbackRequest; readonly plan: RollbackPlan; readonly branch: PlannedBranch } | null;
  readonly files: readonly PlannedFile[];
  /** Whether paths are among it that hold changes of the person's own, and whether these stay. */
  readonly hasMine: boolean;
  readonly keepsMine: boolean;
  readonly conflicts: number;
  /** Why it can not be carried out as it is. */
  readonly refusal: string | null;
}

interface PlannedFile {
  readonly path: RelativePath;
  readonly type: StepType;
  readonly lines: { readonly insertions: number; readonly deletions: number } | null;
}

/** What was done, as it is told. */
export interface Outcome {
  readonly lines: readonly string[];
  /** How to go on from there, and to take it back; of no use once it is taken back. */
  readonly onward: readonly string[];
  /** The rollback that can be taken back. */
  readonly rollback: OperationId | null;
}

/** Something that could not be done. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}
