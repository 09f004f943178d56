import { type Checkpoint, isCheckpoint, isRollback, lineOf, type OutsideFile, type Recorded, sameHead } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityByLine } from '../recover/reachability.ts';

/** What a step did that is still there although its changes to the workspace were taken back. */
export interface Remaining {
  /** Files outside the workspace, by their absolute paths. */
  readonly outside: readonly string[];
  /** Where it moved git to, such as by a commit: git was not taken back with the files. */
  readonly git: boolean;
}

export interface ReadRemaining {
  of(operation: Recorded): Remaining | null;
  /** Of all records from one to another of the same session, without the first. */
  between(from: Recorded, to: Recorded): Remaining | null;
}

/** Tells of records that were taken back what of them was not. */
export const readRemaining = (workspace: Workspace, codeIn = reachabilityByLine(workspace)): ReadRemaining => {
  const known = new Map<Recorded['id'], Remaining & { readonly record: Recorded }>();
  const records = workspace.index.rollbacks().length === 0 ? [] : workspace.index.beyondTheFiles();
  const reachability = codeIn(null);
  const { head = null } = (workspace.index.newestContent() ?? {}) as Pick<Checkpoint, 'head'>;
  for (const record of records) {
    if (!isCheckpoint(record) || !MADE_BY_STEPS.has(record.kind)) continue;
    const status = reachability.statusOf(record);
    if (status.is !== 'left' || status.by.kind === 'switch') continue;
    const outside = (record.outside ?? []).filter((file) => !isTakenBack(workspace, records, record, file)).map(({ path }) => path);
    const git = status.by.gitChange === undefined && hasMovedGit(record, head);
    if (outside.length > 0 || git) known.set(record.id, { record, outside, git });
  }
  return {
    of: (operation) => told(known.get(operation.id)),
    between: (from, to) => {
      const within = [...known.values()].filter(
        ({ record: { sequence, session } }) => session === to.session && sequence > from.sequence && sequence <= to.sequence,
      );
      if (within.length === 0 || lineOf(to) !== null) return null;
      return { outside: [...new Set(within.flatMap(({ outside }) => outside))], git: within.some(({ git }) => git) };
    },
  };
};

const told = (found: Remaining | undefined): Remaining | null => (found === undefined ? null : { outside: found.outside, git: found.git });

/** What was found before a step is not its doing. */
const MADE_BY_STEPS: ReadonlySet<string> = new Set(['after-step', 'turn-end']);

/** The newest that brought the file back decides: to a state from before the step, or, as an undo, from after it. */
const isTakenBack = (workspace: Workspace, records: readonly Recorded[], { sequence }: Recorded, { path }: OutsideFile): boolean => {
  const newest = records.findLast((record) => isRollback(record) && record.outside?.some((file) => file.path === path));
  if (newest === undefined || !isRollback(newest) || newest.sequence < sequence) return false;
  return (workspace.index.get(newest.target)?.operation.sequence ?? 0) < sequence;
};

/** Somebody may have moved it back by hand since. */
const hasMovedGit = ({ git }: Recorded<Checkpoint>, head: Checkpoint['head']): boolean =>
  git?.move !== undefined && !sameHead(git.move.from, git.move.to) && !sameHead(git.move.from, head);
