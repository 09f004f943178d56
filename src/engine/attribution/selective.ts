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
import { type Deed, type Doer, extentOf, extentWithout, partOf } from '../../timeline/index.ts';
import type { AimedStep, ReplayAim, ReplayChoice } from '../recover/replay-aim.ts';
import type { AddressOptions } from '../resolve.ts';
import { runningDoers, toolUsesOf } from '../running-steps.ts';
import type { Workspace } from '../workspace.ts';
import { stepsNamed } from './doer-named.ts';
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
  readonly replay: ReplayAim;
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
  const { all, deeds, detour } = trail;
  const running = runningDoers(workspace);
  const others = allSessions ? new Set<SessionId>() : sessionsBeside(trail, target, running);
  const isOther = ({ session }: Doer): boolean => others.has(session);
  if (!keepMine && by === undefined && others.size === 0) return undefined;
  if (by !== undefined && detour !== null) throw elsewhere(target);
  const isOwn = by === undefined ? (doer: Doer) => !isOther(doer) : stepsNamed(workspace, deeds, by, { session });
  const goesBackOf = (deed: Deed): Extent | undefined =>
    by === undefined && !keepMine ? allBut(deed, isOther) : extentOf(deed.doers.filter(isOwn));
  const isPlanBack = (deed: Deed): boolean => by === undefined && !movesOnlyWhatStays(deed, all, goesBackOf);
  const steps = deeds.flatMap((deed): AimedStep[] => {
    const extent = deed.isPlanned ? (isPlanBack(deed) ? {} : undefined) : goesBackOf(deed);
    return extent === undefined ? [] : [taken(deed, extent, deed.doers.filter(isOwn))];
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
const movesOnlyWhatStays = ({ at }: Deed, all: readonly Deed[], goesBackOf: (deed: Deed) => Extent | undefined): boolean => {
  if (!isRollback(at) || at.steps === undefined || (at.takesBack?.length ?? 0) > 0) return false;
  const parts = new Map(at.partly?.map(({ step, paths }) => [step, paths]));
  const moved = all.filter((deed) => parts.has(deed.at.id) || at.steps?.includes(deed.at.id));
  const stays = (deed: Deed): boolean => !meets(goesBackOf(deed), parts.get(deed.at.id) ?? extentOf(deed.doers)?.only ?? [ROOT]);
  return moved.length > 0 && moved.every(stays);
};

const meets = (extent: Extent | undefined, paths: readonly RelativePath[]): boolean => {
  if (extent === undefined) return false;
  const { only = [ROOT], except = [] } = extent;
  const isMet = (path: RelativePath): boolean => only.some((one) => isWithin(path, one) || isWithin(one, path));
  return paths.some((path) => isMet(path) && !except.some((one) => isWithin(path, one)));
};

/** Everything but what only the others did. */
const allBut = ({ doers }: Deed, isOther: (doer: Doer) => boolean): Extent | undefined => {
  const others = extentOf(doers.filter(isOther));
  const own = extentOf(doers.filter((doer) => !isOther(doer)));
  if (others === undefined || (own !== undefined && own.only === undefined)) return {};
  if (others.only === undefined) return own;
  const except = others.only.filter((path) => !own?.only?.includes(path));
  return except.length === 0 ? {} : { except };
};

const taken = (deed: Deed, extent: Extent, own: readonly Doer[]): AimedStep => {
  const { at, before, isPlanned } = deed;
  return {
    id: at.id,
    title: at.description,
    before: before.state,
    after: at.state,
    ...extent,
    labels: LABELS,
    standsFor: own.length === 0 ? [] : [at.id],
    ...partOf(deed, own),
    ...(isPlanned && isRollback(at) ? { takesBack: at.id } : {}),
    takenFrom: before.id,
  };
};

const wayTo = (target: Recorded<Checkpoint>, { before, after }: { before: AimedStep['before']; after: AimedStep['after'] }): AimedStep => ({
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
