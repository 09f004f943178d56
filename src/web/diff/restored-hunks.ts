import type { DiffHunk, HunkChoice, Plan } from '../client/types.ts';
import { numberLines } from './hunks.ts';

type PlanHunk = NonNullable<Plan['operations'][number]['hunks']>[number];

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Which parts of a plan put back what a hunk shows. The hunk is of the difference from the checkpoint to the present, the plan goes the other
 * way: its old side is the present. The two ways are not always cut alike, so what has no exact mirror is found by the lines of the present
 * that it is about. None where the file is no longer what the hunk shows.
 */
export const restoring = (path: string, hunk: DiffHunk, plan: readonly PlanHunk[]): HunkChoice[] => {
  const mirrored = plan.filter(
    ({ oldStart, oldLines, newStart, newLines }) =>
      oldStart === hunk.newStart && oldLines === hunk.newLines && newStart === hunk.oldStart && newLines === hunk.oldLines,
  );
  const shown = changedInDifference(hunk);
  const touched = plan.filter((one) => overlap(changedInPlan(one), shown));
  const near = plan.filter(({ oldStart, oldLines }) => overlap(stretch(oldStart, oldLines), stretch(hunk.newStart, hunk.newLines)));
  return ([mirrored, touched, near].find(({ length }) => length > 0) ?? []).map((one) => choiceOf(path, one));
};

const choiceOf = (path: string, { oldStart, oldLines, newStart, newLines, digest }: PlanHunk): HunkChoice => ({
  path,
  oldStart,
  oldLines,
  newStart,
  newLines,
  digest,
});

/** With no lines the start is the line before. */
const stretch = (start: number, lines: number): Stretch =>
  lines === 0 ? { from: start + 1, to: start + 1 } : { from: start, to: start + lines };

/** Between two hunks there are lines that both leave alone: what touches is the same. */
const overlap = (a: Stretch, b: Stretch): boolean => a.from <= b.to && b.from <= a.to;

/** The lines of the present from the first that changed to the last; an empty stretch is a place between two lines. */
const changedInDifference = (hunk: DiffHunk): Stretch => {
  const numbered = numberLines(hunk);
  let next = stretch(hunk.newStart, hunk.newLines).from;
  const marks = numbered.map(({ line: { kind }, new: number }) => {
    const mark = { isChanged: kind !== 'context', from: next, to: next + (number === null ? 0 : 1) };
    next = mark.to;
    return mark;
  });
  return spanOf(marks, next);
};

const changedInPlan = ({ oldStart, oldLines, lines }: PlanHunk): Stretch => {
  let next = stretch(oldStart, oldLines).from;
  const marks = lines.map((signed) => {
    const mark = { isChanged: !signed.startsWith(' '), from: next, to: next + (signed.startsWith('+') ? 0 : 1) };
    next = mark.to;
    return mark;
  });
  return spanOf(marks, next);
};

const spanOf = (marks: readonly (Stretch & { readonly isChanged: boolean })[], end: number): Stretch => {
  const changed = marks.filter(({ isChanged }) => isChanged);
  return { from: changed[0]?.from ?? end, to: changed.at(-1)?.to ?? end };
};
