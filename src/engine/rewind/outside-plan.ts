import { accessSync, constants } from 'node:fs';
import { basename } from 'node:path';
import { dataDirectory } from '../../host/index.ts';
import { isWithin, lineOf, type OutsideFile, type OutsideStep, type Recorded, type RelativePath } from '../../model/index.ts';
import { outsideDirectory } from '../../restore/index.ts';
import { realPath } from '../core/locate.ts';
import { captureOutside, sameOutside } from '../core/outside-files.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackRequest } from './plan.ts';

/** What a plan does about files outside the workspace that edit tools changed (RST-6). */
export interface OutsidePlan {
  readonly steps: readonly OutsideStep[];
  /** Those that are not as they were at the target, and stay so. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

type Content = OutsideFile['content'];

const NOTHING: OutsidePlan = { steps: [], left: [], warnings: [] };

/** What is read of the present goes into its batch, so that the safety checkpoint can hold it. */
export const planOutside = (workspace: Workspace, request: RollbackRequest, present: Present): OutsidePlan => {
  const wanted = wantedOf(workspace, request);
  if (wanted.length === 0) return NOTHING;
  const plan = { steps: [] as OutsideStep[], left: [] as { path: string; reason: string }[] };
  let disturbed = 0;
  for (const { path, to, last } of wanted) {
    const now = captureOutside(path, present.batch, workspace.settings['capture.maxFileBytes']);
    if (now !== undefined && to !== undefined && sameOutside(now.content, to)) continue;
    const isDisturbed = now !== undefined && last !== undefined && !sameOutside(now.content, last);
    const directory = outsideDirectory(path);
    const reason = whyLeft(request, { path, isReadable: now !== undefined, isKnown: to !== undefined, isDisturbed, directory });
    if (reason !== null || now === undefined || to === undefined || directory === undefined)
      plan.left.push({ path, reason: reason ?? 'it can not be read now' });
    else {
      if (isDisturbed) disturbed++;
      plan.steps.push({ type: typeOf(now.content, to), path, directory, from: now.content, to });
    }
  }
  return { ...plan, warnings: warningsOf(plan.left, disturbed) };
};

interface Wanted {
  readonly path: string;
  /** How it was then; undefined where that is not known. */
  readonly to: Content | undefined;
  /** As it was recorded last. */
  readonly last: Content | undefined;
}

const wantedOf = (workspace: Workspace, request: RollbackRequest): Wanted[] => {
  const { verb, target, undoes, keepsCode, only, hunks } = request;
  if (keepsCode || lineOf(target) !== null) return [];
  const records = workspace.index.outsideRecords();
  const lastOf = (path: string): Content | undefined =>
    contentIn(
      records.findLast((record) => contentIn(record, path) !== undefined),
      path,
    );
  if (undoes !== undefined) {
    return (undoes.outside ?? []).map(({ path, content }) => ({ path, to: contentIn(target, path), last: content }));
  }
  if (only !== undefined || hunks !== undefined || !GOING_BACK.has(verb)) return [];
  const meant = records.filter(isMeantBy(request));
  const boundary = verb === 'Revert' ? Math.min(...meant.map(({ sequence }) => sequence)) - 1 : target.sequence;
  const paths = new Set(meant.flatMap(({ outside = [] }) => outside.map(({ path }) => path)));
  return [...paths].sort().map((path) => ({ path, to: contentAt(records, path, boundary), last: lastOf(path) }));
};

const GOING_BACK: ReadonlySet<RollbackRequest['verb']> = new Set(['Rollback', 'Discard', 'Revert']);

type WithOutside = Recorded & { readonly outside?: readonly OutsideFile[] };

const isMeantBy = ({ verb, target, replay }: RollbackRequest): ((record: WithOutside) => boolean) => {
  const steps = new Set(replay?.steps.map(({ id }) => id));
  if (verb === 'Revert') return ({ id }) => steps.has(id);
  return ({ sequence, session }) => sequence > target.sequence && (verb !== 'Discard' || session === target.session);
};

const contentIn = (record: Recorded | undefined, path: string): Content | undefined =>
  (record as WithOutside | undefined)?.outside?.find((file) => file.path === path)?.content;

/** As it was recorded up to a sequence number; where it was not, as it was found when a tool was about to change it first. */
const contentAt = (records: readonly WithOutside[], path: string, sequence: number): Content | undefined => {
  const before = records.findLast((record) => record.sequence <= sequence && contentIn(record, path) !== undefined);
  if (before !== undefined) return contentIn(before, path);
  const first = records.find((record) => contentIn(record, path) !== undefined);
  if (first === undefined) return undefined;
  if (first.kind !== 'after-step') return contentIn(first, path);
  return first.outside?.find((file) => file.path === path)?.created ? null : undefined;
};

interface Circumstances {
  readonly path: string;
  readonly isReadable: boolean;
  readonly isKnown: boolean;
  readonly isDisturbed: boolean;
  readonly directory: string | undefined;
}

/** Null where it is taken back. */
const whyLeft = (request: RollbackRequest, { path, isReadable, isKnown, isDisturbed, directory }: Circumstances): string | null => {
  if (!isKnown) return 'how it was before is not recorded';
  if (!isReadable) return 'it can not be read now';
  if (directory === undefined) return 'its directory is gone';
  if (!isWritable(directory)) return 'its directory can not be written';
  if (isOwnData(`${directory}/${basename(path)}`)) return "it is part of Retake's own data";
  if (request.undoes !== undefined) return null;
  if (!request.outside) return NOT_ASKED;
  return (request.keepsMine || request.keepsMineIfAny !== undefined) && isDisturbed ? CHANGED : null;
};

const CHANGED = 'it was changed since the agent left it';

/** Something stays because it is the person's. */
export const keepsSomeOutside = ({ left }: Pick<OutsidePlan, 'left'>): boolean => left.some(({ reason }) => reason === CHANGED);

const NOT_ASKED = 'it is outside the workspace, and --outside was not given';

const isWritable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const isOwnData = (path: string): boolean => isWithin(path as RelativePath, realPath(dataDirectory()) as unknown as RelativePath);

const typeOf = (from: Content, to: Content): OutsideStep['type'] => {
  if (from === null) return 'create';
  if (to === null) return 'delete';
  return from.blob === to.blob ? 'chmod' : 'restore';
};

const NAMED = 3;

const warningsOf = (left: OutsidePlan['left'], disturbed: number): string[] => {
  const names = left.slice(0, NAMED).map(({ path }) => path);
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  const offer = left.some(({ reason }) => reason === NOT_ASKED) ? '; --outside takes back what can be' : '';
  return [
    ...(left.length === 0 ? [] : [`outside the workspace, what an agent changed stays as it is: ${names.join(', ')}${more}${offer}`]),
    ...(disturbed === 0
      ? []
      : [`${disturbed} of the files outside changed since they were recorded; the safety checkpoint keeps those changes`]),
  ];
};
