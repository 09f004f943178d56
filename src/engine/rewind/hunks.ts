import { createHash } from 'node:crypto';
import { blobAt, patchFiles, type StateChange } from '../../diff/index.ts';
import { type Hunk, hunksBetween, signedLine, withHunks } from '../../diff/text/index.ts';
import {
  type ByteString,
  isWithin,
  type Node,
  type PlanStep,
  pathFields,
  type RelativePath,
  RetakeError,
  type Rollback,
  toText,
} from '../../model/index.ts';
import type { ObjectBatch, ObjectStore } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackPlan, RollbackRequest } from './plan.ts';

/**
 * A hunk of a file by what it is, not by its number: one that is no longer the same is not taken. Old is the present, new what
 * the whole target would make of it, both counted as in a patch. Plain data: it may be carried out by another process.
 */
export interface HunkChoice extends Pick<Hunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'> {
  readonly path: RelativePath;
  /** Of its lines, and whether each comes, goes or stays. */
  readonly digest: string;
}

/** A hunk as a reader sees it. */
export interface NumberedHunk extends HunkChoice {
  /** From 1, per file; the same whatever else of the plan is chosen. */
  readonly number: number;
  /** Each behind its sign and with its newline, if it has one. */
  readonly lines: readonly ByteString[];
}

/** The aim at these hunks, and at what it is limited to already, which goes back as a whole. */
export const limitRequestToHunks = (request: RollbackRequest, hunks: readonly HunkChoice[]): RollbackRequest => {
  const twice = hunks.find(({ path }) => request.only?.some((one) => isWithin(path, one)));
  if (twice === undefined) return { ...request, hunks };
  throw new RetakeError('usage', `${toText(twice.path)} is chosen as a whole and by hunks`, { hint: 'Choose one of both.' });
};

/** The changes with those files that hunks were chosen of changed by these alone. The new contents are in the store then. */
export const limitToHunks = (
  { objects }: Workspace['store'],
  changes: readonly StateChange[],
  choices: readonly HunkChoice[],
  batch: ObjectBatch,
): StateChange[] => {
  const missing = new Set(choices);
  const paths = new Set(choices.map(({ path }) => path));
  const limited = changes.map((change) => {
    const files = paths.has(change.path) ? filesOf(change) : null;
    if (files === null) return change;
    const before = objects.readBlob(files.from.blob);
    const chosen = hunksBetween(before, objects.readBlob(files.to.blob)).filter((hunk) => {
      const same = [...missing].filter(isHunk(choiceOf(change.path, hunk)));
      for (const choice of same) missing.delete(choice);
      return same.length > 0;
    });
    return { ...change, to: { ...files.from, blob: batch.blob(withHunks(before, chosen)) } };
  });
  if (missing.size > 0) throw moved([...missing]);
  batch.flush();
  return limited;
};

/** The hunks of what a step would do, of a step that was limited to some of them those. None but for text that stays text. */
export const hunksOf = ({ store }: Workspace, plan: RollbackPlan, step: PlanStep): NumberedHunk[] => {
  const files = filesOf(wholeOf(store.objects, plan, step));
  if (files === null) return [];
  return hunksBetween(store.objects.readBlob(files.from.blob), store.objects.readBlob(files.to.blob))
    .map((hunk, at) => ({ number: at + 1, ...choiceOf(step.path, hunk), lines: hunk.lines.map(signedLine) }))
    .filter((hunk) => isTaken(plan, hunk));
};

/** The plan as a patch, with a line above each hunk that can be chosen. */
export const patchOfPlan = (
  { store: { objects } }: Workspace,
  plan: RollbackPlan,
  heading: (path: RelativePath, number: number) => ByteString,
): Buffer =>
  Buffer.concat(
    plan.steps.map((step) => {
      const whole = wholeOf(objects, plan, step);
      const headingOf = (hunk: Hunk, number: number) => (isTaken(plan, choiceOf(step.path, hunk)) ? heading(step.path, number) : null);
      return patchFiles(objects, [whole], filesOf(whole) === null ? {} : { heading: headingOf });
    }),
  );

/** How a rollback's record tells what it was limited to. */
export const limitsOf = ({ only, hunks }: Pick<RollbackRequest, 'only' | 'hunks'>): Pick<Rollback, 'only' | 'hunks'> => {
  if (only === undefined && hunks === undefined) return {};
  const counts = new Map<string, number>();
  for (const { path } of hunks ?? []) counts.set(shown(path), (counts.get(shown(path)) ?? 0) + 1);
  return {
    only: [...(only ?? []).map(shown), ...counts.keys()],
    ...(hunks === undefined ? {} : { hunks: [...counts].map(([path, count]) => ({ path, count })) }),
  };
};

const shown = (path: RelativePath): string => pathFields(path).path;

type File = Extract<Node, { type: 'file' }>;

/** Both sides of a change that has hunks, if they are text. */
const filesOf = ({ from, to }: StateChange): { readonly from: File; readonly to: File } | null =>
  from?.type === 'file' && to?.type === 'file' && from.blob !== to.blob ? { from, to } : null;

/** The step as it would be if it were not limited to some of its hunks: these are counted and numbered among all. */
const wholeOf = (objects: ObjectStore, { target, hunks }: RollbackPlan, step: PlanStep): PlanStep => {
  if (!hunks?.some(({ path }) => path === step.path) || step.to?.type !== 'file' || target.state === null) return step;
  return { ...step, to: { ...step.to, blob: blobAt(objects, target.state, step.path) ?? step.to.blob } };
};

const isTaken = ({ hunks = [] }: RollbackPlan, hunk: HunkChoice): boolean => {
  const ofFile = hunks.filter(({ path }) => path === hunk.path);
  return ofFile.length === 0 || ofFile.some(isHunk(hunk));
};

const choiceOf = (path: RelativePath, { oldStart, oldLines, newStart, newLines, lines }: Hunk): HunkChoice => {
  const hash = createHash('sha256');
  // With their lengths, because a last line may end without a newline.
  for (const line of lines.map(signedLine)) hash.update(`${line.length}${line}`, 'latin1');
  return { path, oldStart, oldLines, newStart, newLines, digest: hash.digest('hex').slice(0, DIGITS) };
};

const DIGITS = 16;

const isHunk =
  (hunk: HunkChoice) =>
  (choice: HunkChoice): boolean =>
    (['path', 'oldStart', 'oldLines', 'newStart', 'newLines', 'digest'] as const).every((field) => choice[field] === hunk[field]);

const moved = (missing: readonly HunkChoice[]): RetakeError => {
  const named = missing.map(
    ({ path, oldStart, oldLines, newStart, newLines }) => `${toText(path)} -${oldStart},${oldLines} +${newStart},${newLines}`,
  );
  return new RetakeError('workspace-moved', `No longer there as chosen: ${named.join('; ')}; nothing was changed`, {
    hint: 'Look at the new plan and choose again.',
    details: { hunks: missing.map(({ path, ...hunk }) => ({ ...pathFields(path), ...hunk })) },
  });
};
