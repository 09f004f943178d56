import { type MergeLabels, reversed } from '../../diff/index.ts';
import {
  type Checkpoint,
  type Extent,
  isRollback,
  isWithin,
  lineOf,
  type OperationId,
  type Recorded,
  type RelativePath,
  RetakeError,
  ROOT,
  type SessionId,
  shortId,
} from '../../model/index.ts';
import { type Actor, type AttributedChange, extentOf, extentWithout, partOf } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { AddressOptions } from '../read/resolve.ts';
import { runningActors, toolUsesOf } from '../record/running-steps.ts';
import type { ReplayChoice, ReplayRequest, RequestedStep } from '../recover/replay-request.ts';
import { stepsNamed } from './actor-named.ts';
import { sessionsBeside } from './other-sessions.ts';
import { trailFrom } from './trail.ts';

/** Who stays when the others go back. */
export interface Selection extends AddressOptions {
  /** What agents did not do stays (RST-10). */
  readonly keepMine?: boolean | undefined;
  /** Sessions that worked at the same time go back too (RST-11). */
  readonly allSessions?: boolean | undefined;
  /** Only what one agent, turn or step did goes back (RST-8). */
  readonly by?: string | undefined;
}

const LABELS: MergeLabels = { ours: 'now', base: 'now, with what goes back', theirs: 'what it goes back to' };

/** What goes back, and the sessions whose work stays. */
interface Selected {
  readonly replay: ReplayRequest;
  readonly staying: readonly SessionId[];
}

/**
 * Going back to a checkpoint, but for what is to stay: each change since then that is not to stay is taken out, the newest first. Undefined
 * when everything goes back, which takes no merging.
 */
export const selectiveReplay = (
  workspace: Workspace,
  target: Recorded<Checkpoint>,
  { keepMine = false, allSessions = false, by, session }: Selection,
  choice: ReplayChoice,
): Selected | undefined => {
  if (lineOf(target) !== null) {
    if (keepMine || by !== undefined) throw imported(target);
    return undefined;
  }
  const trail = trailFrom(workspace, target);
  const { all, attributedChanges, detour } = trail;
  const running = runningActors(workspace);
  const others = allSessions ? new Set<SessionId>() : sessionsBeside(trail, target, running);
  const isOther = ({ session }: Actor): boolean => others.has(session);
  if (!keepMine && by === undefined && others.size === 0) return undefined;
  if (by !== undefined && detour !== null) throw elsewhere(target);
  const isOwn = by === undefined ? (actor: Actor) => !isOther(actor) : stepsNamed(workspace, attributedChanges, by, { session });
  const goesBackOf = (attributed: AttributedChange): Extent | undefined =>
    by === undefined && !keepMine ? allBut(attributed, isOther) : extentOf(attributed.actors.filter(isOwn));
  const isPlanBack = (attributed: AttributedChange): boolean => by === undefined && !movesOnlyWhatStays(attributed, all, goesBackOf);
  const steps = attributedChanges.flatMap((attributed): RequestedStep[] => {
    const extent = attributed.isPlanned ? (isPlanBack(attributed) ? {} : undefined) : goesBackOf(attributed);
    return extent === undefined ? [] : [taken(attributed, extent, attributed.actors.filter(isOwn))];
  });
  const unrecorded = by === undefined && !keepMine ? extentWithout(running.filter(isOther)) : extentOf(running.filter(isOwn));
  const replay = {
    steps: [...reversed(steps), ...(detour === null ? [] : [wayTo(target, detour)])],
    ...(unrecorded === undefined ? {} : { unrecorded, unrecordedOf: toolUsesOf(running.filter(isOwn)) }),
    ...choice,
  };
  return { replay, staying: by === undefined ? [...others] : [] };
};

/** A revert of what is to stay, say another session's step, stays too: what it took out would come back otherwise. */
const movesOnlyWhatStays = (
  { at }: AttributedChange,
  all: readonly AttributedChange[],
  goesBackOf: (attributed: AttributedChange) => Extent | undefined,
): boolean => {
  if (!isRollback(at) || at.steps === undefined || (at.takesBack?.length ?? 0) > 0) return false;
  const parts = new Map(at.partly?.map(({ step, paths }) => [step, paths]));
  const moved = all.filter((attributed) => parts.has(attributed.at.id) || at.steps?.includes(attributed.at.id));
  const stays = (attributed: AttributedChange): boolean =>
    !meets(goesBackOf(attributed), parts.get(attributed.at.id) ?? extentOf(attributed.actors)?.only ?? [ROOT]);
  return moved.length > 0 && moved.every(stays);
};

const meets = (extent: Extent | undefined, paths: readonly RelativePath[]): boolean => {
  if (extent === undefined) return false;
  const { only = [ROOT], except = [] } = extent;
  const isMet = (path: RelativePath): boolean => only.some((one) => isWithin(path, one) || isWithin(one, path));
  return paths.some((path) => isMet(path) && !except.some((one) => isWithin(path, one)));
};

/** Everything but what only the others did. */
const allBut = ({ actors }: AttributedChange, isOther: (actor: Actor) => boolean): Extent | undefined => {
  const others = extentOf(actors.filter(isOther));
  const own = extentOf(actors.filter((actor) => !isOther(actor)));
  if (others === undefined || (own !== undefined && own.only === undefined)) return {};
  if (others.only === undefined) return own;
  const except = others.only.filter((path) => !own?.only?.includes(path));
  return except.length === 0 ? {} : { except };
};

const taken = (attributed: AttributedChange, extent: Extent, own: readonly Actor[]): RequestedStep => {
  const { at, before, isPlanned } = attributed;
  return {
    id: at.id,
    title: at.description,
    before: before.state,
    after: at.state,
    ...extent,
    labels: LABELS,
    standsFor: own.length === 0 ? [] : [at.id],
    ...partOf(attributed, own),
    ...(isPlanned && isRollback(at) ? { takesBack: at.id } : {}),
    takenFrom: before.id,
  };
};

const wayTo = (
  target: Recorded<Checkpoint>,
  { before, after }: { before: RequestedStep['before']; after: RequestedStep['after'] },
): RequestedStep => ({
  id: target.id,
  title: target.description,
  before,
  after,
  labels: LABELS,
  standsFor: [],
  takenFrom: target.id,
});

const imported = ({ id }: { id: OperationId }): RetakeError =>
  new RetakeError('imported', `Checkpoint ${shortId(id)} was imported, so that nothing leads from it to the present`, {
    hint: 'retake rewind without --by and --keep-mine goes there as a whole.',
  });

const elsewhere = ({ id }: { id: OperationId }): RetakeError =>
  new RetakeError('left-behind', `Checkpoint ${shortId(id)} was rolled back itself, so that nothing leads from it to the present`, {
    hint: 'retake revert takes out what one step, turn or agent did; retake rewind without --by goes there as a whole.',
  });
