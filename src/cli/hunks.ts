import {
  type HunkChoice,
  hunksOf,
  limitRequestToHunks,
  type NumberedHunk,
  patchOfPlan,
  type RollbackPlan,
  type RollbackRequest,
  type Workspace,
  workspaceMoved,
} from '../engine/index.ts';
import { fromText, isWithin, type PlanStep, type RelativePath, RetakeError, type StepType, toText } from '../model/index.ts';
import { shownId } from './ids.ts';
import { count, hint, showPath, writeBytes } from './output.ts';
import { workspacePaths } from './paths.ts';
import { preview, watched } from './plan-client.ts';

/** What somebody wrote: a file, and numbers and ranges of its hunks. */
interface HunkRequest {
  readonly path: RelativePath;
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
}

interface Standpoint {
  readonly directory: string;
  /** The state that the numbers were shown for. */
  readonly expect?: string | undefined;
}

/** Limits an aim to hunks that are named by their numbers, as `--patch` shows them: `PATH:1,3-5`. */
export const limitToNumbers = async (
  workspace: Workspace,
  request: RollbackRequest,
  texts: readonly string[],
  { directory, expect }: Standpoint,
): Promise<RollbackRequest> => {
  const requests = joined(texts.map((text) => parseRequest(workspace, directory, text)));
  const plan = await watched((watch) => preview(workspace, { ...request, only: requests.map(({ path }) => path) }, watch));
  if (expect !== undefined && expect !== plan.expectedTree) throw workspaceMoved(expect, plan);
  return limitRequestToHunks(
    request,
    requests.flatMap((request) => choicesOf(workspace, plan, request)),
  );
};

const REQUEST = /^(?<path>.+):(?<numbers>\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/s;

const parseRequest = (workspace: Workspace, directory: string, text: string): HunkRequest => {
  const { path, numbers } = REQUEST.exec(text)?.groups ?? {};
  if (path === undefined || numbers === undefined) throw unreadable(text);
  const ranges = numbers.split(',').map((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    if (from < 1 || to < from) throw unreadable(text);
    return { from, to };
  });
  return { path: workspacePaths(workspace, directory, [path])[0] as RelativePath, ranges };
};

/** One request per file, so that no hunk is chosen twice. */
const joined = (requests: readonly HunkRequest[]): HunkRequest[] => {
  const byPath = Map.groupBy(requests, ({ path }) => path);
  return [...byPath].map(([path, all]) => ({ path, ranges: all.flatMap((one) => one.ranges) }));
};

const unreadable = (text: string): RetakeError =>
  new RetakeError('usage', `${text} names no hunks`, { hint: 'Write PATH:NUMBERS, such as src/cart.ts:1,3-5.' });

const choicesOf = (workspace: Workspace, plan: RollbackPlan, { path, ranges }: HunkRequest): HunkChoice[] => {
  const step = plan.steps.find((one) => one.path === path);
  const hunks = step === undefined ? [] : hunksOf(workspace, plan, step);
  if (hunks.length === 0)
    throw new RetakeError('usage', `${toText(path)} has no hunks: ${whyNone(plan, path, step)}`, {
      hint: '--path takes files and folders as a whole.',
    });
  const beyond = ranges.find(({ to }) => to > hunks.length);
  if (beyond !== undefined)
    throw new RetakeError('usage', `${toText(path)} has no hunk ${beyond.to}; there ${isOrAre(hunks.length)}`, {
      hint: `To see them: retake rewind ${shownId(plan.target.id)} --dry-run --patch`,
    });
  return hunks.filter(({ number }) => ranges.some(({ from, to }) => from <= number && number <= to)).map(choiceOf);
};

const isOrAre = (hunks: number): string => (hunks === 1 ? 'is 1 hunk' : `are ${count(hunks, 'hunk')}`);

const choiceOf = ({ number: _, lines: __, ...choice }: NumberedHunk): HunkChoice => choice;

const REASONS: Readonly<Record<StepType, string>> = {
  create: 'it would be created',
  delete: 'it would be deleted',
  restore: 'it is not text on both sides',
  retype: 'it would become something else than a file',
  chmod: 'only its permissions would change',
  mkdir: 'it is a folder',
  rmdir: 'it is a folder',
};

const whyNone = ({ steps }: RollbackPlan, path: RelativePath, step: PlanStep | undefined): string => {
  if (step !== undefined) return REASONS[step.type];
  return steps.some((one) => isWithin(one.path, path)) ? REASONS.mkdir : 'it would not change';
};

/** How much of a file is chosen, where it is not all of it. */
export const partOf = ({ hunks = [] }: RollbackPlan, path: RelativePath): string => {
  const chosen = hunks.filter((hunk) => hunk.path === path).length;
  return chosen === 0 ? '' : ` (${count(chosen, 'hunk')})`;
};

/** The plan as a patch, with the number of each hunk. */
export const printPatch = (workspace: Workspace, plan: RollbackPlan): void => {
  let hasHunks = false;
  const heading = (path: RelativePath, number: number) => {
    hasHunks = true;
    return fromText(`${showPath(path)}  hunk ${number}`);
  };
  writeBytes(patchOfPlan(workspace, plan, heading));
  if (hasHunks && plan.hunks === undefined)
    hint(`To take some of it: retake rewind ${shownId(plan.target.id)} --hunk PATH:1,3-5 --expect ${plan.expectedTree}`);
};
