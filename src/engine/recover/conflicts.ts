import { type ConflictReason, markedLines } from '../../diff/index.ts';
import { type MergeChoice, type Node, type OperationId, pathFields, type RelativePath } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackPlan } from '../rewind/plan.ts';

/** A conflict of a plan with what a person needs for choosing. */
export interface DescribedConflict {
  readonly path: RelativePath;
  /** Where one side has it still, if the other renamed it, or both had it before they did. */
  readonly was?: ReturnType<typeof pathFields>;
  readonly reason: ConflictReason;
  readonly choice: MergeChoice | null;
  /** The changes it is about, as far as they are steps. */
  readonly steps: readonly OperationId[];
  readonly ours: ConflictSide | null;
  readonly theirs: ConflictSide | null;
  /** The places in question, between markers; null where there is nothing to finish by hand. */
  readonly marked: string | null;
}

interface ConflictSide {
  readonly type: Node['type'];
  readonly size: number | null;
}

/** Beyond this nobody chooses by what is shown here. */
const LONGEST = 60;

export const describeConflicts = (workspace: Workspace, { conflicts, replay }: RollbackPlan): DescribedConflict[] =>
  conflicts.map(({ path, reason, choice, steps, ours, theirs, manual, renamed }) => ({
    path,
    ...(renamed === null ? {} : { was: pathFields(renamed.from) }),
    reason,
    choice,
    steps: steps.flatMap((at) => replay?.steps[at]?.id ?? []),
    ours: side(workspace, ours),
    theirs: side(workspace, theirs),
    marked: manual?.type === 'file' ? markedLines(workspace.store.objects.readBlob(manual.blob), LONGEST) : null,
  }));

const side = ({ store }: Workspace, node: Node | null): ConflictSide | null =>
  node && { type: node.type, size: 'blob' in node ? store.objects.size(node.blob) : null };
