import { join, type Node, type PlanStep, type RelativePath, type StepType } from '../model/index.ts';

/** A path that differs from the target but is not touched, and why. */
export interface Kept {
  readonly path: RelativePath;
  readonly reason: string;
}

export interface PlannedSteps {
  readonly steps: readonly PlanStep[];
  readonly kept: readonly Kept[];
  /** What would have to be destroyed without being recorded: a rollback with any of these is refused. */
  readonly inTheWay: readonly Kept[];
}

export interface PlanFacts {
  /** The target may have left this path out rather than found it absent. */
  leftOut(path: RelativePath, isDirectory: boolean): boolean;
  /** All names on disk in a directory, captured or not. */
  names(directory: RelativePath): readonly string[];
}

/**
 * From the differences between present and target, in path order, to the steps of a rollback. Deletes only what the target
 * provably did not have, and removes only directories that the other steps leave empty (RST-5).
 */
export const planSteps = (
  changes: readonly { readonly path: RelativePath; readonly from: Node | null; readonly to: Node | null }[],
  facts: PlanFacts,
): PlannedSteps => {
  const steps: PlanStep[] = [];
  const kept: Kept[] = [];
  const inTheWay: Kept[] = [];
  const removed = new Set<RelativePath>();
  const staying = (directory: RelativePath): string[] => facts.names(directory).filter((name) => !removed.has(join(directory, name)));

  // Deepest first, so that what stays in a directory is known when the directory's own turn comes.
  for (const { path, from, to } of [...changes].reverse()) {
    const goes = from !== null && to === null;
    if (goes && facts.leftOut(path, from.type === 'directory')) {
      kept.push({ path, reason: 'the target did not record this path; it may have been ignored then' });
      continue;
    }
    if (from?.type === 'directory' && to?.type !== 'directory') {
      const names = staying(path);
      if (names.length > 0) {
        const reason = `holds what is not part of the rollback: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}`;
        (goes ? kept : inTheWay).push({ path, reason });
        continue;
      }
    }
    if (goes) removed.add(path);
    steps.push({ type: stepType(from, to), path, from, to });
  }
  return { steps: steps.reverse(), kept: kept.reverse(), inTheWay: inTheWay.reverse() };
};

const stepType = (from: Node | null, to: Node | null): StepType => {
  if (to === null) return from?.type === 'directory' ? 'rmdir' : 'delete';
  if (from === null) return to.type === 'directory' ? 'mkdir' : 'create';
  if (from.type !== to.type) return 'retype';
  return 'blob' in from && 'blob' in to && from.blob !== to.blob ? 'restore' : 'chmod';
};
