import type { Checkpoint, Recorded, WorkspaceState } from '../../model/index.ts';
import { type AttributedChange, attributeChanges } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { runningSpans } from '../record/running-steps.ts';
import { reachabilityOf } from '../recover/reachability.ts';
import { readAll } from '../recover/session-work.ts';

/** How the present came to differ from a checkpoint. */
export interface Trail {
  /** All that was recorded here, oldest first. */
  readonly operations: readonly Recorded[];
  /** Everything that ever changed, oldest first. */
  readonly all: readonly AttributedChange[];
  /** What changed since, on the way to the present, oldest first. */
  readonly attributedChanges: readonly AttributedChange[];
  /** Where the checkpoint was left behind itself: the last state that it and the present have in common, and the way from there to it. */
  readonly detour: { readonly from: Recorded; readonly before: WorkspaceState; readonly after: WorkspaceState } | null;
}

export const trailFrom = (workspace: Workspace, target: Recorded<Checkpoint>): Trail => {
  const operations = readAll(workspace);
  const reachability = reachabilityOf(workspace);
  const meeting = reachability.leftAfter(target) ?? target.sequence;
  const all = attributeChanges(operations, runningSpans(workspace));
  const attributedChanges = all.filter(({ at }) => at.sequence > meeting && reachability.isOnTheWay(at));
  // Where the workspace went to what was imported, nothing is in common but what came of that.
  const from = operations.findLast(({ sequence, state }) => sequence <= meeting && state !== null) ?? reachability.leftBy(target);
  const isDetour = from !== undefined && from.id !== target.id;
  const detour = isDetour ? { from, before: from.state as WorkspaceState, after: target.state as WorkspaceState } : null;
  return { operations, all, attributedChanges, detour };
};
