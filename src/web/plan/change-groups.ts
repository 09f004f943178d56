import type { PlanStep } from '../client/types.ts';
import { isFolder, keyOfPath } from './plan-words.ts';

/** The changes of a plan as a list to look through: by what happens to them, folded or not, filtered. */

const GROUPS = ['create', 'restore', 'delete'] as const;
export type GroupName = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<PlanStep['type'], GroupName>> = {
  create: 'create',
  mkdir: 'create',
  restore: 'restore',
  retype: 'restore',
  chmod: 'restore',
  delete: 'delete',
  rmdir: 'delete',
};

export interface ChangeGroup {
  readonly group: GroupName;
  readonly steps: readonly PlanStep[];
  readonly files: number;
  readonly folders: number;
  /** Null where the lines of a file are not known, so that no sum would be right. */
  readonly lines: { readonly insertions: number; readonly deletions: number } | null;
}

export type ChangeRow =
  | { readonly kind: 'group'; readonly key: string; readonly group: ChangeGroup }
  | { readonly kind: 'step'; readonly key: string; readonly step: PlanStep };

/** Those groups that have something in them that fits the words. */
export const groupChanges = (steps: readonly PlanStep[], words = ''): readonly ChangeGroup[] => {
  const wanted = words.trim().toLowerCase();
  const fitting = wanted === '' ? steps : steps.filter(({ path }) => path.toLowerCase().includes(wanted));
  const byGroup = Map.groupBy(fitting, ({ type }) => GROUP_OF[type]);
  return GROUPS.flatMap((group) => {
    const own = byGroup.get(group) ?? [];
    return own.length === 0 ? [] : [summed(group, own)];
  });
};

const summed = (group: GroupName, steps: readonly PlanStep[]): ChangeGroup => {
  const folders = steps.filter(isFolder).length;
  const known = steps.filter(({ insertions }) => insertions !== null);
  const sum = (field: 'insertions' | 'deletions'): number => known.reduce((all, step) => all + (step[field] ?? 0), 0);
  return {
    group,
    steps,
    folders,
    files: steps.length - folders,
    lines: known.length === 0 ? null : { insertions: sum('insertions'), deletions: sum('deletions') },
  };
};

export const rowsOf = (groups: readonly ChangeGroup[], folded: ReadonlySet<GroupName>): readonly ChangeRow[] =>
  groups.flatMap((group): ChangeRow[] => [
    { kind: 'group', key: ` ${group.group}`, group },
    ...(folded.has(group.group) ? [] : group.steps.map((step): ChangeRow => ({ kind: 'step', key: keyOfPath(step), step }))),
  ]);
