import {
  type Checkpoint,
  type Extent,
  lineOf,
  type Recorded,
  RetakeError,
  sameState,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import {
  changesBy,
  type Deed,
  type Doer,
  deedsOf,
  extentOf,
  extentWithout,
  inForce,
  type Standing,
  stepOf,
  type WorkStep,
} from '../../timeline/index.ts';
import { readAll } from '../recover/session-work.ts';
import { standingOf } from '../recover/standing.ts';
import { runningDoers, runningSpans } from '../running-steps.ts';
import type { Workspace } from '../workspace.ts';

/** A change and the part of it that is meant. */
export type OwnPart = Pick<WorkStep, 'before' | 'after' | 'only' | 'except'>;

/** What happened between two records of which the one led to the other. */
export class LineBetween {
  readonly operations: readonly Recorded[];
  readonly #workspace: Workspace;
  readonly #deeds: readonly Deed[];
  readonly #standing: Standing;
  /** What is not recorded yet. */
  readonly #news: OwnPart | null;
  /** Who may have done that, beside the person. */
  readonly #running: readonly Doer[];

  /** Up to the present where there is no `to`. */
  constructor(workspace: Workspace, from: Recorded<Checkpoint>, to: Recorded<Checkpoint> | undefined, end: WorkspaceState) {
    const upTo = to?.sequence ?? Number.POSITIVE_INFINITY;
    this.#workspace = workspace;
    const line = lineOf(from);
    this.#standing = standingOf(workspace, { upTo, line });
    const isElsewhere = line !== (to === undefined ? null : lineOf(to));
    if (isElsewhere || from.sequence > upTo || this.#standing.leftAfter(from) !== undefined) throw notOnOneLine(from, to);
    this.operations = readAll(workspace, { line });
    this.#deeds = deedsOf(this.operations, line === null ? runningSpans(workspace) : []).filter(
      ({ at }) => at.sequence > from.sequence && at.sequence <= upTo,
    );
    const newest = this.operations.findLast(({ state }) => state !== null)?.state;
    this.#running = to === undefined ? runningDoers(workspace) : [];
    this.#news = to === undefined && newest != null && !sameState(newest, end) ? { before: newest, after: end } : null;
  }

  get doers(): Doer[] {
    return [...this.#deeds.flatMap(({ doers }) => doers), ...this.#running];
  }

  /** What certain steps did and was not taken out again, oldest first. */
  by(isMeant: (doer: Doer) => boolean): OwnPart[] {
    const news = this.#newsIn(extentOf(this.#running.filter(isMeant)));
    return [...this.#inForce(changesBy(this.#deeds, isMeant)), ...news];
  }

  /** What no agent did. */
  byPerson(): OwnPart[] {
    const alone = this.#deeds.filter(({ doers, isPlanned, isGap }) => doers.length === 0 && !isPlanned && !isGap).map(stepOf);
    // To take out a step takes out what the agent did in it alone.
    const beside = this.#deeds.flatMap((deed): WorkStep[] => {
      const extent = deed.doers.length === 0 || !this.#standing.isOnTheWay(deed.at) ? undefined : extentWithout(deed.doers);
      return extent === undefined ? [] : [{ ...stepOf(deed), ...extent }];
    });
    const all = [...this.#inForce(alone), ...beside].sort((a, b) => a.sequence - b.sequence);
    return [...all, ...this.#newsIn(extentWithout(this.#running))];
  }

  #newsIn(extent: Extent | undefined): OwnPart[] {
    return this.#news === null || extent === undefined ? [] : [{ ...this.#news, ...extent }];
  }

  #inForce(steps: readonly WorkStep[]): WorkStep[] {
    const changing = steps.filter(({ before, after }) => !sameState(before, after));
    return inForce(changing, this.#standing, (id) => this.#workspace.index.get(id)?.operation);
  }
}

const notOnOneLine = (from: Recorded, to: Recorded | undefined): RetakeError =>
  new RetakeError(
    'left-behind',
    `Nothing leads from checkpoint ${shortId(from.id)} to ${to === undefined ? 'the present' : shortId(to.id)}: it is later, was rolled back, or was imported`,
    { hint: 'Who changed what is known between two checkpoints of which the one led to the other; without --by any two can be compared.' },
  );
